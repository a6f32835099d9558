/**
 * The processes beside the one that measures: a replay, and what it is held against. Each says its URL as a
 * line of JSON, and ends when it is asked to.
 */
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { importBuilt } from './built.ts'
import { LIVE_ANSWERS, spelled, SSE_PIECES } from './recordings.ts'

type Peer = (...words: readonly string[]) => Promise<string>

const PEERS: Readonly<Record<string, Peer>> = {
  /** The published package, replaying. */
  async replay(file = '', pace = 'instant') {
    const { createReplayServer } = await importBuilt()
    return (await createReplayServer(file, pace === 'recorded' ? { pace } : {})).url
  },

  /** The same answer, without a recording. */
  http() {
    const pieces = SSE_PIECES.map(piece => Buffer.from(piece))
    return listening(
      createServer({ keepAliveTimeout: 0 }, (request, response) => {
        request.resume().once('end', () => {
          response.sendDate = false
          response.writeHead(200, 'OK', ['content-type', 'text/event-stream'])
          for (const piece of pieces) response.write(piece)
          response.end()
        })
      }),
    )
  },

  /** The same session, without a recording. */
  async ws() {
    const answers = LIVE_ANSWERS.map(messages => messages.map(message => Buffer.from(spelled(message))))
    const http = createServer()
    const server = new WebSocketServer({ server: http, perMessageDeflate: false })
    server.on('connection', (socket: WebSocket) => {
      let turn = 0
      socket.on('message', () => {
        for (const answer of answers[turn] ?? []) socket.send(answer, { binary: true })
        turn += 1
      })
    })
    return listening(http)
  },

  /** Bytes in, bytes out, both ways. */
  pipe(port = '0') {
    return listening(
      createTcpServer({ noDelay: true }, client => {
        const service = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
        client.pipe(service).pipe(client)
        client.on('error', () => service.destroy())
        service.on('error', () => client.destroy())
      }),
    )
  },
}

function listening(server: Server): Promise<string> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

process.once('SIGINT', () => process.exit(0))
// Whoever measured is gone.
process.stdin.on('end', () => process.exit(0)).resume()
const [, , kind = '', ...words] = process.argv
const url = await PEERS[kind]?.(...words)
console.log(JSON.stringify({ url }))
