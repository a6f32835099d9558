/** A tunnel that was still being made when all was closed once stayed open, and kept the process from its end. */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect as connectTls } from 'node:tls'
import type { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'
import { startRecording } from '../peers/recording.ts'
import { CA_DIR } from '../serve/tls-peers.ts'
import { afterwards } from './started.ts'

/** The proxy that the user has, which takes its time. */
async function startSlowProxy() {
  const proxy = createServer()
  vi.stubEnv('HTTPS_PROXY', await listenOnLoopback(proxy))
  vi.stubEnv('NO_PROXY', '')
  afterwards(async () => {
    vi.unstubAllEnvs()
    await closeServer(proxy)
  })
  return proxy
}

/** A client of HTTP/2 alone. */
const speak = (socket: Socket): void =>
  void connectTls({ socket, ALPNProtocols: ['h2'] }).on('error', () => undefined)

it.each([
  ['elsewhere.example', 'an answer'],
  ['elsewhere.example', 'none'],
  ['firestore.googleapis.com', 'an answer'],
  ['firestore.googleapis.com', 'none'],
] as const)('is closed, to %s, where the proxy gives %s', async (host, answer) => {
  const asked = once(await startSlowProxy(), 'connect')
  const recording = await startRecording('http://127.0.0.1:1', { tls: { caDir: CA_DIR } })
  afterwards(() => recording.dispose())
  const { server } = recording
  const { port } = new URL(server.url)
  const client = request({ port, method: 'CONNECT', path: `${host}:443` }).on('error', () => undefined)
  client.once('connect', (__, socket: Socket) => speak(socket.on('error', () => undefined))).end()
  const [, far] = (await asked) as [unknown, Socket]
  afterwards(() => Promise.resolve(void far.destroy()))
  far.on('error', () => undefined).resume()
  const left = new Promise<string>(done => ['end', 'close'].forEach(how => far.once(how, () => done('left'))))
  await server.close()
  if (answer === 'an answer') far.write('HTTP/1.1 200 OK\r\n\r\n')
  expect(await left).toBe('left')
})
