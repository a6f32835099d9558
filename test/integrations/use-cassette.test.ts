/** A cassette in a test, by the official SDK: one line, for either API, without credentials. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { GoogleGenAI } from '@google/genai'
import { GoogleGenAI as GoogleGenAI2 } from 'genai-2'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { cassette } from '../../src/build/entry.ts'
import { parseCassette, useCassette, type Tape } from '../../src/index.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { startLiveService } from '../contract/live-service.ts'
import { ask, kindsIn, newFile, startService, textOf } from './service.ts'

afterEach(() => void vi.unstubAllEnvs())

const SHIPPED = 'cassettes/streamed-answer.cassette.yaml'
const MODEL = 'gemini-2.5-flash'

/** A Vertex cassette as a recording leaves it: the project is a placeholder. */
const VERTEX = `cassette: 1
---
exchange: generate-content
request:
  method: POST
  url: https://europe-west4-aiplatform.googleapis.com/v1/projects/redacted-project-1/locations/europe-west4/publishers/google/models/${MODEL}:generateContent
  body: { contents: [{ parts: [{ text: Hello }], role: user }] }
response:
  status: 200
  headers: { content-type: application/json }
  body: { candidates: [{ content: { parts: [{ text: From Vertex. }], role: model } }] }
end: {}
`

function cassetteOf(text: string): string {
  const file = join(emptyFolder(), 'test.cassette.yaml')
  writeFileSync(file, text)
  return file
}

/** Whatever a machine may have that leads the SDK elsewhere. */
function stubStrangeEnvironment(vertex: string): void {
  vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', vertex)
  vi.stubEnv('GOOGLE_GENAI_USE_ENTERPRISE', vertex)
  vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'project-of-the-machine')
  vi.stubEnv('GOOGLE_CLOUD_LOCATION', 'us-east1')
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', 'http://127.0.0.1:9')
  vi.stubEnv('GOOGLE_VERTEX_BASE_URL', 'http://127.0.0.1:9')
  vi.stubEnv('GOOGLE_API_KEY', 'a-real-key')
  vi.stubEnv('GEMINI_API_KEY', 'another-real-key')

  vi.stubEnv('GOOGLE_GENAI_API_VERSION', 'v7')
  // Looked for, it would be an error.
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '/nowhere/credentials.json')
  vi.stubEnv('HOME', '/nowhere')
}

const SDKS = [
  ['3', GoogleGenAI],
  ['2', GoogleGenAI2],
] as const

