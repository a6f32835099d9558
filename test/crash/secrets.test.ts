/**
 * A credential is never written: not to the journal, not to the cassette, not in what the recorder says,
 * not for a moment. The child looks at every buffer that it hands to a write.
 */
import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { request as undiciRequest } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startByteUpstream, type ByteScript, type ByteUpstream } from '../peers/byte-upstream.ts'
import { rawRequest, type RawRequest, type RawResponse } from '../peers/raw-client.ts'
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

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
const ok: ByteScript = (_, socket) => {
  socket.write(OK)
}

type Request = RawRequest & { readonly vertex?: true }

/** A recorder in a process of its own, that looks at all it writes, in front of a service. */
interface Served extends Watched {
  readonly upstream: ByteUpstream
  ask(request: Request): Promise<RawResponse>
}

async function watch(script: ByteScript): Promise<Served> {
  const upstream = await startByteUpstream(script)
  const watched = await watchRecorder(program, folder, upstream)
  const { url, vertexUrl } = watched
  return { ...watched, upstream, ask: request => rawRequest(request.vertex ? vertexUrl : url, request) }
}

function exchangesIn(cassette: string): number {
  return cassette.match(/^exchange: /gm)?.length ?? 0
}

const generate = { method: 'POST', path: '/v1beta/models/m:generateContent', body: Buffer.from('{}') }

const REQUESTS: readonly (readonly [string, Request])[] = [
  ['x-goog-api-key', { ...generate, headers: { 'x-goog-api-key': KEY } }],
  ['authorization: Bearer', { ...generate, headers: { Authorization: `Bearer ${TOKEN}` } }],
  ['authorization: Token', { ...generate, headers: { authorization: `Token ${EPHEMERAL}` } }],
  ['cookie', { ...generate, headers: { cookie: COOKIE } }],
  ['x-goog-user-project', { ...generate, headers: { 'x-goog-user-project': PROJECT } }],
  ['a field of its own', { ...generate, headers: { 'x-debug': `key is ${KEY}` } }],
  ['?key=', { ...generate, path: `${generate.path}?key=${KEY}` }],
  ['?access_token=', { ...generate, path: `${generate.path}?access_token=${EPHEMERAL}` }],
  [
    '?access_token=, encoded',
    { ...generate, path: `/v1beta/x?access_token=${encodeURIComponent(EPHEMERAL)}` },
  ],
  [
    'the project of a path',
    {
      ...generate,
      path: `/v1beta1/projects/${PROJECT}/locations/us-central1/publishers/p/models/m:x`,
      vertex: true,
    },
  ],
  [
    'the encoded project of a path',
    { ...generate, path: `/v1beta1%2Fprojects%2F${PROJECT}%2Flocations%2Fglobal/interactions`, vertex: true },
  ],
  ['a text', { ...generate, body: Buffer.from(JSON.stringify({ text: `my key is ${KEY}.` })) }],
  [
    'a service account',
    { ...generate, body: Buffer.from(`{"type":"service_account","private_key":"${PEM}"}`) },
  ],
  [
    'a service account in a text',
    { ...generate, body: Buffer.from(JSON.stringify({ text: `{"private_key":"${PEM}"}` })) },
  ],
  [
    'a session handle',
    { ...generate, body: Buffer.from(`{"setup":{"sessionResumption":{"handle":"${HANDLE}"}}}`) },
  ],
  [
    'an ephemeral token',
    { ...generate, path: '/v1alpha/auth_tokens', body: Buffer.from(`{"name":"${EPHEMERAL}"}`) },
  ],
]

