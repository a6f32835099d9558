/** How a recorded socket comes about, or does not: routes, fields, refusals, proxies, and how a recording ends. */
import { once } from 'node:events'
import { rm, mkdir, readFile } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadCassette } from '../../src/store/load.ts'
import { startByteUpstream, type ByteScript } from '../peers/byte-upstream.ts'
import { HANDSHAKE, openFrames, startFrameUpstream, TEXT, type FrameUpstream } from '../peers/frames.ts'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'
import { rawRequest, type RawResponse } from '../peers/raw-client.ts'
import { clientOf, disposing, joined, only, passed, PATH, recordingOf, served } from './socket-recording.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const ROUTE = '/ws/google.ai.generativelanguage'
const VERTEX = '/ws/google.cloud.aiplatform'

/** Asks for a socket where none is to be had. */
function ask(
  origin: string,
  headers: Readonly<Record<string, string>> = {},
  path = PATH,
): Promise<RawResponse> {
  return rawRequest(origin, { method: 'GET', path, headers: { ...HANDSHAKE, ...headers } })
}

async function bytesUpstream(script: ByteScript) {
  return disposing(await startByteUpstream(script))
}

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createHttpServer()
  const url = await listenOnLoopback(server)
  await closeServer(server)
  return Number(new URL(url).port)
}

