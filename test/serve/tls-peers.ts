/** What the tests of TLS and of tunnels share: clients that we did not write, and an authority of their own. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { ProxyAgent } from 'undici'
import { afterAll, onTestFinished } from 'vitest'
import type { WebSocket } from 'ws'
import type { ReplayServerOptions } from '../../src/serve/replay-server.ts'
import { askedExchange, startReplaying, type Replaying } from './replaying.ts'

/** The host of the Gemini API, and two of Vertex. */
export const DEVELOPER = 'generativelanguage.googleapis.com'
export const VERTEX = 'us-central1-aiplatform.googleapis.com'
export const VERTEX_GLOBAL = 'aiplatform.googleapis.com'

/** An exchange that is asked with `BODY` at `PATH`, as often as somebody likes. */
export const ANSWER: string = askedExchange(`response:
  status: 200
  headers: { content-type: text/event-stream }
  events:
    - data: '{"n": 1}'
    - data: '{"n": 2}'
end: {}
`).replace('request:', 'repeat: always\nrequest:')
/** Its answer. */
export const STREAM = 'data: {"n": 1}\r\n\r\ndata: {"n": 2}\r\n\r\n'

/** A session of one message each. */
export const SOCKET = `exchange: live
repeat: always
request:
  url: wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent
messages:
  - client: { setup: { model: models/m } }
  - server: { setupComplete: {} }
  - close: { by: server, code: 1000, reason: "" }
end: {}
`
export const SOCKET_PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** What the client of {@link SOCKET} sees until it is closed. */
export function seenOn(socket: WebSocket): Promise<readonly string[]> {
  const seen: string[] = []
  return new Promise((resolve, reject) => {
    socket.once('open', () => socket.send('{"setup":{"model":"models/m"}}'))
    socket.on('message', data => seen.push(data instanceof Buffer ? data.toString() : ''))
    socket.once('close', code => resolve([...seen, String(code)]))
    socket.once('error', reject)
  })
}

/** What curl said. */
export interface Curled {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs curl, without any proxy or authority of this machine. */
export function curl(...words: readonly string[]): Promise<Curled> {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' }
  return new Promise(done => {
    execFile('curl', ['-sS', ...words], { env }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

/** One authority for all tests of a file: making its key takes a while. */
const folder = mkdtempSync(join(tmpdir(), 'wiretape-ca-'))
afterAll(() => rmSync(folder, { recursive: true }))
export const CA_DIR: string = join(folder, 'ca')

/** A replay with TLS, and all that a client needs. */
export interface Secured extends Replaying {
  readonly caFile: string
  /** The authority as PEM. */
  readonly ca: string
  readonly port: number
  /** `https://127.0.0.1:PORT`. */
  readonly secureUrl: string
  /** A dispatcher of undici that goes through the tunnel. `user`: the name that it gives there. */
  readonly through: (user?: string) => ProxyAgent
}

/** Starts a replay of this cassette on a port with TLS. */
export async function startSecured(
  yaml: string,
  options: Partial<ReplayServerOptions> = {},
): Promise<Secured> {
  const replaying = await startReplaying(yaml, { tls: { caDir: CA_DIR }, ...options })
  onTestFinished(() => replaying[Symbol.asyncDispose]())
  const { url, caFile = '' } = replaying.server
  const ca = readFileSync(caFile, 'utf8')
  return {
    ...replaying,
    caFile,
    ca,
    port: Number(new URL(url).port),
    secureUrl: url.replace('http:', 'https:'),
    through(user) {
      const agent = new ProxyAgent({
        uri: user === undefined ? url : url.replace('//', `//${user}:x@`),
        requestTls: { ca },
      })
      onTestFinished(() => agent.destroy())
      return agent
    },
  }
}

/** A TLS connection to a port. */
export function tlsTo(port: number, options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', ...options })
    onTestFinished(() => void socket.destroy())
    socket.once('secureConnect', () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends these bytes and reads until the other side ends. */
export function exchangeBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connectTcp(port, '127.0.0.1', () => socket.end(bytes))
    socket.setEncoding('latin1').on('data', piece => (text += String(piece)))
    socket.once('end', () => resolve(text))
    socket.once('error', reject)
  })
}
