/** What the recording proxy promises as a whole: what it takes, where it sends it, how it stops. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { basename, join } from 'node:path'
import { request as undiciRequest } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRecordServer, type RecordServerOptions } from '../../src/serve/record-server.ts'
import { startByteUpstream, type ByteScript, type ByteUpstream } from '../peers/byte-upstream.ts'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { startRecording, type Recording } from '../peers/recording.ts'

const disposals: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const dispose of disposals.splice(0).toReversed()) await dispose()
})

async function upstreamOf(script: ByteScript): Promise<ByteUpstream> {
  const upstream = await startByteUpstream(script)
  disposals.push(() => upstream.close())
  return upstream
}

async function recordingOf(upstream: string, options: Partial<RecordServerOptions> = {}): Promise<Recording> {
  const recording = await startRecording(upstream, options)
  disposals.push(() => recording.dispose())
  return recording
}

const ok: ByteScript = (_, socket) => {
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
}
const open: ByteScript = (_, socket) => {
  socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n1\n\r\n')
}
const details = (body: Buffer): unknown => JSON.parse(body.toString('utf8'))

/** The base URL of a service that is gone. */
async function goneService(): Promise<string> {
  const server = createHttpServer()
  const url = await listenOnLoopback(server)
  await closeServer(server)
  return url
}

describe('a service that is away', () => {
  it('makes no cassette, and leaves the older one and no journal, where no request reached it', async () => {
    const service = await goneService()
    const recording = await recordingOf(service, { existing: 'overwrite' })
    await writeFile(recording.file, 'older')
    await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    await expect(recording.server.close()).rejects.toMatchObject({
      code: 'WIRETAPE_UPSTREAM',
      message: expect.stringMatching(new RegExp(`${new URL(service).host} did not answer: .*ECONNREFUSED`)),
      details: { unreached: 1 },
    })
    expect(await readFile(recording.file, 'utf8')).toBe('older')
    expect(await readdir(join(recording.file, '..'))).toEqual([basename(recording.file)])
  })

  it('is named to the app at once, in a way that no SDK retries', async () => {
    const service = await goneService()
    const recording = await recordingOf(service)
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    expect(got.status).toBe(400)
    expect(got.headers).toContainEqual(['content-type', 'application/json; charset=UTF-8'])
    expect(details(got.body)).toMatchObject({
      error: {
        code: 400,
        status: 'FAILED_PRECONDITION',
        message: expect.stringMatching(new RegExp(`${new URL(service).host}.*ECONNREFUSED`, 's')),
        details: [{ reason: 'WIRETAPE_UPSTREAM' }],
      },
    })
    const [exchange] = recording.journalled()
    expect([exchange?.response, exchange?.end.how]).toEqual([undefined, 'upstream-error'])
  })

  it('leaves the request whole on the recording, so that it is known again', async () => {
    const recording = await recordingOf(await goneService())
    const { statusCode } = await undiciRequest(`${recording.server.url}/v1beta/x`, {
      method: 'POST',
      body: '{"contents":[]}',
    })
    expect(statusCode).toBe(400)
    const [exchange] = recording.journalled()
    expect(Buffer.from(exchange?.request.body ?? []).toString()).toBe('{"contents":[]}')
    expect([exchange?.response, exchange?.end.how]).toEqual([undefined, 'upstream-error'])
  })

  it('takes the request body all the same, so that the app reads the answer', async () => {
    const recording = await recordingOf(await goneService())
    const { statusCode } = await undiciRequest(`${recording.server.url}/v1beta/x`, {
      method: 'POST',
      body: Buffer.alloc(2_000_000, 'a'),
    })
    expect(statusCode).toBe(400)
  })

  it('is given up on when it takes the connection and then says nothing', async () => {
    const deaf = await upstreamOf(() => undefined)
    const recording = await recordingOf(deaf.url.replace('http:', 'https:'))
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    expect(got.status).toBe(400)
    expect(got.body.toString()).toContain('UND_ERR_CONNECT_TIMEOUT')
  })
})

