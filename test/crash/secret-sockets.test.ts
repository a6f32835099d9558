/**
 * A credential on a socket is relayed and never written: not in its address or its fields, not in a message
 * of either side, not in a close. The child looks at every buffer that it hands to a write.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startByteUpstream } from '../peers/byte-upstream.ts'
import { HANDSHAKE } from '../peers/frames.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { startSocketUpstream, type SocketUpstream } from '../peers/socket-upstream.ts'
import { COOKIE, EPHEMERAL, HANDLE, KEY, PEM, PROJECT, TELLING, TOKEN } from './planted.ts'
import { buildChild, type ChildProgram } from './process.ts'
import { watchRecorder, type Watched } from './watched.ts'

let program: ChildProgram
let folder: string
beforeAll(async () => {
  program = await buildChild()
  folder = await mkdtemp(join(tmpdir(), 'wiretape-secrets-'))
}, 60_000)
afterAll(async () => {
  await rm(folder, { recursive: true })
  await program.dispose()
})

const PATH = '//ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateContent'

interface Handshake {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

const HANDSHAKES: readonly (readonly [string, Handshake])[] = [
  ['?key=', { query: `?key=${KEY}` }],
  ['?access_token=', { query: `Constrained?access_token=${EPHEMERAL}` }],
  ['?access_token=, encoded', { query: `?access_token=${encodeURIComponent(EPHEMERAL)}` }],
  ['x-goog-api-key', { headers: { 'x-goog-api-key': KEY } }],
  ['authorization: Token', { headers: { Authorization: `Token ${EPHEMERAL}` } }],
  ['authorization: Bearer', { headers: { authorization: `Bearer ${TOKEN}` } }],
  ['cookie', { headers: { cookie: COOKIE } }],
  ['x-goog-user-project', { headers: { 'x-goog-user-project': PROJECT } }],
]

const model = `projects/${PROJECT}/locations/us-central1/publishers/google/models/m`

/** What either side may say; each is sent by the client and sent back by the service, in both opcodes. */
const MESSAGES: readonly (readonly [string, string])[] = [
  ['the handle of a session that is resumed', `{"setup":{"sessionResumption":{"handle":"${HANDLE}"}}}`],
  ['the same in snake case', `{"setup": {"session_resumption": {"handle": "${HANDLE}"}}}`],
  ['the project of a model', `{"setup":{"model":"${model}"}}`],
  [
    'a new handle',
    `{\n  "sessionResumptionUpdate": {\n    "newHandle": "${HANDLE}",\n    "resumable": true\n  }\n}\n`,
  ],
  ['a key that somebody says', JSON.stringify({ realtimeInput: { text: `my key is ${KEY}.` } })],
  ['a key that is no JSON', `${KEY} and ${TOKEN}`],
  ['a private key', `{"toolResponse":{"functionResponses":[{"response":{"private_key":"${PEM}"}}]}}`],
]

/** The other end says back what it hears, and remembers it. */
async function echoing(): Promise<{ readonly upstream: SocketUpstream; readonly heard: string[] }> {
  const heard: string[] = []
  const upstream = await startSocketUpstream(socket => {
    socket.on('message', (data, isBinary) => {
      heard.push((data as Buffer).toString())
      socket.send(data, { binary: isBinary })
    })
  })
  return { upstream, heard }
}

function open(watched: Watched, { query = '', headers = {} }: Handshake = {}): WebSocket {
  return new WebSocket(`${watched.url.replace('http', 'ws')}${PATH}${query}`, { headers })
}

