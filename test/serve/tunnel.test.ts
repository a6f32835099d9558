/** Tunnels: to the hosts of the service, which end here, and to others, which do not get anywhere. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, request as httpRequest } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { request as undiciRequest, WebSocket as UndiciWebSocket } from 'undici'
import { listen } from '../../src/serve/listener.ts'
import { openPortTls } from '../../src/serve/open-tls.ts'
import { replayedTunnel } from '../../src/serve/port-tls.ts'
import { issueLeaf, makeAuthority, makeKey } from '../../src/store/certificate.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { startScriptedUpstream } from '../peers/scripted-upstream.ts'
import { startRecording, type Recording } from '../peers/recording.ts'
import type { RecordServerOptions } from '../../src/serve/record-server.ts'
import { BODY, PATH, startReplaying, tape } from './replaying.ts'
import {
  ANSWER,
  CA_DIR,
  curl,
  DEVELOPER,
  exchangeBytes,
  SOCKET,
  SOCKET_PATH,
  startSecured,
  STREAM,
  VERTEX,
  VERTEX_GLOBAL,
} from './tls-peers.ts'

/** What a service says that somebody put there instead of the real one. */
async function startService(name: string) {
  const service = await startScriptedUpstream(({ path }, response) => void response.end(`${name} ${path}`))
  onTestFinished(() => service.close())
  return service
}

async function startRecorder(options: Partial<RecordServerOptions> = {}): Promise<Recording> {
  const recording = await startRecording('http://127.0.0.1:1', { tls: { caDir: CA_DIR }, ...options })
  onTestFinished(() => recording.dispose())
  return recording
}

describe('a tunnel to a host of the service, while replaying', () => {
  it.each([
    DEVELOPER,
    VERTEX,
    VERTEX_GLOBAL,
    'GenerativeLanguage.GoogleAPIs.com',
    `${DEVELOPER}.`,
    'aiplatform.eu.rep.googleapis.com',
  ])('ends here, as if this were %s', async host => {
    const { server, caFile } = await startSecured(tape(ANSWER))
    const { stdout, stderr } = await curl(
      '--proxy',
      server.url,
      '--cacert',
      caFile,
      '-d',
      BODY,
      `https://${host}${PATH}`,
    )
    expect([stdout, stderr]).toEqual([STREAM, ''])
  })

  it('ends here for the proxy agent of undici, requests and sockets', async () => {
    const { through } = await startSecured(tape(ANSWER, SOCKET))
    const dispatcher = through()
    const { body } = await undiciRequest(`https://${DEVELOPER}${PATH}`, {
      method: 'POST',
      body: BODY,
      dispatcher,
    })
    expect(await body.text()).toBe(STREAM)
    const socket = new UndiciWebSocket(`wss://${DEVELOPER}${SOCKET_PATH}`, { dispatcher })
    socket.binaryType = 'arraybuffer'
    const said: string[] = []
    socket.addEventListener('open', () => socket.send('{"setup":{"model":"models/m"}}'))
    socket.addEventListener('message', ({ data }) => said.push(Buffer.from(data as ArrayBuffer).toString()))
    const [closed] = (await once(socket, 'close')) as [{ code: number }]
    expect([...said, closed.code]).toEqual(['{\n  "setupComplete": {}\n}\n', 1000])
  })

  it('may have plain HTTP in it', async () => {
    const { server } = await startSecured(tape(ANSWER))
    const { stdout } = await curl(
      '--proxytunnel',
      '--proxy',
      server.url,
      '-d',
      BODY,
      `http://${DEVELOPER}${PATH}`,
    )
    expect(stdout).toBe(STREAM)
  })

  it('may itself be asked for over TLS', async () => {
    const { secureUrl, caFile } = await startSecured(tape(ANSWER))
    const { stdout } = await curl(
      '--proxy',
      secureUrl,
      '--proxy-cacert',
      caFile,
      '--cacert',
      caFile,
      '-d',
      BODY,
      `https://${DEVELOPER}${PATH}`,
    )
    expect(stdout).toBe(STREAM)
  })

  it('takes what a client sends behind its request already', async () => {
    const { port } = await startSecured(tape(ANSWER))
    const head = `CONNECT ${DEVELOPER}:443 HTTP/1.1\r\nHost: ${DEVELOPER}:443\r\n\r\n`
    const asked = `POST ${PATH} HTTP/1.1\r\nHost: ${DEVELOPER}\r\nConnection: close\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
    expect(await exchangeBytes(port, head + asked)).toMatch(
      /^HTTP\/1.1 200 Connection established\r\n\r\nHTTP\/1.1 200 OK/,
    )
  })

  it('shows a certificate for that host', async () => {
    const { port, ca } = await startSecured(tape(ANSWER))
    const tunnel = httpRequest({ port, method: 'CONNECT', path: `${VERTEX}:443` }).end()
    const [, connection] = (await once(tunnel, 'connect')) as [unknown, Socket]
    const socket = connectTls({ socket: connection, servername: VERTEX, ca })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    expect(socket.getPeerCertificate().subjectaltname).toBe(`DNS:${VERTEX}`)
  })

  it('gives addresses for uploads at that host', async () => {
    const upload = ANSWER.replace(
      '{ content-type: text/event-stream }',
      '{ x-goog-upload-url: "https://wiretape.invalid/upload/v1beta/files?upload_id=1" }',
    )
    const { server, caFile } = await startSecured(tape(upload))
    const { stdout } = await curl(
      '-i',
      '--proxy',
      server.url,
      '--cacert',
      caFile,
      '-d',
      BODY,
      `https://${DEVELOPER}${PATH}`,
    )
    expect(stdout).toContain(`x-goog-upload-url: https://${DEVELOPER}/upload/v1beta/files?upload_id=1`)
  })
})

