/** The public entry, as a program imports it. */
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { GoogleGenAI } from '@google/genai'
import { describe, expect, it } from 'vitest'
import {
  createRecordServer,
  createReplayServer,
  ERROR_CODES,
  parseCassette,
  recover,
  WiretapeError,
} from '../src/index.ts'
import { emptyFolder } from './cli/spawned.ts'
import { serviceThat, stream, STREAM } from './cli/upstream.ts'
import { failureOf } from './failure.ts'

const PATH = '/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse'
const CASSETTE = 'cassettes/streamed-answer.cassette.yaml'

async function ask(base: string, text: string): Promise<string> {
  const body = JSON.stringify({ contents: [{ parts: [{ text }], role: 'user' }] })
  return (await fetch(base + PATH, { method: 'POST', body })).text()
}

describe('createReplayServer', () => {
  it('lets the official SDK run against a cassette', async () => {
    const server = await createReplayServer(CASSETTE)
    const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } })
    let text = ''
    const config = { temperature: 0.5, maxOutputTokens: 64 }
    const request = { model: 'gemini-2.5-flash', contents: 'Why is the sea salty?', config }
    for await (const chunk of await ai.models.generateContentStream(request)) text += chunk.text
    expect(text).toContain('leaves the salt behind.')
    expect(await server.close()).toMatchObject({
      exchanges: 1,
      played: 1,
      requests: 1,
      failures: [],
      leftovers: [],
    })
  })

  it('rejects with WIRETAPE_NO_MATCH when it closes, whatever the app made of the refusal', async () => {
    const server = await createReplayServer(CASSETTE)
    await ask(server.url, 'Why is the sea blue?')
    expect(server.failures).toHaveLength(1)
    const { code, message } = await failureOf(() => server.close())
    expect(code).toBe('WIRETAPE_NO_MATCH')
    expect(message).toContain('Why is the sea blue?')
    expect(message).toContain('The recording was not used up: 1 exchange was never asked for. Left are:')
  })

  it('rejects with WIRETAPE_UNFINISHED when something was never asked for', async () => {
    const server = await createReplayServer(['cassettes/tool-turn.cassette.yaml', CASSETTE])
    const { code, message } = await failureOf(() => server.close())
    expect(code).toBe('WIRETAPE_UNFINISHED')
    expect(message).toMatchInlineSnapshot(`
      "The recording was not used up: 3 exchanges were never asked for. Left are:
        POST models/gemini-3-pro-preview:generateContent, exchange 1 (line 7 of cassettes/tool-turn.cassette.yaml), was never asked for
        POST models/gemini-3-pro-preview:generateContent, exchange 2 (line 50 of cassettes/tool-turn.cassette.yaml), was never asked for
        POST models/gemini-2.5-flash:streamGenerateContent?alt=sse, exchange 1 (line 7 of cassettes/streamed-answer.cassette.yaml), was never asked for

      Did the app use what it was given, e.g. the base URL?"
    `)
  })

  it('fails the scope that it was created in', async () => {
    const { code } = await failureOf(async () => {
      await using server = await createReplayServer(CASSETTE)
      await ask(server.url, 'Why is the sea blue?')
    })
    expect(code).toBe('WIRETAPE_NO_MATCH')
  })

  it('takes the paces of the command, and no other', async () => {
    const server = await createReplayServer(CASSETTE, { pace: '2x' })
    expect(server.report().exchanges).toBe(1)
    await failureOf(() => server.close())
    // @ts-expect-error: 'fast' is no pace.
    expect((await failureOf(() => createReplayServer(CASSETTE, { pace: 'fast' }))).code).toBe(
      'WIRETAPE_USAGE',
    )
  })
})

describe('createRecordServer', () => {
  it('records what createReplayServer plays', async () => {
    const file = join(emptyFolder(), 'new.cassette.yaml')
    const recorder = await createRecordServer(file, {
      upstream: await serviceThat(stream),
      note: 'From a test.',
    })
    expect(await ask(recorder.url, 'Why?')).toBe(STREAM)
    expect(await recorder.close()).toMatchObject({ file, exchanges: 1, events: 2 })

    await using server = await createReplayServer(file)
    expect(await ask(server.url, 'Why?')).toBe(STREAM)
  })

  it('refuses to record over a cassette unless that is asked for', async () => {
    const file = join(emptyFolder(), 'new.cassette.yaml')
    const upstream = await serviceThat(stream)
    for (const existing of ['refuse', 'overwrite'] as const) {
      await using recorder = await createRecordServer(file, { upstream, existing })
      await ask(recorder.url, existing)
    }
    expect((await failureOf(() => createRecordServer(file, { upstream }))).code).toBe('WIRETAPE_USAGE')
    expect(readFileSync(file, 'utf8')).toContain('overwrite')
  })

  it('appends to a cassette where that is asked for', async () => {
    const file = join(emptyFolder(), 'new.cassette.yaml')
    const upstream = await serviceThat(stream)
    for (const text of ['first', 'second']) {
      await using recorder = await createRecordServer(file, { upstream, existing: 'append' })
      await ask(recorder.url, text)
    }
    const { documents } = await parseCassette(readFileSync(file, 'utf8'), file)
    expect(documents.map(({ type }) => type)).toEqual(['header', 'exchange', 'header', 'exchange'])
  })
})

describe('recover', () => {
  it('rejects with WIRETAPE_USAGE where nothing was left behind', async () => {
    const file = join(emptyFolder(), 'none.cassette.yaml')
    expect((await failureOf(() => recover(file))).code).toBe('WIRETAPE_USAGE')
  })
})

describe('parseCassette', () => {
  it('gives back the documents', async () => {
    const { documents } = await parseCassette(readFileSync(CASSETTE, 'utf8'))
    expect(documents.map(({ type }) => type)).toEqual(['header', 'exchange'])
  })

  it('rejects with the place of a mistake, in the file that it was told', async () => {
    const { code, message } = await failureOf(() =>
      parseCassette('cassette: 1\nnode: x\n', 'a.cassette.yaml'),
    )
    expect(code).toBe('WIRETAPE_CASSETTE_INVALID')
    expect(message).toContain('a.cassette.yaml:2:1')
  })
})

describe('WiretapeError', () => {
  it('is known even from another copy of the package', () => {
    const [code] = ERROR_CODES
    const error = new WiretapeError(code, 'what', { hint: 'do', details: { at: 1 } })
    expect(WiretapeError.is(error)).toBe(true)
    expect(WiretapeError.is(Object.assign(new Error(error.message), { code }))).toBe(false)
    expect(error).toMatchObject({
      name: 'WiretapeError',
      code,
      message: 'what\n\ndo',
      hint: 'do',
      details: { at: 1 },
    })
  })
})

describe('importing the built entry', () => {
  it('loads nothing but a few files of its own', () => {
    const dist = resolve(import.meta.dirname, '../dist')
    const loaded = new Set<string>()
    const load = (file: string): void => {
      loaded.add(file)
      for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export)\b[^'"]*?(?:from )?["']([^"']+)["']/gm,
      )) {
        expect(path).toMatch(/^\.\//)
        if (!loaded.has(join(dirname(file), path))) load(join(dirname(file), path))
      }
    }
    load(join(dist, 'index.js'))
    expect(loaded.size).toBeLessThan(5)
  })
})