describe('a proxy that the environment names', () => {
  /** A proxy that makes every tunnel lead to one port. */
  async function tunnelTo(origin: string): Promise<{ url: string; tunnels: string[] }> {
    const tunnels: string[] = []
    const server = createHttpServer()
    server.on('connect', (request: IncomingMessage, client: Duplex) => {
      tunnels.push(request.url ?? '')
      const service = connect(Number(new URL(origin).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
        client.pipe(service).pipe(client)
      })
      service.on('error', () => client.destroy())
      client.on('error', () => service.destroy())
      disposals.push(async () => {
        client.destroy()
      })
    })
    const url = await listenOnLoopback(server)
    disposals.push(() => closeServer(server))
    return { url, tunnels }
  }

  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('is the way to the service, and changes nothing of what is sent', async () => {
    const upstream = await upstreamOf(ok)
    const proxy = await tunnelTo(upstream.url)
    vi.stubEnv('http_proxy', proxy.url)
    const recording = await recordingOf('http://service.example')
    const got = await undiciRequest(`${recording.server.url}/v1beta/x`, {
      headers: ['X-Twice', '1', 'X-Twice', '2'],
    })
    expect(await got.body.text()).toBe('ok')
    expect(proxy.tunnels).toEqual(['service.example:80'])
    expect(upstream.requests[0]?.toString()).toMatch(/X-Twice: 1\r\nX-Twice: 2\r\n/)
    expect(upstream.requests[0]?.toString()).toMatch(/host: service\.example\r\n/)
  })

  it('is not asked for a service on this machine', async () => {
    vi.stubEnv('http_proxy', await goneService())
    const recording = await recordingOf((await upstreamOf(ok)).url)
    expect((await rawRequest(recording.server.url, { method: 'GET', path: '/x' })).status).toBe(200)
  })

  it('that is away is as a service that is away', async () => {
    vi.stubEnv('http_proxy', await goneService())
    const recording = await recordingOf('http://service.example')
    const got = await rawRequest(recording.server.url, { method: 'GET', path: '/x' })
    expect([got.status, got.body.toString()]).toEqual([400, expect.stringContaining('ECONNREFUSED')])
  })
})

describe('where a request goes', () => {
  it('may be behind a path prefix', async () => {
    const upstream = await upstreamOf(ok)
    const recording = await recordingOf(`${upstream.url}/behind/`)
    await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models?x=1' })
    expect(upstream.requests[0]?.toString()).toMatch(/^GET \/behind\/v1beta\/models\?x=1 /)
    // What a client asks that has no gateway in front of it: the replay's.
    expect(recording.journalled()[0]?.request.url).toBe(`${upstream.url}/v1beta/models?x=1`)
  })

  it.each([
    ['https://generativelanguage.googleapis.com/v1beta', 'https://generativelanguage.googleapis.com'],
    ['https://generativelanguage.googleapis.com/v1/', 'https://generativelanguage.googleapis.com'],
    ['http://127.0.0.1:1/gateway/v1beta/', 'http://127.0.0.1:1/gateway'],
  ])('is refused with a version, which clients would bring a second time: %s', async (upstream, without) => {
    const file = join('no-such-folder', 'x.cassette.yaml')
    await expect(createRecordServer({ file, upstream })).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      hint: `Leave it out: ${without}`,
    })
  })

  it('may be a gateway with a version of its own', async () => {
    const upstream = await upstreamOf(ok)
    const recording = await recordingOf(`${upstream.url}/v1`)
    await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/models' })
    expect(upstream.requests[0]?.toString()).toMatch(/^GET \/v1\/v1beta\/models /)
  })

  it('is another service on the Vertex port', async () => {
    const [upstream, vertex] = [await upstreamOf(ok), await upstreamOf(ok)]
    const recording = await recordingOf(upstream.url, { vertexUpstream: vertex.url })
    await rawRequest(recording.server.vertexUrl, { method: 'GET', path: '/v1beta1/publishers/p/models' })
    expect([upstream.requests.length, vertex.requests.length]).toEqual([0, 1])
  })

  it.each(['example.com', '10.0.0.1:80', 'localhost.example.com', '127.0.0.1.example.com'])(
    'is nowhere for a page that calls us %s',
    async host => {
      const upstream = await upstreamOf(ok)
      const recording = await recordingOf(upstream.url)
      const got = await rawRequest(recording.server.url, { method: 'GET', path: '/x', headers: { host } })
      expect([got.status, upstream.requests.length, recording.journalled().length]).toEqual([400, 0, 0])
    },
  )

  it.each(['localhost', '127.0.0.1', '[::1]'])('is the service when we are called %s', async name => {
    const recording = await recordingOf((await upstreamOf(ok)).url)
    const host = `${name}:${new URL(recording.server.url).port}`
    expect(
      (await rawRequest(recording.server.url, { method: 'GET', path: '/x', headers: { host } })).status,
    ).toBe(200)
  })

  it.each(['/%', '/%zz', '//', '/?%', '/v1beta/models/%E0%A4%A:x', '/v1beta/../x', '/a%00b?key=%'])(
    'is the service, however odd the path: %j',
    async path => {
      const upstream = await upstreamOf(ok)
      const recording = await recordingOf(upstream.url)
      expect((await rawRequest(recording.server.url, { method: 'GET', path })).status).toBe(200)
      expect(upstream.requests[0]?.toString('latin1')).toMatch(`GET ${path} HTTP`)
      expect(await recording.server.close()).toMatchObject({ exchanges: 1 })
    },
  )

  it('is no other server: this is not a forward proxy', async () => {
    const upstream = await upstreamOf(ok)
    const recording = await recordingOf(upstream.url)
    const got = await rawRequest(recording.server.url, { method: 'GET', path: `${upstream.url}/x` })
    expect([got.status, upstream.requests.length]).toEqual([400, 0])
  })
})

