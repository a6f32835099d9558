/** What the app gets through the recording proxy is what the service sent, and the journal has it first. */
import { connect } from 'node:net'
import { request as httpRequest } from 'node:http'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { request as undiciRequest } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import type { WireExchange } from '../../src/wire/exchange.ts'
import { startByteUpstream, type ByteScript, type ByteUpstream } from '../peers/byte-upstream.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { startRecording, type Recording } from '../peers/recording.ts'

const disposals: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const dispose of disposals.splice(0).toReversed()) await dispose()
})

async function start(script: ByteScript): Promise<{ upstream: ByteUpstream; recording: Recording }> {
  const upstream = await startByteUpstream(script)
  disposals.push(() => upstream.close())
  const recording = await startRecording(upstream.url)
  disposals.push(() => recording.dispose())
  return { upstream, recording }
}

async function only(recording: Recording): Promise<WireExchange> {
  await recording.finished(1)
  const [exchange] = recording.journalled()
  if (exchange === undefined) throw new Error('no exchange was journalled')
  return exchange
}

function bodyOf(exchange: WireExchange): string {
  return Buffer.concat(exchange.response?.chunks.map(chunk => chunk.bytes) ?? []).toString()
}

const says =
  (...texts: readonly (string | Uint8Array)[]): ByteScript =>
  (_, socket) => {
    for (const text of texts) socket.write(text)
  }