describe.each(SDKS)('the client of the official SDK %s', (_, Sdk) => {
  const says = async (tape: Tape, contents = 'Hello'): Promise<string | undefined> =>
    (await new Sdk(tape.client).models.generateContent({ model: MODEL, contents })).text

  it('is replayed to from a cassette of the Gemini API, whatever the machine has set', async () => {
    stubStrangeEnvironment('true')
    await using tape = await useCassette(SHIPPED, { mode: 'replay' })
    const config = { temperature: 0.5, maxOutputTokens: 64 }
    const stream = await new Sdk(tape.client).models.generateContentStream({
      model: MODEL,
      contents: 'Why is the sea salty?',
      config,
    })
    let text = ''
    for await (const chunk of stream) text += chunk.text
    expect(text).toContain('leaves the salt behind.')
  })

  it.each(['true', 'false'])(
    'is replayed to from a cassette of Vertex, without credentials (%s)',
    async vertex => {
      stubStrangeEnvironment(vertex)
      await using tape = await useCassette(cassetteOf(VERTEX), { mode: 'replay' })
      expect(tape.client).toMatchObject({
        vertexai: true,
        project: 'redacted-project-1',
        location: 'europe-west4',
      })
      expect(await says(tape)).toBe('From Vertex.')
    },
  )

  it('is replayed to from a cassette of Vertex that was recorded with a key', async () => {
    stubStrangeEnvironment('false')
    const text = VERTEX.replace('europe-west4-aiplatform', 'aiplatform').replace(
      /projects\/.*?\/publishers/,
      'publishers',
    )
    await using tape = await useCassette(cassetteOf(text), { mode: 'replay' })
    expect(await says(tape)).toBe('From Vertex.')
  })

  it('is recorded with the key of the environment, and that is on no cassette', async () => {
    const { url, seen } = await startService()
    vi.stubEnv('GOOGLE_API_KEY', '')
    vi.stubEnv('GEMINI_API_KEY', 'a-key-of-my-own')
    const file = newFile()
    {
      await using tape = await useCassette(file, { mode: 'once', upstream: url })
      expect(await says(tape)).toBe('Sunny.')
    }
    expect(seen[0]?.headers['x-goog-api-key']).toBe('a-key-of-my-own')
    expect(textOf(file)).not.toContain('a-key-of-my-own')
    vi.stubEnv('GEMINI_API_KEY', '')
    await using tape = await useCassette(file, { mode: 'replay' })
    expect(await says(tape)).toBe('Sunny.')
  })

  it('is recorded on Vertex where the environment says so, and replayed where it does not', async () => {
    const { url, seen } = await startService()
    vi.stubEnv('GOOGLE_GENAI_USE_VERTEXAI', 'true')
    vi.stubEnv('GOOGLE_API_KEY', 'a-key-of-my-own')
    const file = newFile()
    {
      await using tape = await useCassette(file, { mode: 'once', vertexUpstream: url })
      expect(await says(tape)).toBe('Sunny.')
    }
    expect(seen[0]?.path).toContain('/publishers/google/')
    expect(textOf(file)).not.toContain('a-key-of-my-own')
    vi.unstubAllEnvs()
    await using tape = await useCassette(file, { mode: 'replay' })
    expect(tape.client.vertexai).toBe(true)
    expect(await says(tape)).toBe('Sunny.')
  })

  it('is recorded on Vertex with a project and credentials that are added to it', async () => {
    const { url, seen } = await startService()
    const file = newFile()
    const place = { project: 'a-project-of-my-own', location: 'us-east1' }
    {
      await using tape = await useCassette(file, { mode: 'once', vertexUpstream: url, api: 'vertex' })
      const googleAuthOptions = { apiKey: 'a-key-of-my-own', projectId: place.project }
      const ai = new Sdk({ ...tape.client, ...place, googleAuthOptions })
      expect((await ai.models.generateContent({ model: MODEL, contents: 'Hello' })).text).toBe('Sunny.')
    }
    expect(seen[0]?.path).toContain('/projects/a-project-of-my-own/locations/us-east1/')
    expect(textOf(file)).not.toMatch(/of-my-own/)
    await using tape = await useCassette(file, { mode: 'replay' })
    expect(tape.client).toMatchObject({ vertexai: true, location: 'us-east1' })
    expect(await says(tape)).toBe('Sunny.')
  })
})

describe('a Live session', () => {
  it('is recorded and replayed by the same line', async () => {
    const service = await startLiveService()
    vi.stubEnv('GEMINI_API_KEY', 'a-key-of-my-own')
    vi.stubEnv('GOOGLE_API_KEY', '')
    const file = newFile()
    const seen = []
    for (const mode of ['once', 'replay'] as const) {
      await using tape = await useCassette(file, { mode, upstream: service.url })
      seen.push(await converse(new GoogleGenAI(tape.client)))
    }
    await service.close()
    expect(seen[0]).toContain('leigh – süß.')
    expect(seen[1]).toEqual(seen[0])
  })

  it('needs no port where the client is told so', async () => {
    const service = await startLiveService()
    vi.stubEnv('GEMINI_API_KEY', 'a-key-of-my-own')
    vi.stubEnv('GOOGLE_API_KEY', '')
    const file = newFile()
    const seen = []
    for (const mode of ['once', 'replay'] as const) {
      await using tape = await useCassette(file, { mode, upstream: service.url })
      const ai = new GoogleGenAI({ apiKey: 'none' })
      tape.plugSockets(ai.live)
      seen.push(await converse(ai))
    }
    await service.close()
    expect(seen[1]).toEqual(seen[0])
    expect(kindsIn(file)).toBe('header exchange')
  })
})