describe('a tunnel to this server itself', () => {
  it('is no tunnel: a client that asks its proxy for everything gets through', async () => {
    const { server, through } = await startSecured(tape(ANSWER))
    const { body } = await undiciRequest(`${server.url}${PATH}`, {
      method: 'POST',
      body: BODY,
      dispatcher: through(),
    })
    expect(await body.text()).toBe(STREAM)
  })
})

describe('what gives out tokens, while replaying', () => {
  it.each([
    ['oauth2.googleapis.com', '/token'],
    ['sts.googleapis.com', '/v1/token'],
    ['iamcredentials.googleapis.com', '/v1/projects/-/serviceAccounts/a%40b:generateAccessToken'],
  ])('is this server: %s gives a placeholder, and is no part of the replay', async (host, path) => {
    const { server, caFile } = await startSecured(tape(ANSWER))
    const words = ['--proxy', server.url, '--cacert', caFile, '-d', 'assertion=x', `https://${host}${path}`]
    expect(JSON.parse((await curl(...words)).stdout)).toMatchObject({
      access_token: 'replayed-by-wiretape',
      token_type: 'Bearer',
      expires_in: 3600,
      accessToken: 'replayed-by-wiretape',
    })
    expect(await server.close()).toMatchObject({ requests: 0, notes: [] })
  })

  it('has an address on the port too, for credentials that name one', async () => {
    await using replaying = await startReplaying(tape(ANSWER))
    const { stdout } = await curl('-d', 'x=y', `${replaying.server.url}/.wiretape/token`)
    expect(JSON.parse(stdout)).toMatchObject({ access_token: 'replayed-by-wiretape' })
  })
})

describe('a tunnel to any other host, while replaying', () => {
  it.each([
    ['example.com', 'replaying passes nothing through, and example.com is not on a recording'],
    [
      'googleapis.com.example',
      'replaying passes nothing through, and googleapis.com.example is not on a recording',
    ],
    ['localhost', 'replaying passes nothing through, and localhost is not on a recording'],
  ])('to %s is refused in words', async (host, why) => {
    const { server, port } = await startSecured(tape(ANSWER))
    const answer = await exchangeBytes(port, `CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\n`)
    expect(answer).toContain(`HTTP/1.1 403 Wiretape: ${why}\r\n`)
    expect(answer).toMatch(new RegExp(`\r\n\r\n${why}\n$`))
    expect((await server.close()).notes).toEqual([`a tunnel to ${host} was refused: ${why}`])
  })
})

