/**
 * A client's socket that is open and waits for somebody at its other end: what it sends is kept until then.
 *
 * Room: serve.
 */
import type { RawData, WebSocket } from 'ws'

/** An open socket that waits. */
export interface WaitingSocket {
  readonly webSocket: WebSocket
  /** Whoever listens for messages by now gets those that have come, and then the others as they come. */
  release(): void
}

/** A message as `ws` tells of it. */
export type SocketData = readonly [data: RawData, isBinary: boolean]

/** A broken frame: `ws` closes the socket for it, and that is noticed. */
const ignore = (): void => undefined

/**
 * Lets a socket wait. Who has listened to it so far hears no more.
 *
 * @param first - A message that has come and is still to be told of.
 */
export function holdSocket(webSocket: WebSocket, first: SocketData | undefined): WaitingSocket {
  const messages = first === undefined ? [] : [first]
  const keep = (...message: SocketData): void => void messages.push(message)
  for (const event of ['message', 'error', 'close']) webSocket.removeAllListeners(event)
  webSocket.on('message', keep)
  webSocket.on('error', ignore)
  // What is in a packet that was read already comes nevertheless.
  webSocket.pause()
  return {
    webSocket,
    release() {
      webSocket.off('message', keep)
      webSocket.off('error', ignore)
      webSocket.resume()
      for (const message of messages) webSocket.emit('message', ...message)
    },
  }
}
