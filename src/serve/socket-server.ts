/**
 * The server's side of a handshake by the `ws` package: no compression, and nothing judged that is not ours to judge.
 *
 * Room: serve.
 */
import { WebSocketServer } from 'ws'

/**
 * Makes what takes a client's handshake, on a connection that somebody else has accepted.
 *
 * @param maxPayload - The longest message that is taken, in bytes.
 */
export function createSocketServer(maxPayload: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    // What an app sends is relayed, recorded and compared as it is, also where it is no UTF-8.
    skipUTF8Validation: true,
  })
}
