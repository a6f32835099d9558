/**
 * Sockets of clients, by the `ws` package: no compression, and nothing sent that was not commanded but for
 * the answers that the protocol itself asks for (RFC 6455 §5.5: a pong to a ping, a close to a close).
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers'
import type { WebSocket, WebSocketServer } from 'ws'
import { pairHeaders } from '../wire/headers.ts'
import { createHttpAnswer } from './http-answer.ts'
import type { CarriedSocket, RefusedUpgrade, SocketCarrier, SocketPeer } from './socket-carrier.ts'
import type { SocketRequest } from './socket-relay.ts'
import { createSocketServer } from './socket-server.ts'
import { answerTo, type Upgrades } from './upgrade.ts'
import { holdSocket, type SocketData } from './waiting-socket.ts'

/** The longest message of a client, in bytes: far above what a service takes. */
const MAX_MESSAGE_BYTES = 536_870_912

/** A request for a socket. */
interface Asking {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Takes a socket that the replay passes on, or the request for one. */
export type PassSocket = (asking: SocketRequest) => void

/**
 * Takes requests for sockets to the replay.
 *
 * @param note - Takes remarks for the report.
 * @param pass - Answers what the replay passes on, where it was told to.
 */
export function createReplayUpgrades(
  carrier: SocketCarrier,
  note: (text: string) => void,
  pass?: PassSocket,
): Upgrades {
  const server = createSocketServer(MAX_MESSAGE_BYTES)
  return {
    owns: ({ url = '' }) => carrier.owns(url),
    upgrade(request, socket, head) {
      const asking = { request, socket, head: Buffer.from(head) }
      carrier.open(request.url ?? '', pairHeaders(request.rawHeaders), carried =>
        createPeer(asking, server, carried, note, pass),
      )
    },
  }
}

function createPeer(
  { request, socket, head }: Asking,
  server: WebSocketServer,
  carried: CarriedSocket,
  note: (text: string) => void,
  pass: PassSocket | undefined,
): SocketPeer {
  let webSocket: WebSocket | undefined
  /** The message that the carrier is told of right now. */
  let current: SocketData | undefined
  const outflow = createOutflow(socket)
  // A connection that breaks is closed then, and that is told below.
  socket.on('error', () => {})
  // Where no WebSocket comes of it, or before one does. Afterwards the WebSocket knows better how it ended.
  socket.once('close', () => {
    if (webSocket === undefined) carried.closed(1006, undefined)
  })

  function opened(accepted: WebSocket): void {
    webSocket = accepted
    // Without another `binaryType`, a message is one Buffer, however it was fragmented.
    accepted.on('message', (data, isBinary) => {
      if (!(data instanceof Uint8Array)) return
      current = [data, isBinary]
      carried.message(data, isBinary ? 'binary' : 'text')
      current = undefined
    })
    accepted.on('error', error => note(`a client broke the WebSocket protocol: ${error.message}`))
    accepted.once('close', (code, reason) =>
      carried.closed(code === 1005 ? undefined : code, reason.toString('utf8')),
    )
  }

  function drop(): void {
    // Its end goes out behind all that was written; a reset would let some systems throw that away.
    request.socket.destroySoon()
  }

  return {
    accept: () => server.handleUpgrade(request, socket, head, opened),
    refuse: answer => refuse(request, answer, note),
    send(bytes, frame) {
      webSocket?.send(bytes, { binary: frame === 'binary' }, outflow.begin())
    },
    close(code, reason) {
      try {
        webSocket?.close(code, reason)
      } catch (error) {
        note(`a recorded close can't be sent: ${error instanceof Error ? error.message : String(error)}`)
        drop()
      }
    },
    drop,
    pass() {
      if (webSocket === undefined) pass?.({ request, head })
      else pass?.({ request, head: new Uint8Array(), opened: holdSocket(webSocket, current) })
    },
    cut: () => socket.destroy(),
    drain: done => outflow.drain(done),
  }
}

/** What is on its way to a client. */
interface Outflow {
  /** Something is about to be sent; call the result when it has gone out. */
  begin(): () => void
  /** Calls `done` when nothing is on its way any more; never inside the call. */
  drain(done: () => void): void
}

function createOutflow(connection: Duplex): Outflow {
  let unsent = 0
  let drained: (() => void) | undefined
  let gathering = false

  /** What is sent in one turn goes out in one write, and in as few packets as it fits into. */
  function gather(): void {
    if (gathering) return
    gathering = true
    connection.cork()
    process.nextTick(() => {
      gathering = false
      connection.uncork()
    })
  }

  function wentOut(): void {
    unsent -= 1
    if (unsent > 0 || drained === undefined) return
    const tell = drained
    drained = undefined
    tell()
  }

  return {
    begin() {
      unsent += 1
      gather()
      return wentOut
    },
    drain(done) {
      drained = done
      unsent += 1
      setImmediate(wentOut)
    },
  }
}

/** The recorded answer, by what answers any request. */
function refuse(
  request: IncomingMessage,
  { status, reason, headers, body }: RefusedUpgrade,
  note: (text: string) => void,
): void {
  const answer = createHttpAnswer(answerTo(request), why => note(`a recorded refusal can't be sent: ${why}`))
  answer.run([
    { type: 'head', id: 0, status, reason, headers, length: body.length },
    { type: 'chunk', id: 0, bytes: body },
    { type: 'end', id: 0, trailers: [] },
  ])
}
