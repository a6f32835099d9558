/** `--match`, and the `received` lines of `wiretape replay --json`: what clients send, as a shell gets to read it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, wiretape } from './spawned.ts'

const MODEL = 'gemini-2.5-flash'

const question = (text: string, match = '') => `---
exchange: generate-content
${match}request:
  method: POST
  url: https://generativelanguage.googleapis.com/v1/models/${MODEL}:generateContent
  body: { contents: [{ parts: [{ text: ${text} }], role: user }] }
response:
  status: 200
  body: { candidates: [] }
end: {}
`

const SOCKET = `---
exchange: live
request:
  url: wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent
messages:
  - client: { setup: { model: models/m } }
  - server: { setupComplete: {} }
end: { how: client-abort }
`

/** Sends each body of its arguments to its cassette's base URL, then what a socket is told to say. */
const CLIENT = `
import { WebSocket } from 'ws'
const [base, key, ...bodies] = process.argv.slice(1)
const root = process.env.WIRETAPE_URL ?? process.env.GOOGLE_GEMINI_BASE_URL
for (const body of bodies) {
  const headers = { 'x-goog-api-key': key, ...(body.startsWith('{') ? {} : { 'content-type': 'text/plain' }) }
  await fetch(root + base + '/v1beta/models/${MODEL}:generateContent?key=' + key, { method: 'POST', headers, body })
}
if (process.env.TALK !== undefined) {
  const service = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
  const socket = new WebSocket(root.replace('http', 'ws') + base + service + '?key=' + key)
  socket.on('open', () => socket.send(JSON.stringify({ setup: { model: 'models/m', note: key } })))
  socket.on('message', () => socket.send(Buffer.from([0xff, 0x00])))
  await new Promise(done => socket.on('close', done))
}
`

interface Sent {
  readonly options: readonly string[]
  readonly base?: string
  readonly bodies?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

const KEY = 'a-key-of-no-known-shape'

/** Replays `tape`, a file or a folder of the working directory, to a client. */
async function replay(cwd: string, tape: string, { options, base = '', bodies = [], env = {} }: Sent) {
  const client = [process.execPath, '--input-type=module', '-e', CLIENT, '--', base, KEY, ...bodies]
  // The client finds the package `ws` from where it is run; what it replays is elsewhere.
  const file = join(cwd, 'lines')
  const words = ['replay', join(cwd, tape), `--json=${file}`, ...options, '--', ...client]
  const { code } = await wiretape(words, { env })
  const text = readFileSync(file, 'utf8')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
  return { code, text, received: lines.filter(({ event }) => event === 'received') }
}

const asking = (text: string) => JSON.stringify({ contents: [{ parts: [{ text }], role: 'user' }] })

function project(): string {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'tapes'))
  writeFileSync(join(cwd, 'tapes/sea.cassette.yaml'), `cassette: 1\n${question('What of the sea?')}`)
  writeFileSync(join(cwd, 'tapes/talk.cassette.yaml'), `cassette: 1\n${SOCKET}`)
  writeFileSync(
    join(cwd, 'own.cassette.yaml'),
    `cassette: 1\n${question('First?', 'match: body\n')}${question('Second?')}`,
  )
  return cwd
}

describe('--match route', () => {
  it('answers another question, of a file and of a folder', async () => {
    const cwd = project()
    const bodies = [asking('What of the land?')]
    const file = await replay(cwd, 'tapes/sea.cassette.yaml', { options: ['--match', 'route'], bodies })
    expect(file.code).toBe(0)
    const folder = await replay(cwd, 'tapes', { options: ['--match', 'route'], base: '/t/sea@1', bodies })
    expect(folder.code).toBe(0)
    expect((await replay(cwd, 'tapes', { options: [], base: '/t/sea@1', bodies })).code).toBe(1)
  })

  it('leaves an exchange that says its own match to that', async () => {
    const bodies = [asking('Whatever.'), asking('First?')]
    const { code, received } = await replay(project(), 'own.cassette.yaml', {
      options: ['--match=route'],
      bodies,
    })
    expect(received.map(({ exchange }) => exchange)).toEqual([2, 1])
    expect(code).toBe(0)
  })
})

describe('--match strict-order', () => {
  it('wants the recorded order, where `body` does not', async () => {
    const cwd = project()
    writeFileSync(join(cwd, 'two.cassette.yaml'), `cassette: 1\n${question('First?')}${question('Second?')}`)
    const bodies = [asking('Second?'), asking('First?')]
    expect((await replay(cwd, 'two.cassette.yaml', { options: ['--match=body'], bodies })).code).toBe(0)
    const strict = await replay(cwd, 'two.cassette.yaml', { options: ['--match=strict-order'], bodies })
    expect(strict.code).toBe(1)
    expect(strict.received.map(({ exchange }) => exchange)).toEqual([undefined, 1])
  })
})

describe('a received line', () => {
  it('has each request, matched or not, and no key', async () => {
    const bodies = [asking('What of the sea?'), asking(`What of ${KEY}?`), 'no JSON']
    const { text, received } = await replay(project(), 'tapes', { options: [], base: '/t/sea', bodies })
    const operation = `POST models/${MODEL}:generateContent`
    expect(received).toEqual([
      {
        event: 'received',
        name: 'sea',
        file: expect.stringMatching(/sea/),
        exchange: 1,
        operation,
        body: JSON.parse(asking('What of the sea?')),
      },
      {
        event: 'received',
        name: 'sea',
        operation,
        body: { contents: [{ parts: [{ text: 'What of redacted-api-key-1?' }], role: 'user' }] },
      },
      { event: 'received', name: 'sea', operation, text: 'no JSON' },
    ])
    expect(text).not.toContain(KEY)
  })

  it('has each message of a socket, bytes too, and no key', async () => {
    const { text, received } = await replay(project(), 'tapes', {
      options: ['--match=route'],
      base: '/t/talk@7',
      env: { TALK: 'yes' },
    })
    const of = {
      event: 'received',
      name: 'talk@7',
      operation: 'GenerativeService.BidiGenerateContent',
      socket: 1,
    }
    expect(received).toEqual([
      {
        ...of,
        file: expect.stringMatching(/talk/),
        exchange: 1,
        message: { setup: { model: 'models/m', note: 'redacted-api-key-1' } },
      },
      { ...of, base64: '/wA=' },
    ])
    expect(text).not.toContain(KEY)
  })
})