describe('a request for a socket', () => {
  it.each([
    `${ROUTE}.v1beta.GenerativeService.BidiGenerateContent`,
    `/${ROUTE}.v1beta.GenerativeService.BidiGenerateContent?key=abc`,
    `/${ROUTE}.v1alpha.GenerativeService.BidiGenerateContentConstrained?access_token=auth_tokens/abcdefgh`,
    `${ROUTE}.v1.GenerativeService.BidiGenerateMusic`,
    `${VERTEX}.v1beta1.LlmBidiService/BidiGenerateContent`,
    `/${VERTEX}.v1.LlmBidiService%2FBidiGenerateContent`,
    '/some/other/socket?a=%20&b=../c',
    '/',
  ])('is taken on both ports, with its path as it is: %s', async path => {
    const { upstream, recording } = await served(socket => socket.close(1000))
    for (const [index, origin] of [recording.server.url, recording.server.vertexUrl].entries()) {
      const client = clientOf(origin.replace('http', 'ws'), {
        finishRequest(request) {
          request.path = path
          request.end()
        },
      })
      await once(client, 'close')
      expect(upstream.requests[index]?.url).toBe(path)
    }
    await recording.finished(2)
    await recording.server.close()
    const { cassette } = await loadCassette(recording.file)
    const exchanges = cassette.documents.flatMap(one => (one.type === 'exchange' ? [one.exchange] : []))
    expect(exchanges.map(({ exchange, messages }) => [exchange, messages?.length])).toEqual([
      ['live', 1],
      ['live', 1],
    ])
    const secretless = path.replace(/abc(defgh)?/, match =>
      match === 'abc' ? 'redacted-api-key-1' : 'redacted-auth-token-1',
    )
    expect(exchanges[0]?.request.url).toBe(`${upstream.url.replace('http', 'ws')}${secretless}`)
  })

  it('goes out with all fields that travel end to end, and with none of the connection', async () => {
    let asked = ''
    const upstream = disposing(
      await startFrameUpstream({
        before: head => {
          asked = head
        },
        fields: 'X-Twice: 1\r\nx-twice: 2\r\nX-Latin: caf\xc3\xa9\r\nDate: today\r\n',
      }),
    )
    const recording = await recordingOf(`${upstream.url}/behind/`)
    const client = await openFrames(`${recording.server.url}/x?key=secret-in-query`, {
      Authorization: 'Bearer of-a-secret',
      'x-goog-api-key': 'secret-in-field',
      'X-Twice': ['a', 'b'],
      Origin: 'http://localhost:5173',
      'Sec-WebSocket-Extensions': 'permessage-deflate',
      'accept-encoding': 'gzip',
      'keep-alive': 'timeout=1',
    })
    client.connection.destroy()
    const { host } = new URL(upstream.url)
    expect(asked).toMatch(/^GET \/behind\/x\?key=secret-in-query HTTP\/1\.1\r\n/)
    const fields = asked
      .split('\r\n')
      .slice(1, -1)
      .map(line => line.replace(/^Sec-WebSocket-Key: .*/, 'KEY'))
    expect(fields.toSorted()).toEqual(
      [
        'Authorization: Bearer of-a-secret',
        'Connection: Upgrade',
        `Host: ${host}`,
        'KEY',
        'Origin: http://localhost:5173',
        'Sec-WebSocket-Version: 13',
        'Upgrade: websocket',
        'X-Twice: a',
        'X-Twice: b',
        'accept-encoding: identity',
        'x-goog-api-key: secret-in-field',
      ].toSorted(),
    )
    expect(client.head).toContain('X-Twice: 1\r\nx-twice: 2\r\nX-Latin: caf\xc3\xa9\r\nDate: today\r\n')
    expect(client.head).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n')
    expect(client.head.toLowerCase()).not.toContain('extensions')
    await recording.finished(1)
    expect(JSON.stringify(only(recording))).not.toContain('secret-in')
    expect(JSON.stringify(only(recording))).not.toContain('of-a-secret')
  })

  it.each([
    { offers: 'one, two', answers: 'two' },
    { offers: 'one', answers: undefined },
    { offers: undefined, answers: undefined },
  ])('has the subprotocol that the service chose: of $offers, $answers', async ({ offers, answers }) => {
    const fields = answers === undefined ? '' : `Sec-WebSocket-Protocol: ${answers}\r\n`
    const upstream = disposing(await startFrameUpstream({ fields }))
    const recording = await recordingOf(upstream.url)
    const client = await openFrames(
      `${recording.server.url}${PATH}`,
      offers === undefined ? {} : { 'Sec-WebSocket-Protocol': offers },
    )
    const service = await upstream.opened(1)
    expect(/^sec-websocket-protocol: (.*)$/im.exec(service.head)?.[1]?.trim()).toBe(offers)
    expect(/^sec-websocket-protocol: (.*)$/im.exec(client.head)?.[1]?.trim()).toBe(answers)
    client.connection.destroy()
  })

  it('is answered when the service has answered it, not before', async () => {
    let answer: () => void = () => {}
    const asked = new Promise<void>(resolve => {
      answer = resolve
    })
    const upstream = disposing(await startFrameUpstream({ before: () => asked }))
    const recording = await recordingOf(upstream.url)
    const order: string[] = []
    const opening = openFrames(`${recording.server.url}${PATH}`).then(client => {
      order.push('open')
      client.connection.destroy()
    })
    while (recording.server.progress().open === 0) await new Promise(resolve => setImmediate(resolve))
    for (let turn = 0; turn < 50; turn += 1) await new Promise(resolve => setImmediate(resolve))
    order.push('answered')
    answer()
    await opening
    expect(order).toEqual(['answered', 'open'])
  })

  it('that its client gives up is given up', async () => {
    const upstream = await bytesUpstream(() => {})
    const recording = await recordingOf(upstream.url)
    const { port, host, hostname } = new URL(recording.server.url)
    const socket = connect(Number(port), hostname)
    const fields = Object.entries({ host, ...HANDSHAKE }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${PATH} HTTP/1.1\r\n${fields.join('')}\r\n`)
    await upstream.more()
    socket.resetAndDestroy()
    await upstream.closed(1)
    await recording.finished(1)
    expect(recording.exchanges).toMatchObject([{ status: undefined, outcome: 'client-abort' }])
    expect([only(recording).response, only(recording).socket]).toEqual([undefined, undefined])
  })

  it('that no socket can come of is relayed as any other request', async () => {
    const upstream = await bytesUpstream((_, socket) => {
      socket.write('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 4\r\n\r\nwhat')
    })
    const recording = await recordingOf(upstream.url)
    const { status, body } = await ask(recording.server.url, { 'sec-websocket-version': '7' })
    expect([status, body.toString()]).toEqual([426, 'what'])
    expect(upstream.requests[0]?.toString()).not.toMatch(/^upgrade:/im)
    expect(only(recording).request.url).toBe(`${upstream.url}${PATH.replace('none', 'redacted-api-key-1')}`)
  })

  it.each(['example.com', '127.0.0.1.example.com'])('of a page that calls us %s is refused', async host => {
    const { upstream, recording } = await served()
    const { status } = await ask(recording.server.url, { host })
    expect([status, upstream.requests.length, recording.journalled().length]).toEqual([400, 0, 0])
  })
})

describe('a socket that is refused', () => {
  const body = '{\n  "error": {\n    "code": 403,\n    "message": "süß"\n  }\n}\n'

  it('is refused with the status, the reason, the fields and the bytes of the service, which are recorded', async () => {
    const upstream = await bytesUpstream((_, socket) => {
      socket.write(
        'HTTP/1.1 403 Not Today\r\nContent-Type: application/json\r\nX-Twice: a\r\nX-Twice: b\r\n' +
          `Set-Cookie: SID=1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    })
    const recording = await recordingOf(upstream.url)
    const got = await ask(recording.server.url)
    expect([got.status, got.reason, got.body.toString(), got.complete]).toEqual([
      403,
      'Not Today',
      body,
      true,
    ])
    expect(got.headers).toEqual([
      ['Content-Type', 'application/json'],
      ['X-Twice', 'a'],
      ['X-Twice', 'b'],
      ['Set-Cookie', 'SID=1'],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Connection', 'close'],
    ])
    await recording.finished(1)
    const { response, socket, end } = only(recording)
    expect([response?.status, response?.reason, socket, end.how]).toEqual([
      403,
      'Not Today',
      undefined,
      undefined,
    ])
    expect(Buffer.concat(response?.chunks.map(({ bytes }) => bytes) ?? []).toString()).toBe(body)
    expect(recording.exchanges).toMatchObject([
      { dialect: 'live', status: 403, bytes: Buffer.byteLength(body), outcome: 'complete' },
    ])
    await upstream.closed(1)
    await recording.server.close()
    expect(await readFile(recording.file, 'utf8')).toMatch(/^exchange: live\nat: .*\nrequest:\n  url: ws:/m)
  })

  it.each([
    [
      'in chunks',
      'HTTP/1.1 429 Too Many\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n',
      'abc',
    ],
    ['without a body', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n', ''],
    ['elsewhere', 'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n', ''],
    ['with a 200', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'ok'],
  ])('is refused so: %s', async (_, answer, seen) => {
    const upstream = await bytesUpstream((__, socket) => {
      socket.write(answer)
    })
    const recording = await recordingOf(upstream.url)
    const got = await ask(recording.server.url)
    expect([got.status, got.body.toString(), got.complete]).toEqual([Number(answer.slice(9, 12)), seen, true])
    await recording.finished(1)
    expect(only(recording).response?.status).toBe(got.status)
  })

  it('in a compressed answer has it as it was, and recorded as it reads', async () => {
    const packed = gzipSync(body)
    const upstream = await bytesUpstream((_, socket) => {
      socket.write(
        `HTTP/1.1 403 Forbidden\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`,
      )
      socket.write(packed)
    })
    const recording = await recordingOf(upstream.url)
    expect((await ask(recording.server.url)).body.equals(packed)).toBe(true)
    await recording.finished(1)
    const chunks = only(recording).response?.chunks.map(({ bytes }) => bytes) ?? []
    expect(Buffer.concat(chunks).toString()).toBe(body)
  })

  it('in an answer of three thousand fields has all of them', async () => {
    const fields = Array.from({ length: 3_000 }, (_, index) => `X-${index}: ${index}\r\n`).join('')
    const upstream = await bytesUpstream((_, socket) => {
      socket.write(`HTTP/1.1 403 Forbidden\r\n${fields}Content-Length: 0\r\n\r\n`)
    })
    const recording = await recordingOf(upstream.url)
    expect((await ask(recording.server.url)).headers).toContainEqual(['X-2999', '2999'])
  })

  it('in an answer that is cut is cut', async () => {
    const upstream = await bytesUpstream((_, socket) => {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 9\r\n\r\nhalf')
    })
    const recording = await recordingOf(upstream.url)
    const got = await ask(recording.server.url)
    expect([got.status, got.body.toString(), got.complete]).toEqual([403, 'half', false])
    await recording.finished(1)
    expect(only(recording).end.how).toBe('upstream-reset')
  })
})

