/** A client that speaks HTTP/2 only, as gRPC does, through a recording proxy: what of it is recorded, passed, refused. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect as connectHttp2, createSecureServer } from 'node:http2'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { RecordTlsOptions } from '../../src/serve/port-tls.ts'
import { issueLeaf, makeAuthority, makeKey } from '../../src/store/certificate.ts'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'
import { startRecording } from '../peers/recording.ts'
import { CA_DIR, curl, DEVELOPER } from './tls-peers.ts'

const STORE = 'firestore.googleapis.com'

/** All of the internet: one service that speaks HTTP/2 only, behind the proxy that the user has. */
async function startFar(): Promise<{ readonly ca: string; readonly asked: readonly string[] }> {
  const authority = await makeAuthority(Date.now())
  const leaf = issueLeaf(authority, [STORE, DEVELOPER], await makeKey(), Date.now())
  const far = createSecureServer(leaf, (_, response) => void response.end('stored'))
  await once(far.listen(0, '127.0.0.1'), 'listening')
  const { port } = far.address() as AddressInfo
  const asked: string[] = []
  const proxy = createServer().on('connect', ({ url = '' }, socket: Socket) => {
    asked.push(url)
    const way = connect(port, '127.0.0.1')
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.on('error', () => way.destroy()).pipe(way)
    way.on('error', () => socket.destroy()).pipe(socket)
  })
  vi.stubEnv('HTTPS_PROXY', await listenOnLoopback(proxy))
  vi.stubEnv('NO_PROXY', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  onTestFinished(() => closeServer(proxy))
  onTestFinished(() => void far.close())
  return { ca: authority.cert, asked }
}

async function startRecorder(tls: RecordTlsOptions = {}) {
  const notes: string[] = []
  const options = { tls: { caDir: CA_DIR, ...tls }, onNote: (note: string) => notes.push(note) }
  const recording = await startRecording('http://127.0.0.1:1', options)
  onTestFinished(() => recording.dispose())
  return { ...recording, notes }
}

/** The answer of a service to a client that offers HTTP/2 and nothing else, through a tunnel. */
async function askOverHttp2(proxy: string, host: string, ca: string): Promise<string> {
  const { port } = new URL(proxy)
  const [, socket] = (await once(
    request({ port, method: 'CONNECT', path: `${host}:443` }).end(),
    'connect',
  )) as [unknown, Socket]
  const secure = connectTls({ socket, servername: host, ca, ALPNProtocols: ['h2'] })
  await once(secure, 'secureConnect')
  const session = connectHttp2(`https://${host}`, { createConnection: () => secure })
  onTestFinished(() => session.destroy())
  const stream = session.request({ ':path': '/google.firestore.v1.Firestore/Listen' })
  let text = ''
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  await once(stream, 'end')
  return text
}

it("is passed through to another of the service's APIs, untouched, and that is noted", async () => {
  const { ca, asked } = await startFar()
  const { server, notes } = await startRecorder()
  expect(await askOverHttp2(server.url, STORE, ca)).toBe('stored')
  expect(asked).toEqual([`${STORE}:443`])
  expect(notes).toEqual([
    `a client of ${STORE} does not speak HTTP/1.1 (gRPC does not): it is passed through, and not recorded`,
  ])
  expect(await server.close()).toMatchObject({ exchanges: 0 })
})

it.each([
  ['where models answer', DEVELOPER, {}],
  ['where nothing but the service is wanted', STORE, { otherHosts: 'refuse' }],
] as const)('gets nothing %s, and that is noted', async (_, host, tls) => {
  const { ca, asked } = await startFar()
  const { server, notes } = await startRecorder(tls)
  await expect(askOverHttp2(server.url, host, ca)).rejects.toThrow(/alert no application protocol|socket/i)
  await vi.waitFor(() => expect(notes).toEqual([expect.stringContaining('something else than HTTP/1.1')]))
  expect(asked).toEqual([])
})

it('is recorded at another API where it speaks HTTP/1.1 too, or is not over TLS at all', async () => {
  await startFar()
  const recording = await startRecorder()
  const { server, notes, exchanges } = recording
  const through = ['--proxytunnel', '--proxy', server.url, '--cacert', server.caFile ?? '']
  await curl(...through, `https://${STORE}/v1/a`)
  await curl(...through, '--no-alpn', `https://${STORE}/v1/b`)
  await curl(...through, `http://${STORE}:443/v1/c`)
  await recording.finished(3)
  expect(exchanges.map(({ operation }) => operation)).toEqual(['GET a', 'GET b', 'GET c'])
  expect(notes).toEqual([])
})
