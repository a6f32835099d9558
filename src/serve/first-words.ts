/**
 * What the client of a tunnel is about to speak, before it is decided who answers it.
 *
 * Room: serve.
 */
import type { Socket } from 'node:net'
import { offeredProtocols } from '../wire/client-hello.ts'

/** `http/1.1`: that, or nothing is known against it. `other`: only what we do not speak, such as gRPC's HTTP/2. */
export type Speech = 'http/1.1' | 'other'

/**
 * Reads as much as it takes, and gives it back to the connection, which is paused then.
 *
 * @param told - Not called where the client leaves before.
 */
export function listenFirst(socket: Socket, head: Uint8Array, told: (speech: Speech) => void): void {
  const pieces: Uint8Array[] = []

  function take(piece: Uint8Array): void {
    pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    const offered = offeredProtocols(bytes)
    if (offered === 'more') return
    socket.off('data', take).off('end', left).pause()
    socket.unshift(bytes)
    told(offered === undefined || offered.includes('http/1.1') ? 'http/1.1' : 'other')
  }

  function left(): void {
    socket.destroy()
  }

  if (head.length > 0) socket.unshift(head)
  socket.on('data', take).once('end', left)
}
