/**
 * The way to a socket of the real service: by the `ws` package, without compression, as a client of the
 * service that sends what the app sent and judges nothing that is not ours to judge.
 *
 * Room: serve.
 */
import type { ClientRequest, ClientRequestArgs, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { endToEndHeaders, pairHeaders, type HeaderList } from '../wire/headers.ts'
import { createConnect, type Connect } from './connection.ts'
import { MAX_HEADER_BYTES } from './listener.ts'
import {
  failureOf,
  UNSENDABLE,
  type UpstreamCall,
  type UpstreamHandler,
  type UpstreamRequest,
} from './upstream.ts'

/** The longest message that is relayed, in bytes: what `ws` itself allows, far above what a service takes. */
export const MAX_MESSAGE_BYTES = 104_857_600

/** A WebSocket, and the connection under it. */
export interface OpenSocket {
  readonly webSocket: WebSocket
  readonly connection: Socket
}

/** What comes back: a socket, or an answer that refuses it. */
export interface SocketHandler extends UpstreamHandler {
  /** The service has opened it, and answered with these fields besides those of the handshake. */
  open(socket: OpenSocket, headers: HeaderList): void
}

/** Asks the service for a socket. */
export type Dial = (
  request: Pick<UpstreamRequest, 'origin' | 'path' | 'headers'>,
  handler: SocketHandler,
) => UpstreamCall

/** Fields that each of the two handshakes has of its own (RFC 6455 §4). */
const HANDSHAKE: ReadonlySet<string> = new Set([
  'sec-websocket-accept',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-version',
])

/** What travels end to end of the fields of a request for a socket, or of the answer that opens one. */
export function withoutHandshake(headers: HeaderList): HeaderList {
  return endToEndHeaders(headers).filter(([name]) => !HANDSHAKE.has(name.toLowerCase()))
}

/** Nothing is opened yet. */
export function createDial(): Dial {
  const connect = createConnect()
  return (request, handler) => dial(connect, request, handler)
}

function dial(
  connect: Connect,
  { origin, path, headers }: Parameters<Dial>[0],
  handler: SocketHandler,
): UpstreamCall {
  let connected = false
  let over = false
  let refusal: IncomingMessage | undefined

  function finish(report: () => void): void {
    if (over) return
    over = true
    report()
  }

  function unreachable(cause: Error): void {
    finish(() => handler.failed('unreachable', cause))
    webSocket.terminate()
  }

  const webSocket = new WebSocket(origin.replace(/^http/, 'ws'), {
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // What is wrong with a text is for the other end to say.
    skipUTF8Validation: true,
    maxHeaderSize: MAX_HEADER_BYTES,
    createConnection(_: ClientRequestArgs, done: (cause: null, connection: Duplex) => void) {
      connect(origin, (cause, connection) => {
        if (over) connection?.destroy()
        else if (connection === undefined) unreachable(cause ?? new Error('no connection'))
        else {
          connected = true
          done(null, connection)
        }
      })
      return undefined
    },
    finishRequest: request => send(request, path, headers),
  })
  webSocket.on('error', cause => {
    finish(() => handler.failed(connected ? failureOf(cause) : 'unreachable', cause))
  })
  webSocket.on('upgrade', answer => {
    const fields = withoutHandshake(pairHeaders(answer.rawHeaders))
    // The app has asked for a subprotocol, and judges the answer.
    delete answer.headers['sec-websocket-protocol']
    webSocket.once('open', () => finish(() => handler.open({ webSocket, connection: answer.socket }, fields)))
  })
  webSocket.on('unexpected-response', (_, answer) => {
    refusal = answer
    const { statusCode = 0, statusMessage = '', rawHeaders } = answer
    if (UNSENDABLE.test(statusMessage)) {
      finish(() => handler.failed('protocol', new Error('the reason phrase has a control character')))
      webSocket.terminate()
      return
    }
    handler.head(statusCode, statusMessage, pairHeaders(rawHeaders))
    answer.on('data', (bytes: Uint8Array) => handler.chunk(bytes))
    answer.once('end', () => finish(() => handler.end(pairHeaders(answer.rawTrailers))))
    answer.once('error', cause => finish(() => handler.failed(failureOf(cause), cause)))
    // Nothing else would end a connection that the service keeps for a next request.
    answer.once('close', () => webSocket.terminate())
  })
  return {
    pause: () => void refusal?.pause(),
    resume: () => void refusal?.resume(),
    abort() {
      over = true
      webSocket.terminate()
    },
  }
}

/** The request as the app made it, but for what is the handshake's own. `ws` would rewrite the path as a URL's. */
function send(request: ClientRequest, path: string, headers: HeaderList): void {
  request.path = path
  // Without this, Node leaves out every field of the answer after the two thousandth.
  request.maxHeadersCount = 0
  const names = new Map<string, string[]>()
  for (const [name, value] of headers) {
    const values = names.get(name.toLowerCase())
    if (values === undefined) names.set(name.toLowerCase(), [name, value])
    else values.push(value)
  }
  for (const [name = '', ...values] of names.values()) {
    request.setHeader(name, values.length === 1 ? (values[0] ?? '') : values)
  }
  request.end()
}
