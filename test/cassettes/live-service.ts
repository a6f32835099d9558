/** A plain WebSocket server that plays recorded sockets, one after another, and matches nothing. */
import { once } from 'node:events'
import { WebSocketServer } from 'ws'
import type { BlobSource, Exchange } from '../../src/cassette/model.ts'
import { socketClose, socketMessages } from '../../src/cassette/play.ts'
import { live } from '../../src/dialect/live.ts'

/** A running service. */
export interface LiveService {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** What came on each socket, in order. */
  readonly heard: readonly (readonly string[])[]
  close(): void
}

/** Plays each exchange to the next socket, in its order: where the client spoke, it waits for a message. */
export async function startLiveService(
  exchanges: readonly Exchange[],
  blobs: BlobSource,
): Promise<LiveService> {
  const heard: string[][] = []
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', socket => {
    const messages: string[] = []
    const exchange = exchanges[heard.push(messages) - 1]
    if (exchange === undefined) {
      socket.close(1008, 'asked once too often')
      return
    }
    const script = [...socketMessages(exchange, live, blobs)]
    const close = socketClose(exchange)
    let waits = 0
    const play = (): void => {
      for (let next = script[0]; next !== undefined; next = script[0]) {
        if (next.from === 'client' && waits === 0) return
        if (next.from === 'client') waits -= 1
        else socket.send(next.bytes, { binary: next.frame === 'binary' })
        script.shift()
      }
      if (close?.by === 'server') socket.close(close.code, close.reason)
    }
    socket.on('message', (data: Buffer) => {
      messages.push(data.toString())
      waits += 1
      play()
    })
  })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    heard,
    close() {
      server.clients.forEach(client => client.terminate())
      server.close()
    },
  }
}
