/** A plain service of sockets, by the `ws` package. */
import { createServer, type IncomingMessage } from 'node:http'
import { EventEmitter, once } from 'node:events'
import { type WebSocket, WebSocketServer } from 'ws'
import { closeServer, listenOnLoopback } from './loopback.ts'

/** Called for each socket that is opened. */
export type SocketScript = (socket: WebSocket, request: IncomingMessage) => void

/** A running service. */
export interface SocketUpstream {
  readonly url: string
  /** The sockets it has opened. */
  readonly sockets: readonly WebSocket[]
  readonly requests: readonly IncomingMessage[]
  /** The newest of them, once there are so many. */
  opened(count: number): Promise<WebSocket>
  close(): Promise<void>
}

/** Starts one on a free port of the loopback. */
export async function startSocketUpstream(script: SocketScript = () => {}): Promise<SocketUpstream> {
  const sockets: WebSocket[] = []
  const requests: IncomingMessage[] = []
  const signal = new EventEmitter()
  const http = createServer((_, response) => response.writeHead(426).end())
  const server = new WebSocketServer({ server: http, skipUTF8Validation: true })
  server.on('connection', (socket, request) => {
    sockets.push(socket)
    requests.push(request)
    socket.on('error', () => {})
    script(socket, request)
    signal.emit('change')
  })
  const url = await listenOnLoopback(http)
  return {
    url,
    sockets,
    requests,
    async opened(count) {
      while (sockets.length < count) await once(signal, 'change')
      return sockets[count - 1] as WebSocket
    },
    close() {
      for (const socket of sockets) socket.terminate()
      return closeServer(http)
    },
  }
}