function json(body: string): string {
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const ANSWERS: readonly (readonly [string, string])[] = [
  ['set-cookie', `HTTP/1.1 200 OK\r\nSet-Cookie: ${COOKIE}; Path=/\r\nContent-Length: 0\r\n\r\n`],
  ['the reason phrase', `HTTP/1.1 400 Bad key ${KEY}\r\nContent-Length: 0\r\n\r\n`],
  ['a trailer', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Note: ${KEY}\r\n\r\n`],
  ['the error that names it', json(`{"error":{"code":400,"message":"API key ${KEY} is not valid."}}`)],
  ['the ephemeral token that was made', json(`{"name":"${EPHEMERAL}"}`)],
  ['an access token', json(`{"access_token":"${TOKEN}","expires_in":3599}`)],
  ['a session handle', json(`{"sessionResumptionUpdate":{"newHandle":"${HANDLE}","resumable":true}}`)],
  ['a private key', json(`{"private_key":"${PEM}"}`)],
  ['the name of a resource', json(`{"name":"projects/${PROJECT}/locations/global/cachedContents/1"}`)],
]

describe('a credential in a request', () => {
  let watched: Served
  beforeAll(async () => {
    watched = await watch(ok)
  })

  it.each(REQUESTS)('reaches the service and is written nowhere: %s', async (_, request) => {
    const before = watched.upstream.requests.length
    expect((await watched.ask(request)).body.toString()).toBe('{}')
    const seen = watched.upstream.requests[before]?.toString('latin1') ?? ''
    expect(TELLING.some(secret => seen.includes(secret))).toBe(true)
  })

  it('is in nothing that is left', async () => {
    const { code, output, cassette } = await watched.finish()
    expect(code, output).toBe(0)
    expect(exchangesIn(cassette)).toBe(REQUESTS.length)
  })
})

describe('a credential in an answer', () => {
  let watched: Served
  let next = ''
  beforeAll(async () => {
    watched = await watch((_, socket) => {
      socket.write(next)
    })
  })

  it.each(ANSWERS)('reaches the app and is written nowhere: %s', async (_, bytes) => {
    next = bytes
    const { status, complete } = await watched.ask(generate)
    expect([String(status), complete]).toEqual([bytes.slice(9, 12), true])
  })

  it('is in nothing that is left', async () => {
    const { code, output, cassette } = await watched.finish()
    expect(code, output).toBe(0)
    expect(exchangesIn(cassette)).toBe(ANSWERS.length)
  })
})

describe('a credential that is split over two chunks', () => {
  const body = `data: {"text": "${KEY} and ${TOKEN} and ${EPHEMERAL} and", "newHandle": "${HANDLE}", "private_key": "${PEM}"}\n\n`

  it('of an answer is written nowhere, wherever it is split', async () => {
    const progress = new EventEmitter()
    let at = 0
    const watched = await watch(async (_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
      for (const piece of [body.slice(0, at), body.slice(at)]) {
        const relayed = once(progress, 'body')
        socket.write(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`)
        await relayed
      }
      socket.write('0\r\n\r\n')
    })
    for (at = 1; at < body.length; at += 1) {
      const got = await watched.ask({ ...generate, onBody: total => total > 0 && progress.emit('body') })
      expect(got.pieces.map(String)).toEqual([body.slice(0, at), body.slice(at)])
    }
    const { code, output, cassette } = await watched.finish()
    expect(code, output).toBe(0)
    expect(cassette.match(/redacted-api-key-1/g)?.length).toBe(body.length - 1)
  }, 60_000)

  it('of a request is written nowhere, wherever it is split', async () => {
    const watched = await watch(ok)
    const { upstream } = watched
    for (let at = 1; at < body.length; at += 1) {
      async function* pieces(): AsyncGenerator<Buffer> {
        yield Buffer.from(body.slice(0, at))
        while (
          !upstream
            .received()
            .subarray(-at - 10)
            .includes(body.slice(0, at))
        )
          await upstream.more()
        yield Buffer.from(body.slice(at))
      }
      await undiciRequest(`${watched.url}/v1beta/x`, { method: 'POST', body: Readable.from(pieces()) })
    }
    const { code, output, cassette } = await watched.finish()
    expect(code, output).toBe(0)
    expect(cassette.match(/redacted-api-key-1/g)?.length).toBe(body.length - 1)
  }, 60_000)
})

describe('a key that can not be replaced, because it is inside base64', () => {
  const hidden = Buffer.from(`{"key": "${KEY}"}`).toString('base64')

  it('stops the recording, which says where it was and not what; the app gets its answer', async () => {
    const body = `{"data": "${hidden}"}`
    const watched = await watch((_, socket) => {
      socket.write(json(body))
    })
    expect((await watched.ask(generate)).body.toString()).toBe(body)
    const refused = await watched.ask(generate)
    expect(refused.status).toBe(400)
    expect(refused.body.toString()).toContain('WIRETAPE_SECRET')
    const { code, output } = await watched.finish()
    expect(code).toBe(1)
    expect(output).toContain('the response body of exchange 1')
    expect(output).not.toContain(hidden.slice(8, 40))
  })
})

describe('what is planted', () => {
  it('is found by the child where it is written', async () => {
    const upstream = await startByteUpstream(ok)
    const child = program.start(['record', join(folder, 'found.cassette.yaml'), upstream.url], {
      TEST_SECRETS: JSON.stringify(['not-a-secret']),
    })
    const listening = await child.line()
    await rawRequest(String(listening?.['url']), { ...generate, headers: { 'x-a': 'not-a-secret' } }).catch(
      () => undefined,
    )
    const { code } = await child.finish()
    await upstream.close()
    expect(code).toBe(70)
  })
})