describe('a request that was not meant to come here', () => {
  it.each([
    [
      'of another host',
      { host: 'evil.example' },
      'it answers to 127.0.0.1 and localhost only, whatever name led here (evil.example)',
    ],
    ['of the service, with no tunnel', { host: DEVELOPER }, `whatever name led here (${DEVELOPER})`],
    ['of a foreign page', { origin: 'https://evil.example' }, 'A page of https://evil.example asks.'],
    ['of a page without an origin', { origin: 'null' }, 'A page of null asks.'],
  ])('%s is refused in words', async (_, headers, why) => {
    const { server } = await startSecured(tape(ANSWER))
    const { status, body } = await rawRequest(server.url, {
      method: 'POST',
      path: PATH,
      headers,
      body: Buffer.from(BODY),
    })
    expect(status).toBe(400)
    expect(JSON.parse(String(body))).toMatchObject({
      error: {
        status: 'FAILED_PRECONDITION',
        message: expect.stringContaining(why),
        details: [{ reason: 'WIRETAPE_USAGE' }],
      },
    })
    const report = await server.close()
    expect(report).toMatchObject({ requests: 0, notes: [expect.stringContaining(why)] })
  })

  it('is refused as a socket too', async () => {
    const { server } = await startSecured(tape(SOCKET))
    const { status, body } = await rawRequest(server.url, {
      method: 'GET',
      path: SOCKET_PATH,
      headers: {
        origin: 'https://evil.example',
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-version': '13',
      },
    })
    expect([status, String(body)]).toEqual([
      400,
      expect.stringContaining('A page of https://evil.example asks.'),
    ])
  })

  it('is one that names another host inside a tunnel', async () => {
    const { server, caFile } = await startSecured(tape(ANSWER))
    const { stdout } = await curl(
      '--proxy',
      server.url,
      '--cacert',
      caFile,
      '-H',
      'host: evil.example',
      '-d',
      BODY,
      `https://${DEVELOPER}${PATH}`,
    )
    expect(stdout).toContain(
      `The connection is one to ${DEVELOPER}, and the request names another host: evil.example.`,
    )
  })

  it('is one for a proxy of plain HTTP', async () => {
    const { server } = await startSecured(tape(ANSWER))
    const { stdout } = await curl('--proxy', server.url, 'http://example.com/')
    expect(stdout).toContain('HTTP_PROXY is not for it')
    expect((await server.close()).requests).toBe(0)
  })

  it('is none where a page of this machine asks, or a client names us in full', async () => {
    const { server } = await startSecured(tape(ANSWER))
    const page = await curl('-H', 'origin: http://localhost:5173', '-d', BODY, `${server.url}${PATH}`)
    const full = await curl('--proxy', server.url, '-d', BODY, `${server.url}${PATH}`)
    expect([page.stdout, full.stdout]).toEqual([STREAM, STREAM])
  })
})