describe('an upload', () => {
  it('goes on through the proxy, to the address that the service named', async () => {
    const upstream: ByteUpstream = await upstreamOf((request, socket) => {
      if (!request.toString('latin1').startsWith('POST /behind/')) {
        socket.write('HTTP/1.1 200 OK\r\nX-Goog-Upload-Status: final\r\nContent-Length: 2\r\n\r\n{}')
        return
      }
      const address = `${upstream.url}/upload/v1beta/files?upload_id=ab-1&upload_protocol=resumable`
      socket.write(`HTTP/1.1 200 OK\r\nX-Goog-Upload-URL: ${address}\r\nContent-Length: 0\r\n\r\n`)
    })
    const recording = await recordingOf(`${upstream.url}/behind`)
    const started = await fetch(`${recording.server.url}/upload/v1beta/files`, { method: 'POST' })
    const address = started.headers.get('x-goog-upload-url') ?? ''
    expect(address).toBe(
      `${recording.server.url}/upload/v1beta/files?upload_id=ab-1&upload_protocol=resumable`,
    )
    const sent = await fetch(address, { method: 'POST', body: 'bytes' })
    expect(await sent.text()).toBe('{}')
    expect(upstream.requests[1]?.toString()).toMatch(/^POST \/upload\/v1beta\/files\?upload_id=ab-1&/)
    const stored = recording.journalled()[0]?.response?.headers ?? []
    expect(stored.find(([name]) => name === 'X-Goog-Upload-URL')?.[1]).toMatch(
      /^https:\/\/upload\.wiretape\.invalid\/upload\/v1beta\/files\?/,
    )
  })

  it('is not led to a host that is none of the service', async () => {
    const upstream = await upstreamOf((_, socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nX-Goog-Upload-URL: http://127.0.0.1:1/take?upload_id=1\r\nContent-Length: 0\r\n\r\n',
      )
    })
    const recording = await recordingOf(upstream.url)
    const started = await fetch(`${recording.server.url}/upload/v1beta/files`, { method: 'POST' })
    expect(started.headers.get('x-goog-upload-url')).toBe('http://127.0.0.1:1/take?upload_id=1')
    await fetch(`${recording.server.url}/take?upload_id=1`, { method: 'POST' })
    expect(upstream.requests.length).toBe(2)
  })
})