describe('a credential in the request for a socket', () => {
  let watched: Watched
  let upstream: SocketUpstream
  beforeAll(async () => {
    ;({ upstream } = await echoing())
    watched = await watchRecorder(program, folder, upstream)
  })

  it.each(HANDSHAKES)('reaches the service and is written nowhere: %s', async (_, handshake) => {
    const before = upstream.requests.length
    const socket = open(watched, handshake)
    await once(socket, 'open')
    const { url, rawHeaders } = upstream.requests[before] ?? {}
    const seen = [decodeURIComponent(url ?? ''), ...(rawHeaders ?? [])].join('\n')
    expect(TELLING.some(secret => seen.includes(secret))).toBe(true)
    socket.close()
    await once(socket, 'close')
  })

  it('is in nothing that is left', async () => {
    const { code, output, cassette } = await watched.finish()
    expect(code, output).toBe(0)
    expect(cassette.match(/^exchange: live$/gm)).toHaveLength(HANDSHAKES.length)
  })
})

describe('a credential in a message', () => {
  let watched: Watched
  let heard: readonly string[]
  beforeAll(async () => {
    const { upstream, heard: all } = await echoing()
    heard = all
    watched = await watchRecorder(program, folder, upstream)
  })

  it.each(MESSAGES)('is relayed both ways and is written nowhere: %s', async (_, text) => {
    const socket = open(watched)
    await once(socket, 'open')
    for (const binary of [false, true]) {
      const before = heard.length
      socket.send(text, { binary })
      const [data] = (await once(socket, 'message')) as [Buffer]
      expect([heard[before], data.toString()]).toEqual([text, text])
    }
    socket.close()
    await once(socket, 'close')
  })

  it('is in nothing that is left, and the same one has the same placeholder', async () => {
    const { code, output, cassette } = await watched.finish()
    expect(code, output).toBe(0)
    expect(cassette.match(/^exchange: live$/gm)).toHaveLength(MESSAGES.length)
    expect([...new Set(cassette.match(/redacted-session-handle-\d+/g))]).toEqual([
      'redacted-session-handle-1',
    ])
    expect(cassette.match(/redacted-session-handle-1/g)).toHaveLength(12)
  })
})

describe('a credential in how a socket ends', () => {
  it('is in no close that is written', async () => {
    const upstream = await startSocketUpstream(socket => {
      socket.on('message', () => socket.close(1007, `API key not valid: ${KEY}`))
    })
    const watched = await watchRecorder(program, folder, upstream)
    const socket = open(watched)
    socket.once('open', () => socket.send('{}'))
    const [, reason] = (await once(socket, 'close')) as [number, Buffer]
    expect(reason.toString()).toContain(KEY)
    const { code, output, cassette } = await watched.finish()
    expect(code, output).toBe(0)
    expect(cassette).toContain('API key not valid: redacted-api-key-1')
  })

  it('is in no refusal that is written', async () => {
    const body = `{"error":{"code":403,"message":"API key ${KEY} is not valid for projects/${PROJECT}/locations/x."}}`
    const upstream = await startByteUpstream((_, socket) => {
      socket.write(
        `HTTP/1.1 403 No ${KEY}\r\nSet-Cookie: ${COOKIE}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    })
    const watched = await watchRecorder(program, folder, upstream)
    const got = await rawRequest(watched.url, { method: 'GET', path: PATH, headers: HANDSHAKE })
    expect([got.reason, got.body.toString()]).toEqual([`No ${KEY}`, body])
    const { code, output, cassette } = await watched.finish()
    expect(code, output).toBe(0)
    expect(cassette).toContain('redacted-api-key-1')
  })
})

describe('a key in a message that can not be replaced, because it is inside base64', () => {
  it('stops the recording, which says where it was and not what; the socket goes on', async () => {
    const { upstream, heard } = await echoing()
    const watched = await watchRecorder(program, folder, upstream)
    const socket = open(watched)
    await once(socket, 'open')
    const hidden = `{"data": "${Buffer.from(`{"key": "${KEY}"}`).toString('base64')}"}`
    for (const text of [hidden, 'and more']) {
      socket.send(text)
      const [data] = (await once(socket, 'message')) as [Buffer]
      expect([heard.at(-1), data.toString()]).toEqual([text, text])
    }
    socket.close()
    await once(socket, 'close')
    const { code, output } = await watched.finish()
    expect(code).toBe(1)
    expect(output).toContain('a message of the client of exchange 1')
  })
})