/** One turn, as text. */
async function converse(ai: GoogleGenAI): Promise<string> {
  let text = ''
  let over: (() => void) | undefined
  const done = new Promise<void>(resolve => (over = resolve))
  let gone: (() => void) | undefined
  const closed = new Promise<void>(resolve => (gone = resolve))
  const session = await ai.live.connect({
    model: 'gemini-live-2.5-flash-preview',
    callbacks: {
      onmessage({ serverContent }) {
        for (const part of serverContent?.modelTurn?.parts ?? []) text += part.text ?? ''
        if (serverContent?.turnComplete === true) over?.()
      },
      onclose: () => gone?.(),
    },
  })
  session.sendClientContent({ turns: [{ role: 'user', parts: [{ text: 'Why is the sky blue?' }] }] })
  await done
  session.close()
  await closed
  return text
}

describe('code that is no SDK', () => {
  it('asks the service by its own address, while recording and replaying', async () => {
    const { url } = await startService()
    const file = newFile()
    const answers = []
    for (const mode of ['once', 'replay'] as const) {
      await using tape = await useCassette(file, { mode, upstream: url })
      answers.push(await ask('https://generativelanguage.googleapis.com', 'Hello', tape.fetch))
      answers.push(await ask(tape.url, 'Bye'))
    }
    expect(answers.slice(0, 2)).toEqual(answers.slice(2))
  })

  it('is told while recording of a request that would not be on the cassette', async () => {
    const tape = await useCassette(newFile(), { mode: 'once' })
    await expect(tape.fetch('https://example.com/')).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
    })
    await tape.discard()
  })

  it('runs as a child process with the variables of the tape', async () => {
    const { url } = await startService()
    const file = newFile()
    const program = `
      const { GOOGLE_GEMINI_BASE_URL: base, GEMINI_API_KEY: key } = process.env
      const body = '{"contents":[]}'
      const response = await fetch(base + '/v1beta/models/m:generateContent', { method: 'POST', body, headers: { 'x-goog-api-key': key } })
      console.log(key, response.status)`
    vi.stubEnv('GEMINI_API_KEY', 'a-key-of-my-own')
    const printed = []
    for (const mode of ['once', 'replay'] as const) {
      await using tape = await useCassette(file, { mode, upstream: url })
      const env = { ...process.env, ...tape.env }
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        env,
      })
      printed.push(stdout)
    }
    expect(printed).toEqual(['a-key-of-my-own 200\n', 'replayed-by-wiretape 200\n'])
  })
})

