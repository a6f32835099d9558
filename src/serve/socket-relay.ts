/**
 * Relays one request for a socket between an app and the service: the socket that comes of it, message by
 * message, or the answer that refuses it, as any other. A scribe is told of everything before it goes on.
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { EndKind } from '../wire/exchange.ts'
import { endToEndHeaders, pairHeaders, type HeaderList } from '../wire/headers.ts'
import { requestHeaders, type Relay, type RelayContext, type Relayed } from './relay.ts'
import { relayAnswer, type RelayedAnswer } from './relay-answer.ts'
import { createLateRefusal } from './late-refusal.ts'
import { joinSockets, type SocketPair } from './socket-pair.ts'
import { createSocketServer } from './socket-server.ts'
import { answerTo } from './upgrade.ts'
import {
  MAX_MESSAGE_BYTES,
  withoutHandshake,
  type Dial,
  type OpenSocket,
  type SocketHandler,
} from './upstream-socket.ts'
import type { WaitingSocket } from './waiting-socket.ts'

/** Of what comes before the answer, so many bytes are read. A client is to wait for it (RFC 6455 §4.1). */
const MAX_EARLY_BYTES = 65_536

/** A request for a socket, and what the client sent behind it already. */
export interface SocketRequest {
  readonly request: IncomingMessage
  readonly head: Uint8Array
  /** The client's socket, where it was opened already. */
  readonly opened?: WaitingSocket | undefined
}

/** The address of a socket, for the same with `http`. */
export function socketUrl(address: string): string {
  return address.replace(/^http/, 'ws')
}

/** Starts relaying a request for a socket. The client has its answer when the service has given it. */
export function relaySocket(asking: SocketRequest, dial: Dial, context: RelayContext): Relay {
  const { request, opened: waiting } = asking
  const { scribe, target } = context
  const headers = endToEndHeaders(pairHeaders(request.rawHeaders))
  let refusal: RelayedAnswer | undefined
  let pair: SocketPair | undefined
  let opened = false
  let closed = false
  let bytes = 0
  let ended: Pick<Relayed, 'outcome' | 'cause'> | undefined
  let over = false

  /** What comes after this is not recorded. */
  function end(how: EndKind | undefined, trailers: HeaderList, cause?: string): void {
    if (ended !== undefined) return
    ended = { outcome: how ?? 'complete', cause }
    scribe.take({ type: 'end', how, trailers })
  }

  function finish(how: EndKind | undefined, trailers: HeaderList, cause?: string): void {
    end(how, trailers, cause)
    if (over || ended === undefined) return
    over = true
    const status = opened ? 101 : refusal?.status
    context.onEnd({ status, bytes: refusal?.bytes ?? bytes, ...ended })
  }

  function leave(how: EndKind): void {
    if (over) return
    finish(closed ? undefined : how, [])
    call.abort()
    pair?.destroy()
    request.socket.destroy()
  }

  function answer(): RelayedAnswer {
    refusal ??=
      waiting === undefined
        ? relayAnswer(answerTo(request), context, { isOver: () => over, finish, call: () => call })
        : createLateRefusal(waiting.webSocket, context, { finish })
    return refusal
  }

  function open(service: OpenSocket, fields: HeaderList): void {
    opened = true
    scribe.take({ type: 'open' })
    const join = (webSocket: WebSocket): void => {
      const client = { webSocket, connection: request.socket }
      pair = joinSockets(client, service, {
        message(from, message, frame) {
          scribe.take({ type: 'message', from, frame, bytes: message })
          if (from === 'client') return
          bytes += message.length
          context.onBytes(message.length)
        },
        close(by, code, reason) {
          closed = true
          scribe.take({ type: 'close', by, code, reason: Buffer.from(reason).toString('utf8') })
        },
        ended: (how, broken) =>
          end(how, [], broken && `The service broke the WebSocket protocol: ${broken.message}`),
        over: () => finish(undefined, []),
      })
      waiting?.release()
    }
    if (waiting === undefined) accept(request, early(), fields, join)
    else join(waiting.webSocket)
  }

  scribe.take({ type: 'request', method: 'GET', url: socketUrl(target.recorded), headers })
  const handler: SocketHandler = {
    open,
    head: (...head) => answer().handler.head(...head),
    chunk: piece => answer().handler.chunk(piece),
    end: trailers => answer().handler.end(trailers),
    failed: (...failure) => answer().handler.failed(...failure),
  }
  const { origin, path } = target
  const call = dial({ origin, path, headers: withoutHandshake(requestHeaders(headers)) }, handler)
  function left(): void {
    if (pair === undefined) leave('client-abort')
  }
  const early = waiting === undefined ? readAhead(asking, left) : () => Buffer.alloc(0)
  request.socket.once('close', left)
  // A connection that breaks is closed then.
  request.socket.on('error', () => undefined)
  return { abort: () => leave('truncated') }
}

/** Answers the client's handshake, with the fields that the service gave. A client that has gone gets nothing. */
function accept(
  request: IncomingMessage,
  early: Buffer,
  fields: HeaderList,
  opened: (webSocket: WebSocket) => void,
): void {
  const server = createSocketServer(MAX_MESSAGE_BYTES)
  // `ws` writes a head as UTF-8, and these are one character per byte.
  const lines = fields.map(([name, value]) => Buffer.from(`${name}: ${value}`, 'latin1').toString('utf8'))
  server.on('headers', answer => answer.push(...lines))
  // The subprotocol is the service's to choose, and among its fields.
  delete request.headers['sec-websocket-protocol']
  const { socket }: { readonly socket: Socket } = request
  server.handleUpgrade(request, socket, early, opened)
  socket.resume()
}

/**
 * Reads what a client sends before it has its answer, so that its leaving is seen too: nobody else reads the
 * connection then. Call the result for what came; the connection is paused behind it.
 */
function readAhead({ request: { socket }, head }: SocketRequest, left: () => void): () => Buffer {
  const pieces: Uint8Array[] = [head]
  let bytes = 0
  function take(piece: Uint8Array): void {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= MAX_EARLY_BYTES) socket.pause()
  }
  socket.on('data', take)
  socket.once('end', left)
  return () => {
    socket.off('data', take).off('end', left).pause()
    return Buffer.concat(pieces)
  }
}