describe('an answer through the proxy', () => {
  it('has the status, the reason phrase and the fields that the service sent, as it spelled them', async () => {
    const { recording } = await start(
      says(
        'HTTP/1.1 429 Slow Down Please\r\nContent-Type: application/json\r\nX-Twice: a\r\nx-twice: b\r\n' +
          'Server-Timing: gfet4t7; dur=12\r\nX-LATIN: caf\xe9\r\nContent-Length: 2\r\nKeep-Alive: timeout=9\r\n' +
          'Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\n\r\n{}',
      ),
    )
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    expect([got.status, got.reason]).toEqual([429, 'Slow Down Please'])
    expect(got.headers.filter(([name]) => name !== 'Connection')).toEqual([
      ['Content-Type', 'application/json'],
      ['X-Twice', 'a'],
      ['x-twice', 'b'],
      ['Server-Timing', 'gfet4t7; dur=12'],
      ['X-LATIN', Buffer.from('caf\xe9', 'utf8').toString('latin1')],
      ['Content-Length', '2'],
    ])
    expect(got.body.toString()).toBe('{}')
    const exchange = await only(recording)
    expect(exchange.response?.reason).toBe('Slow Down Please')
    expect(exchange.end.how).toBe(undefined)
  })

  it('comes chunk by chunk, each when the service sends it', async () => {
    let release: () => void = () => {}
    const { recording } = await start(async (_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      for (const piece of ['data: 1\r\n\r\n', 'da', 'ta: 2\r\n\r\n']) {
        socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
        await new Promise<void>(resolve => (release = resolve))
      }
      socket.write('0\r\n\r\n')
    })
    const got = await rawRequest(recording.server.url, {
      method: 'POST',
      path: '/v1beta/models/m:streamGenerateContent?alt=sse',
      body: Buffer.from('{}'),
      onBody: () => release(),
    })
    expect(got.pieces.map(String)).toEqual(['data: 1\r\n\r\n', 'da', 'ta: 2\r\n\r\n'])
    const { response } = await only(recording)
    expect(response?.chunks.map(chunk => Buffer.from(chunk.bytes).toString())).toEqual(got.pieces.map(String))
  })

  it('keeps its trailers', async () => {
    const { recording } = await start(
      says('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Sum: 7\r\n\r\n'),
    )
    const trailers = await new Promise(resolve => {
      httpRequest(`${recording.server.url}/v1beta/x`, response => {
        response.resume().on('end', () => resolve(response.rawTrailers))
      }).end()
    })
    expect(trailers).toEqual(['X-Sum', '7'])
    expect((await only(recording)).response?.trailers).toEqual([['X-Sum', '7']])
  })

  it.each([
    ['HEAD', '200 OK', 'Content-Length: 5\r\n'],
    ['GET', '204 No Content', ''],
    ['GET', '304 Not Modified', 'ETag: "x"\r\n'],
  ])('may have no body: %s, %s', async (method, status, fields) => {
    const { recording } = await start(says(`HTTP/1.1 ${status}\r\n${fields}\r\n`))
    const { statusCode, headers } = await undiciRequest(`${recording.server.url}/v1beta/models`, {
      method: method === 'HEAD' ? 'HEAD' : 'GET',
    })
    expect(statusCode).toBe(Number(status.slice(0, 3)))
    if (method === 'HEAD') expect(headers['content-length']).toBe('5')
    expect((await only(recording)).response?.chunks).toEqual([])
  })

  it('passes over what comes before it', async () => {
    const { recording } = await start(
      says('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    )
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    expect([got.status, got.body.toString()]).toEqual([200, 'ok'])
    expect((await only(recording)).response?.status).toBe(200)
  })

  it('ends where a body without a length ends', async () => {
    const { recording } = await start((_, socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end')
    })
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    expect([got.body.toString(), got.complete]).toEqual(['until the end', true])
    expect((await only(recording)).end.how).toBe(undefined)
  })

  it.each([
    ['gzip', gzipSync('{"a": "compressed"}')],
    ['br', brotliCompressSync('{"a": "compressed"}')],
    ['deflate', deflateSync('{"a": "compressed"}')],
    ['gzip, br', brotliCompressSync(gzipSync('{"a": "compressed"}'))],
  ])(
    'that is compressed all the same (%s) is relayed as it is and recorded as what it means',
    async (encoding, body) => {
      const { recording } = await start(
        says(
          `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`,
          body,
        ),
      )
      const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
      expect(got.body).toEqual(body)
      expect(bodyOf(await only(recording))).toBe('{"a": "compressed"}')
    },
  )

  it('that is compressed as it streams is recorded event by event', async () => {
    let release: () => void = () => {}
    const { recording } = await start(async (_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n')
      const gzip = createGzip()
      gzip.on('data', (piece: Buffer) => {
        socket.write(`${piece.length.toString(16)}\r\n`)
        socket.write(piece)
        socket.write('\r\n')
      })
      for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
        const arrived = new Promise<void>(resolve => (release = resolve))
        gzip.write(event)
        gzip.flush()
        await arrived
      }
      gzip.end(() => socket.write('0\r\n\r\n'))
    })
    let last = 0
    await rawRequest(recording.server.url, {
      method: 'GET',
      path: '/v1beta/models',
      onBody(total) {
        // The ten bytes of a gzip head come on their own.
        if (total > Math.max(last, 10)) release()
        last = total
      },
    })
    const { response } = await only(recording)
    expect(response?.chunks.map(chunk => Buffer.from(chunk.bytes).toString())).toEqual([
      'data: 1\n\n',
      'data: 2\n\n',
    ])
  })

  it('that is not compressed as it says stops the recording, not the app', async () => {
    const { recording } = await start(
      says('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!'),
    )
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    expect(got.body.toString()).toBe('not gzip!')
    await expect(recording.server.close()).rejects.toMatchObject({ code: 'WIRETAPE_PROTOCOL' })
  })

  it('whose compression no one knows stops the recording, not the app', async () => {
    const { recording } = await start(
      says('HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 4\r\n\r\n????'),
    )
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    expect(got.body.toString()).toBe('????')
    await expect(recording.server.failed).rejects.toMatchObject({ code: 'WIRETAPE_PROTOCOL' })
    await expect(recording.server.close()).rejects.toMatchObject({ code: 'WIRETAPE_PROTOCOL' })
  })
})

describe('a request through the proxy', () => {
  const ok = says('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')

  it('reaches the service as it was sent, but for its host and what it accepts compressed', async () => {
    const { upstream, recording } = await start(ok)
    await rawRequest(recording.server.url, {
      method: 'POST',
      path: '/v1beta//models/m:x?a=%2F&b',
      headers: { 'X-Odd-Case': 'v', 'Accept-Encoding': 'gzip', 'x-goog-api-key': 'k' },
      body: Buffer.from('{"a":1}'),
    })
    const text = upstream.requests[0]?.toString('latin1') ?? ''
    expect(text).toMatch(/^POST \/v1beta\/\/models\/m:x\?a=%2F&b HTTP\/1\.1\r\n/)
    expect(text).toContain(`host: ${new URL(upstream.url).host}\r\n`)
    expect(text).toContain('X-Odd-Case: v\r\n')
    expect(text).toContain('x-goog-api-key: k\r\n')
    expect(text).toContain('accept-encoding: identity\r\n')
    expect(text).not.toMatch(/gzip/)
    expect(text).toMatch(/content-length: 7\r\n/i)
    expect(text.endsWith('\r\n\r\n{"a":1}')).toBe(true)
    expect((await only(recording)).request.url).toBe(`${upstream.url}/v1beta//models/m:x?a=%2F&b`)
  })

  it.each(['GET', 'DELETE', 'POST', 'HEAD', 'OPTIONS', 'PATCH'])(
    'has no body where %s had none',
    async method => {
      const { upstream, recording } = await start(ok)
      await rawRequest(recording.server.url, { method, path: '/v1beta/x' })
      expect(upstream.requests[0]?.toString()).not.toMatch(/transfer-encoding/i)
      expect((await only(recording)).request).toMatchObject({ method, body: undefined })
    },
  )

  it('is streamed: a large upload arrives whole, and is recorded whole', async () => {
    const { upstream, recording } = await start(ok)
    const body = Buffer.alloc(3_000_000, 'wiretape ')
    await fetch(`${recording.server.url}/upload/v1beta/files`, { method: 'POST', body })
    expect(upstream.requests[0]?.subarray(-body.length).equals(body)).toBe(true)
    expect(Buffer.from((await only(recording)).request.body ?? []).equals(body)).toBe(true)
  })

  it('may be sent in chunks of unknown number', async () => {
    const { upstream, recording } = await start(ok)
    const body = new ReadableStream({
      start(controller) {
        for (const part of ['one ', 'two ', 'three']) controller.enqueue(Buffer.from(part))
        controller.close()
      },
    })
    await fetch(`${recording.server.url}/v1beta/x`, { method: 'POST', body, duplex: 'half' })
    expect(upstream.requests[0]?.toString()).toMatch(/transfer-encoding: chunked/i)
    expect(Buffer.from((await only(recording)).request.body ?? []).toString()).toBe('one two three')
  })

  it('that is compressed is relayed as it is and recorded as what it means', async () => {
    const { upstream, recording } = await start(ok)
    const body = gzipSync('{"secret": "no"}')
    await rawRequest(recording.server.url, {
      method: 'POST',
      path: '/v1beta/x',
      headers: { 'content-encoding': 'gzip' },
      body,
    })
    expect(upstream.requests[0]?.subarray(-body.length)).toEqual(body)
    const { request } = await only(recording)
    expect(Buffer.from(request.body ?? []).toString()).toBe('{"secret": "no"}')
    expect(request.headers.map(([name]) => name.toLowerCase())).not.toContain('content-encoding')
  })

  it('may wait for a 100 Continue: curl does before a large body', async () => {
    const { upstream, recording } = await start(ok)
    const body = 'x'.repeat(100_000)
    const options = '-sS --noproxy * -o /dev/null -w %{http_code} -H expect:100-continue --data-binary'
    const { stdout } = await promisify(execFile)('curl', [
      ...options.split(' '),
      body,
      `${recording.server.url}/v1beta/x`,
    ])
    expect(stdout).toBe('200')
    expect(upstream.requests[0]?.toString('latin1')).not.toMatch(/^expect:/im)
  })

  it('can be answered before it has been sent, and the connection goes on', async () => {
    const { recording } = await start((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    })
    for (const _ of [1, 2]) {
      const answer = await undiciRequest(`${recording.server.url}/v1beta/x`, {
        method: 'POST',
        body: Buffer.alloc(300_000, 'a'),
      })
      expect(await answer.body.text()).toBe('ok')
    }
    await recording.finished(2)
    expect(recording.exchanges.map(({ outcome }) => outcome)).toEqual(['complete', 'complete'])
  })
})

describe('a connection that breaks', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'

  it('in mid-answer breaks for the app too, after what had come', async () => {
    const { recording } = await start((_, socket) => {
      socket.write(`${head}b\r\ndata: 1\r\n\r\n\r\n`, () => socket.resetAndDestroy())
    })
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/x' })
    expect([got.body.toString(), got.complete]).toEqual(['data: 1\r\n\r\n', false])
    const exchange = await only(recording)
    expect([bodyOf(exchange), exchange.end.how]).toEqual(['data: 1\r\n\r\n', 'upstream-reset'])
  })

  it('short of its content-length is a reset', async () => {
    const { recording } = await start((_, socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')
    })
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/x' })
    expect([got.body.toString(), got.complete]).toEqual(['abc', false])
    expect((await only(recording)).end.how).toBe('upstream-reset')
  })

  it('before an answer breaks for the app too', async () => {
    const { recording } = await start((_, socket) => {
      socket.resetAndDestroy()
    })
    await expect(rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/x' })).rejects.toThrow()
    const exchange = await only(recording)
    expect([exchange.response, exchange.end.how]).toEqual([undefined, 'upstream-reset'])
  })

  it('by what is no HTTP is explained', async () => {
    const { recording } = await start(says('SSH-2.0-OpenSSH_9.6\r\n'))
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/x' })
    expect(got.status).toBe(400)
    expect((await only(recording)).end.how).toBe('upstream-error')
  })

  it('by the app breaks to the service', async () => {
    const { upstream, recording } = await start(says(`${head}b\r\ndata: 1\r\n\r\n\r\n`))
    const { hostname, port, host } = new URL(recording.server.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /v1beta/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    let text = ''
    for await (const bytes of socket) {
      text += String(bytes)
      if (text.includes('data: 1')) break
    }
    await upstream.closed(1)
    const exchange = await only(recording)
    expect([bodyOf(exchange), exchange.end.how]).toEqual(['data: 1\r\n\r\n', 'client-abort'])
  })

  it('by the app in mid-request breaks to the service', async () => {
    const { upstream, recording } = await start(() => {})
    const { hostname, port, host } = new URL(recording.server.url)
    const socket = connect(Number(port), hostname)
    socket.write(`POST /v1beta/x HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\nabc`)
    while (recording.server.progress().open === 0) await new Promise(resolve => setImmediate(resolve))
    socket.destroy()
    await upstream.closed(1)
    const exchange = await only(recording)
    expect([exchange.response, exchange.end.how]).toEqual([undefined, 'client-abort'])
  })
})