describe('a tape', () => {
  it('fails its scope for a request that the app has swallowed the refusal of', async () => {
    const scope = async (): Promise<void> => {
      await using tape = await useCassette(SHIPPED, { mode: 'replay' })
      await ask(tape.url, 'Why?')
    }
    await expect(scope()).rejects.toMatchObject({ code: 'WIRETAPE_NO_MATCH' })
  })

  it('fails its scope for a leftover, unless that is allowed', async () => {
    const scope = async (allow: readonly 'never-asked'[]): Promise<void> => {
      await using tape = await useCassette(SHIPPED, { mode: 'replay', allow })
      expect(tape.failures).toEqual([])
    }
    await expect(scope([])).rejects.toMatchObject({ code: 'WIRETAPE_UNFINISHED' })
    await scope(['never-asked'])
  })

  it('gives both errors of a scope that throws one of its own', async () => {
    const scope = async (): Promise<void> => {
      await using tape = await useCassette(SHIPPED, { mode: 'replay' })
      throw new Error(`own ${tape.failures.length}`)
    }
    await expect(scope()).rejects.toMatchObject({
      name: 'SuppressedError',
      suppressed: { message: 'own 0' },
      error: { code: 'WIRETAPE_UNFINISHED' },
    })
  })

  it('that was closed by hand fails nothing for a second time', async () => {
    const scope = async (): Promise<string> => {
      await using tape = await useCassette(SHIPPED, { mode: 'replay' })
      await expect(tape.close()).rejects.toMatchObject({ code: 'WIRETAPE_UNFINISHED' })
      return 'to its end'
    }
    expect(await scope()).toBe('to its end')
  })

  it('matches as it is told: by a function, without places, by the route', async () => {
    const { url } = await startService()
    const file = newFile()
    {
      await using tape = await useCassette(file, { mode: 'once', upstream: url })
      await ask(tape.url, 'at 10:00')
    }
    for (const options of [
      { match: 'route' },
      { match: () => true },
      { ignore: ['/contents/*/parts/0/text'] },
    ] as const) {
      await using tape = await useCassette(file, { mode: 'replay', ...options })
      await ask(tape.url, 'at 11:00')
    }
  })

  it('plays a cassette that is written by a builder', async () => {
    const written = cassette().on(MODEL, 'Hello').answers('Hi.').on(MODEL, 'Bye').fails(429)
    await using tape = await useCassette(written)
    const { models } = new GoogleGenAI(tape.client)
    expect((await models.generateContent({ model: MODEL, contents: 'Hello' })).text).toBe('Hi.')
    await expect(models.generateContent({ model: MODEL, contents: 'Bye' })).rejects.toMatchObject({
      status: 429,
    })
  })

  it('plays a cassette that was made in memory, in every mode', async () => {
    vi.stubEnv('WIRETAPE_MODE', 'all')
    const made = await parseCassette(readFileSync(SHIPPED, 'utf8'), SHIPPED)
    for (const one of [made, { build: () => made }]) {
      await using tape = await useCassette(one, { allow: ['never-asked'] })
      expect(tape.mode).toBe('replay')
      expect(tape.report().exchanges).toBe(1)
    }
  })
})

describe('tests in parallel', () => {
  it('never see the cassettes of others: eight record at once, and eight replay', async () => {
    const { url } = await startService()
    const files = Array.from({ length: 8 }, (_, index) => newFile(`test-${index}`))
    for (const mode of ['once', 'replay'] as const) {
      const reports = await Promise.all(
        files.map(async (file, index) => {
          const tape = await useCassette(file, { mode, upstream: url })
          for (let turn = 0; turn < 3; turn += 1) await ask(tape.url, `${index}: ${turn}`)
          return tape.close()
        }),
      )
      expect(reports.map(({ requests, failures }) => [requests, failures.length])).toEqual(
        files.map(() => [3, 0]),
      )
    }
    for (const [index, file] of files.entries()) {
      expect([...(textOf(file) ?? '').matchAll(/text: "(\d): \d"/g)].map(([, one]) => Number(one))).toEqual([
        index,
        index,
        index,
      ])
    }
  })

  it('may replay the same cassette, each its own copy of it', async () => {
    const file = join(emptyFolder(), 'copy.cassette.yaml')
    copyFileSync(SHIPPED, file)
    const tapes = await Promise.all(
      [1, 2, 3].map(() => useCassette(file, { mode: 'replay', allow: ['never-asked'] })),
    )
    expect(new Set(tapes.map(({ url }) => url)).size).toBe(3)
    await Promise.all(tapes.map(tape => tape.close()))
  })

  it.each(['once', 'all', 'new-episodes'] as const)('may not record the same cassette (%s)', async mode => {
    const file = newFile()
    const first = await useCassette(file, { mode })
    await expect(useCassette(file, { mode })).rejects.toMatchObject({ code: 'WIRETAPE_CASSETTE_LOCKED' })
    await first.discard()
    const second = await useCassette(file, { mode })
    await second.discard()
  })
})