describe('a service of sockets that is away', () => {
  it('is named at once, in a way that no SDK retries', async () => {
    const port = await freePort()
    const recording = await recordingOf(`http://127.0.0.1:${port}`)
    const got = await ask(recording.server.url)
    expect(got.status).toBe(400)
    expect(JSON.parse(got.body.toString())).toMatchObject({
      error: {
        status: 'FAILED_PRECONDITION',
        message: expect.stringMatching(new RegExp(`127\\.0\\.0\\.1:${port}.*ECONNREFUSED`, 's')),
        details: [{ reason: 'WIRETAPE_UPSTREAM' }],
      },
    })
    const { response, socket, end } = only(recording)
    expect([response, socket, end.how]).toEqual([undefined, undefined, 'upstream-error'])
    expect(recording.exchanges).toMatchObject([
      { status: undefined, outcome: 'upstream-error', cause: expect.stringContaining('ECONNREFUSED') },
    ])
  })

  it('is given up on when it takes the connection and then says nothing', async () => {
    const deaf = await bytesUpstream(() => {})
    const recording = await recordingOf(deaf.url.replace('http:', 'https:'))
    const got = await ask(recording.server.url)
    expect([got.status, got.body.toString()]).toEqual([
      400,
      expect.stringContaining('UND_ERR_CONNECT_TIMEOUT'),
    ])
    expect(only(recording).request.url).toMatch(/^wss:/)
  })

  it('is passed on as it is, where it cuts the connection instead of answering', async () => {
    const upstream = await bytesUpstream((_, socket) => void socket.resetAndDestroy())
    const recording = await recordingOf(upstream.url)
    await expect(ask(recording.server.url)).rejects.toThrow()
    await recording.finished(1)
    expect(only(recording).end.how).toBe('upstream-reset')
  })

  it.each([
    ['no HTTP', 'what?\r\n\r\n'],
    ['of a reason that HTTP can not say', 'HTTP/1.1 403 a\x07b\r\nContent-Length: 0\r\n\r\n'],
    [
      'no right answer to the handshake',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n',
    ],
  ])('is explained where it speaks %s', async (_, answer) => {
    const upstream = await bytesUpstream((__, socket) => {
      socket.write(answer)
    })
    const recording = await recordingOf(upstream.url)
    const got = await ask(recording.server.url)
    expect([got.status, got.body.toString()]).toEqual([400, expect.stringContaining('WIRETAPE_UPSTREAM')])
    await recording.finished(1)
    expect(only(recording).end.how).toBe('upstream-error')
  })
})