describe('an app that reads slowly', () => {
  it('slows the service down, and gets all of it', async () => {
    const size = 24_000_000
    const service = { sent: 0 }
    const upstream = await upstreamOf(async (_, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
      const block = Buffer.alloc(1_000_000, 'x')
      while (service.sent < size) {
        service.sent += block.length
        if (!socket.write(block)) await new Promise(resolve => socket.once('drain', resolve))
      }
    })
    const recording = await recordingOf(upstream.url)
    const { hostname, port, host } = new URL(recording.server.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /v1beta/x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    // Until nothing moves any more: all that lies between the two is full.
    for (let before = -1; service.sent === 0 || before !== service.sent;) {
      before = service.sent
      for (let turn = 0; turn < 200; turn += 1) await new Promise(resolve => setImmediate(resolve))
    }
    expect(service.sent).toBeLessThan(size)
    let got = 0
    for await (const bytes of socket) got += (bytes as Buffer).length
    expect(got).toBeGreaterThan(size)
    await recording.finished(1)
    expect(recording.server.progress()).toEqual({ open: 0, finished: 1, bytes: size })
  })
})

describe('closing', () => {
  it('lets what is open end in its time', async () => {
    let finish: () => void = () => {}
    const upstream = await upstreamOf((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n1\n\r\n')
      finish = () => socket.write('2\r\n2\n\r\n0\r\n\r\n')
    })
    const recording = await recordingOf(upstream.url)
    let closing: Promise<unknown> | undefined
    const got = await rawRequest(recording.server.url, {
      method: 'GET',
      path: '/v1beta/x',
      onBody() {
        closing ??= recording.server.close({ graceMs: 60_000 })
        finish()
      },
    })
    expect([got.body.toString(), got.complete]).toEqual(['1\n2\n', true])
    await closing
    expect(recording.exchanges.map(({ outcome }) => outcome)).toEqual(['complete'])
  })

  it('cuts what does not end', async () => {
    const recording = await recordingOf((await upstreamOf(open)).url)
    const got = await rawRequest(recording.server.url, {
      method: 'GET',
      path: '/v1beta/x',
      onBody: () => void recording.server.close({ graceMs: 0 }),
    })
    expect([got.body.toString(), got.complete]).toEqual(['1\n', false])
    await recording.server.close()
    expect(recording.exchanges.map(({ outcome }) => outcome)).toEqual(['truncated'])
  })

  it('takes nothing new', async () => {
    const recording = await recordingOf((await upstreamOf(open)).url)
    const { hostname, port, host } = new URL(recording.server.url)
    const request = `GET /v1beta/x HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    const socket = connect(Number(port), hostname, () => socket.write(request))
    await new Promise(resolve => socket.once('data', resolve))
    const closing = recording.server.close({ graceMs: 0 })
    await expect(rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/y' })).rejects.toThrow()
    await closing
    expect(recording.exchanges.length).toBe(1)
  })
})

describe('a journal that can not be written', () => {
  it('stops the recording loudly; what is open is relayed to its end', async () => {
    let finish: () => void = () => {}
    const upstream = await upstreamOf((_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n1\n\r\n')
      finish = () => socket.write('2\r\n2\n\r\n0\r\n\r\n')
    })
    const recording = await recordingOf(upstream.url)
    let refused: Promise<Awaited<ReturnType<typeof rawRequest>>> | undefined
    const got = await rawRequest(recording.server.url, {
      method: 'GET',
      path: '/v1beta/x',
      onBody() {
        refused ??= rm(recording.folder, { recursive: true })
          .then(() => rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/y' }))
          .finally(finish)
      },
    })
    await mkdir(recording.folder)
    expect([got.body.toString(), got.complete]).toEqual(['1\n2\n', true])
    const answer = await refused
    expect(answer?.status).toBe(400)
    expect(details(answer?.body ?? Buffer.from('{}'))).toMatchObject({
      error: { details: [{ reason: 'WIRETAPE_WRITE' }] },
    })
    await expect(recording.server.failed).rejects.toMatchObject({ code: 'WIRETAPE_WRITE' })
    await expect(recording.server.close()).rejects.toMatchObject({ code: 'WIRETAPE_WRITE' })
  })
})

describe('starting', () => {
  it('refuses to record over a cassette unless told to', async () => {
    const recording = await recordingOf('http://127.0.0.1:1')
    const file = join(recording.folder, 'old.cassette.yaml')
    await writeFile(file, 'cassette: 1\n')
    await expect(createRecordServer({ file })).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
    const server = await createRecordServer({ file, existing: 'overwrite' })
    await server.close()
    expect(await readFile(file, 'utf8')).toBe('cassette: 1\n')
  })

  it('refuses a file that is being recorded, and names who records it', async () => {
    const recording = await recordingOf('http://127.0.0.1:1')
    await expect(createRecordServer({ file: recording.file })).rejects.toMatchObject({
      code: 'WIRETAPE_CASSETTE_LOCKED',
      details: { pid: process.pid },
    })
  })

  it.each(['gemini', 'ftp://x/', '127.0.0.1:80', ''])('refuses the upstream %j', async upstream => {
    const recording = await recordingOf('http://127.0.0.1:1')
    const file = join(recording.folder, 'x.cassette.yaml')
    await expect(createRecordServer({ file, upstream })).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('refuses a port that is taken, and leaves nothing behind', async () => {
    const recording = await recordingOf('http://127.0.0.1:1')
    const port = Number(new URL(recording.server.url).port)
    const file = join(recording.folder, 'x.cassette.yaml')
    await expect(createRecordServer({ file, port })).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
    expect(await readdir(recording.folder)).toEqual(['session.cassette.journal'])
  })

  it('keeps the journal to itself', async () => {
    const recording = await recordingOf((await upstreamOf(ok)).url)
    await rawRequest(recording.server.url, { method: 'GET', path: '/v1beta/x' })
    const folder = join(recording.folder, 'session.cassette.journal')
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const name of await readdir(folder)) {
      expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600)
    }
  })
})
