/**
 * Two open sockets, the app's and the service's, as one: what comes on either goes out on the other, at once,
 * in order and unchanged, and neither outlives the other.
 *
 * Pings are answered on the side on which they come; the `ws` package does that.
 *
 * Room: serve.
 */
import { WebSocket } from 'ws'
import type { EndKind } from '../wire/exchange.ts'
import type { OpenSocket } from './upstream-socket.ts'

/** Who sent something. */
export type Side = 'client' | 'server'

/** Told of what passes, each before it goes on. */
export interface PairListener {
  message(from: Side, bytes: Uint8Array, frame: 'text' | 'binary'): void
  /** The first close frame. `code` is undefined for one without. */
  close(by: Side, code: number | undefined, reason: Uint8Array): void
  /** One of the two is gone, or is to be; told once. Undefined: after a close. `broken`: what the service did wrong. */
  ended(how: EndKind | undefined, broken?: Error): void
  /** Both are gone. */
  over(): void
}

/** A pair of sockets. */
export interface SocketPair {
  /** Cuts both. */
  destroy(): void
}

/** So many bytes may wait to be sent, then their sender is kept from sending more. */
const HIGH_WATER = 1_048_576
/** It goes on when no more than so many wait. */
const LOW_WATER = 262_144

interface End extends OpenSocket {
  readonly side: Side
  /** Sends a close frame, unless one was sent already. */
  close(code: number | undefined, reason: Uint8Array): void
}

/** Joins two sockets that have just been opened, before anything was read from either. */
export function joinSockets(client: OpenSocket, service: OpenSocket, listener: PairListener): SocketPair {
  let isClosed = false
  let isEnded = false
  let gone = 0

  function ended(how: EndKind | undefined, broken?: Error): void {
    if (isEnded) return
    isEnded = true
    listener.ended(how, broken)
  }

  function closeFrame(from: End, to: End, code: number | undefined, reason: Uint8Array): void {
    if (isClosed || isEnded) return
    isClosed = true
    listener.close(from.side, code, reason)
    to.close(code, reason)
  }

  function lost(to: End, how: EndKind, broken?: Error): void {
    if (isClosed) ended(undefined)
    else ended(how, broken)
    // Its end goes out behind all that was relayed; a reset would let some systems throw that away.
    if (!isClosed) to.connection.destroySoon()
  }

  function relay(from: End, to: End): void {
    const { side, webSocket } = from
    const resume = (): void => {
      if (webSocket.isPaused && to.webSocket.bufferedAmount <= LOW_WATER) webSocket.resume()
    }
    // Without another `binaryType`, a message is one Buffer, however it was fragmented.
    webSocket.on('message', (data, isBinary) => {
      // Nothing reaches a side that has closed.
      if (!(data instanceof Uint8Array) || to.webSocket.readyState !== WebSocket.OPEN) return
      listener.message(side, data, isBinary ? 'binary' : 'text')
      to.webSocket.send(data, { binary: isBinary }, resume)
      if (to.webSocket.bufferedAmount > HIGH_WATER) webSocket.pause()
    })
    // What comes breaks the protocol; `ws` has told its sender so.
    webSocket.on('error', broken => {
      if (side === 'client') lost(to, 'client-abort')
      else lost(to, 'upstream-error', broken)
    })
    webSocket.once('close', () => {
      lost(to, side === 'client' ? 'client-abort' : 'upstream-reset')
      gone += 1
      if (gone === 2) listener.over()
    })
  }

  const [app, api]: [End, End] = [
    endOf('client', client, (code, reason) => closeFrame(app, api, code, reason)),
    endOf('server', service, (code, reason) => closeFrame(api, app, code, reason)),
  ]
  relay(app, api)
  relay(api, app)
  return {
    destroy() {
      isEnded = true
      for (const { webSocket } of [client, service]) webSocket.terminate()
    },
  }
}

/**
 * `ws` tells of a close when the connection has ended, which may be long after the frame came; but it answers
 * the frame at once, by its own `close` with what it holds. (That call has a code and no reason where it
 * complains of a broken frame.)
 */
function endOf(
  side: Side,
  socket: OpenSocket,
  onFrame: (code: number | undefined, reason: Uint8Array) => void,
): End {
  const { webSocket } = socket
  const close = webSocket.close.bind(webSocket)
  webSocket.close = (code, reason) => {
    if (code === undefined || reason !== undefined) onFrame(code, Buffer.from(reason ?? ''))
    close(code, reason)
  }
  return {
    ...socket,
    side,
    close(code, reason) {
      if (code === undefined) close()
      else close(code, Buffer.from(reason))
    },
  }
}