describe('a proxy that the environment names', () => {
  /** A proxy that makes every tunnel lead to one port. */
  async function tunnelTo(origin: string, status = '200 Connection Established') {
    const asked: IncomingMessage[] = []
    const server = createHttpServer()
    const clients: Duplex[] = []
    server.on('connect', (request: IncomingMessage, client: Duplex) => {
      asked.push(request)
      clients.push(client)
      client.on('error', () => {})
      client.write(`HTTP/1.1 ${status}\r\n\r\n`)
      if (!status.startsWith('200')) return
      const service = connect(Number(new URL(origin).port), '127.0.0.1')
      client.pipe(service).pipe(client)
      service.on('error', () => client.destroy())
      client.on('close', () => service.destroy())
    })
    const url = await listenOnLoopback(server)
    disposing({
      close() {
        for (const client of clients) client.destroy()
        return closeServer(server)
      },
    })
    return { host: new URL(url).host, asked }
  }

  async function talk(upstream: FrameUpstream, service: string): Promise<readonly string[]> {
    const recording = await recordingOf(service)
    const client = await openFrames(`${recording.server.url}${PATH}`)
    client.send(TEXT, 'hello')
    await (await upstream.opened(1)).until(1)
    const seen = passed(recording)
    client.connection.destroy()
    await recording.finished(1)
    return seen
  }

  it('is the way to the service, and is told who asks', async () => {
    const upstream = disposing(await startFrameUpstream())
    const proxy = await tunnelTo(upstream.url)
    vi.stubEnv('http_proxy', `http://us%65r:pass@${proxy.host}`)
    expect(await talk(upstream, 'http://service.example')).toEqual(['client text hello', 'truncated'])
    expect(
      proxy.asked.map(({ url, headers }) => [url, headers.host, headers['proxy-authorization']]),
    ).toEqual([
      ['service.example:80', 'service.example', `Basic ${Buffer.from('user:pass').toString('base64')}`],
    ])
    expect(upstream.peers[0]?.head).toMatch(/^host: service\.example\r$/im)
    expect(upstream.peers[0]?.head).not.toContain('Basic')
  })

  it('is not asked for a service on this machine, nor for one that is excepted', async () => {
    const upstream = disposing(await startFrameUpstream())
    vi.stubEnv('http_proxy', `http://127.0.0.1:${await freePort()}`)
    expect(await talk(upstream, upstream.url)).toEqual(['client text hello', 'truncated'])
  })

  it('that is away is as a service that is away', async () => {
    vi.stubEnv('http_proxy', `http://127.0.0.1:${await freePort()}`)
    const recording = await recordingOf('http://service.example')
    const got = await ask(recording.server.url)
    expect([got.status, got.body.toString()]).toEqual([400, expect.stringContaining('ECONNREFUSED')])
  })

  it('that refuses is as a service that is away', async () => {
    const proxy = await tunnelTo('http://127.0.0.1:1', '407 Who Are You')
    vi.stubEnv('https_proxy', `http://${proxy.host}`)
    const recording = await recordingOf('https://service.example')
    const got = await ask(recording.server.url)
    expect([got.status, got.body.toString()]).toEqual([
      400,
      expect.stringContaining('answered 407 to CONNECT'),
    ])
    expect(proxy.asked[0]?.url).toBe('service.example:443')
  })
})