describe('a tunnel while recording', () => {
  it('leads to the host that was named, or to what stands for its side of the service', async () => {
    const [developer, vertex] = [await startService('developer'), await startService('vertex')]
    const recording = await startRecorder({ upstream: developer.url, vertexUpstream: vertex.url })
    const { server } = recording
    const ask = async (host: string): Promise<string> => {
      const words = ['--proxy', server.url, '--cacert', server.caFile ?? '', `https://${host}/v1/models`]
      return (await curl(...words)).stdout
    }
    expect(await ask(DEVELOPER)).toBe('developer /v1/models')
    expect(await ask(VERTEX)).toBe('vertex /v1/models')
    expect(await ask(VERTEX_GLOBAL)).toBe('vertex /v1/models')
    expect(await ask(`${DEVELOPER}.`)).toBe('developer /v1/models')
    await recording.finished(4)
    expect(recording.exchanges.map(({ outcome }) => outcome)).toEqual(Array(4).fill('complete'))
  })

  it('to any other host passes through untouched and unrecorded', async () => {
    const service = await startService('other')
    const recording = await startRecorder()
    const { stdout } = await curl(
      '--proxytunnel',
      '--proxy',
      recording.server.url,
      `${service.url}/hello?key=secret`,
    )
    expect(stdout).toBe('other /hello?key=secret')
    expect(await recording.server.close()).toMatchObject({ exchanges: 0 })
  })

  it('to any other host is refused where nothing but the service is wanted', async () => {
    const service = await startService('other')
    const notes: string[] = []
    const { server } = await startRecorder({
      tls: { caDir: CA_DIR, otherHosts: 'refuse' },
      onNote: note => notes.push(note),
    })
    const { code, stderr } = await curl('--proxytunnel', '--proxy', server.url, service.url)
    expect([code, stderr]).toEqual([56, expect.stringContaining('403')])
    expect(service.seen).toEqual([])
    expect(notes).toEqual([
      'a tunnel to 127.0.0.1 was refused: --only-google passes nothing through to 127.0.0.1',
    ])
  })

  it('to a host that is away says so', async () => {
    const service = await startService('gone')
    await service.close()
    const { server } = await startRecorder()
    const target = new URL(service.url).host
    const answer = await exchangeBytes(
      Number(new URL(server.url).port),
      `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 502 Wiretape: 127\.0\.0\.1 can't be reached: connect ECONNREFUSED/)
  })
})

describe('a tunnel that passes through', () => {
  it('shows the client the certificate of the other end', async () => {
    const authority = await makeAuthority(Date.now())
    const leaf = issueLeaf(authority, ['localhost'], await makeKey(), Date.now())
    const far = createHttpsServer(leaf, (_, response) => void response.end('far away'))
    const url = await listenOnLoopback(far)
    onTestFinished(() => closeServer(far))
    const caFile = join(emptyFolder(), 'far.pem')
    writeFileSync(caFile, authority.cert)
    const { server } = await startRecorder()
    const address = `https://localhost:${new URL(url).port}/`
    const { stdout } = await curl('--proxy', server.url, '--cacert', caFile, address)
    expect(stdout).toBe('far away')
  })

  it('goes on through the proxy that the user has', async () => {
    const asked: string[] = []
    const proxy = createHttpServer().on('connect', (request, socket) => {
      asked.push(request.url ?? '')
      socket.end('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nfar')
    })
    vi.stubEnv('HTTPS_PROXY', await listenOnLoopback(proxy))
    vi.stubEnv('NO_PROXY', '')
    onTestFinished(() => void vi.unstubAllEnvs())
    onTestFinished(() => closeServer(proxy))
    const { server } = await startRecorder()
    const { stdout } = await curl('--proxytunnel', '--proxy', server.url, 'http://example.com:443/')
    expect(stdout).toBe('far')
    expect(asked).toEqual(['example.com:443'])
  })
})

describe('the user of the proxy', () => {
  it('says which cassette is meant, where a path can not', async () => {
    const tls = await openPortTls({ caDir: CA_DIR }, replayedTunnel, () => undefined)
    const upgrades = {
      owns: () => true,
      upgrade: (request: IncomingMessage, socket: Duplex) =>
        void socket.end(`HTTP/1.1 400 ${request.url}\r\nContent-Length: 0\r\n\r\n`),
    }
    const listener = await listen((request, response) => void response.end(request.url), 0, {
      tls: { ...tls, prefixOf: user => `/t/${encodeURIComponent(user)}` },
      upgrades,
    })
    onTestFinished(() => listener.close())
    const proxy = listener.url.replace('//', '//greet%20ing:none@')
    const ask = async (...words: readonly string[]): Promise<string> =>
      (await curl('--cacert', tls.caFile, ...words)).stdout
    expect(await ask('--proxy', proxy, `https://${DEVELOPER}/v1/models?a=b`)).toBe(
      '/t/greet%20ing/v1/models?a=b',
    )
    expect(await ask('--proxy', proxy, `https://${DEVELOPER}/t/greet%20ing/v1/models`)).toBe(
      '/t/greet%20ing/v1/models',
    )
    expect(await ask('--proxy', listener.url, `https://${DEVELOPER}/v1/models`)).toBe('/v1/models')
    const socket = ['-H', 'connection: upgrade', '-H', 'upgrade: websocket', '-w', '%{http_code}', '-i']
    expect(await ask('--proxy', proxy, ...socket, `https://${DEVELOPER}/ws`)).toContain(
      '400 /t/greet%20ing/ws',
    )
  })
})