describe('closing a recording', () => {
  it('lets open sockets end in their time', async () => {
    const { recording, client, service } = await joined()
    const closing = recording.server.close({ graceMs: 60_000 })
    client.send(TEXT, 'still here')
    await service.until(1)
    service.connection.end()
    client.connection.end()
    expect(await closing).toMatchObject({ exchanges: 1, truncated: 0 })
    expect(recording.exchanges).toMatchObject([{ outcome: expect.stringMatching(/abort|reset/) }])
  })

  it('cuts those that do not end, and counts them while they are open', async () => {
    const { recording, client, service } = await joined()
    service.send(TEXT, 'twelve bytes')
    await client.until(1)
    expect(recording.server.progress()).toEqual({ open: 1, finished: 0, bytes: 12 })
    expect(await recording.server.close({ graceMs: 0 })).toMatchObject({ exchanges: 1, truncated: 1 })
    await Promise.all([client.ended(), service.ended()])
    expect(recording.server.progress()).toEqual({ open: 0, finished: 1, bytes: 12 })
    expect(await readFile(recording.file, 'utf8')).toMatch(/twelve bytes\nend: \{ at: \d+, how: truncated \}/)
  })

  it('takes a socket that was closed for complete, although its connection is still there', async () => {
    const { recording, client, service } = await joined()
    service.send(8, Buffer.of(0x03, 0xe8))
    await client.until(1)
    expect(await recording.server.close({ graceMs: 0 })).toMatchObject({ exchanges: 1, truncated: 0 })
    expect(recording.exchanges).toMatchObject([{ outcome: 'complete' }])
  })

  it('cuts those that are not open yet', async () => {
    const upstream = await bytesUpstream(() => {})
    const recording = await recordingOf(upstream.url)
    const asked = ask(recording.server.url)
    await upstream.more()
    expect(await recording.server.close({ graceMs: 0 })).toMatchObject({ truncated: 1 })
    await expect(asked).rejects.toThrow()
  })
})

describe('a recording of sockets that fails', () => {
  it('relays what is open to its end, takes nothing new, and says why', async () => {
    const { recording, client, service } = await joined()
    client.send(TEXT, 'written')
    await service.until(1)
    const key = ['AI', 'zaSyD-planted0123456789abcdefghijklmn'].join('')
    client.send(TEXT, `{"data": "${Buffer.from(`{"key": "${key}"}`).toString('base64')}"}`)
    service.send(TEXT, 'not written')
    await Promise.all([service.until(2), client.until(1)])
    const refused = await ask(recording.server.url)
    expect([refused.status, refused.body.toString()]).toEqual([
      400,
      expect.stringContaining('WIRETAPE_SECRET'),
    ])
    client.connection.end()
    await service.ended()
    service.connection.end()
    await recording.finished(1)
    await expect(recording.server.failed).rejects.toMatchObject({
      code: 'WIRETAPE_SECRET',
      message: expect.stringContaining('a message of the client'),
    })
    await expect(recording.server.close()).rejects.toMatchObject({ code: 'WIRETAPE_SECRET' })
    expect(passed(recording)).toEqual(['client text written', 'truncated'])
  })

  it('because the journal can not be written does the same', async () => {
    const { recording, client, service } = await joined()
    await rm(recording.folder, { recursive: true })
    const refused = await ask(recording.server.url)
    await mkdir(recording.folder)
    expect(refused.body.toString()).toContain('WIRETAPE_WRITE')
    client.send(TEXT, 'hello')
    expect(await service.until(1)).toHaveLength(1)
    await expect(recording.server.close({ graceMs: 0 })).rejects.toMatchObject({ code: 'WIRETAPE_WRITE' })
  })
})

describe('a socket beside HTTP', () => {
  it('is in the same cassette, in order of start', async () => {
    const { recording, url } = await served(socket => socket.close(1000))
    await rawRequest(recording.server.url, { method: 'GET', path: '/first' })
    await once(clientOf(url), 'close')
    await rawRequest(recording.server.url, { method: 'GET', path: '/third' })
    await recording.finished(3)
    expect(await recording.server.close()).toMatchObject({ exchanges: 3 })
    const { cassette } = await loadCassette(recording.file)
    expect(
      cassette.documents.map(one => (one.type === 'exchange' ? one.exchange.exchange : one.type)),
    ).toEqual(['header', 'unknown', 'live', 'unknown'])
  })
})
