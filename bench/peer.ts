/**
 * The processes beside the one that measures: a replay, and what it is held against. Each says its URL as a
 * line of JSON, and ends when it is asked to.
 */
import { createServer, request as ask } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { said as hourSays } from '../test/memory/hour.ts'
import { importBuilt } from './built.ts'
import { LIVE_ANSWERS, LIVE_PATH, spelled, SSE_BODY, SSE_PATH, SSE_PIECES } from './recordings.ts'

/** Says something as JSON, mostly the URL that it can be reached at. */
type Peer = (...words: readonly string[]) => Promise<object>

const PEERS: Readonly<Record<string, Peer>> = {
  /** The published package, replaying. */
  async replay(file = '', pace = 'instant') {
    const { createReplayServer } = await importBuilt()
    const { url } = await createReplayServer(file, pace === 'recorded' ? { pace } : {})
    return { url }
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

  /** Loads a cassette again and again; says how long each took, until its first event was there. */
  async load(api = '', file = '', rounds = '1') {
    const { createReplayServer } = await importBuilt()
    const times: number[] = []
    for (let round = 0; round <= Number(rounds); round += 1) {
      const began = performance.now()
      const server = await createReplayServer(file)
      await (api === 'live' ? firstMessage(server.url) : firstEvent(server.url))
      times.push(performance.now() - began)
      // What is left over is no matter here.
      await server.close().catch(() => undefined)
    }
    return { times }
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

/** Resolves when the first event of an answer is there. */
function firstEvent(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = ask(url + SSE_PATH, { method: 'POST', agent: false }, response => {
      response.once('data', () => {
        resolve()
        response.destroy()
      })
    })
    asked.on('error', reject).end(SSE_BODY)
  })
}

/** Resolves when the first message of a session is there. */
function firstMessage(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${LIVE_PATH}`, { perMessageDeflate: false })
    socket.once('open', () => socket.send(hourSays(0)))
    socket.once('error', reject)
    socket.once('message', () => {
      resolve()
      socket.terminate()
    })
  })
}

function listening(server: Server): Promise<object> {
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    )
  })
}

process.once('SIGINT', () => process.exit(0))
// Whoever measured is gone.
process.stdin.on('end', () => process.exit(0)).resume()
const [, , kind = '', ...words] = process.argv
console.log(JSON.stringify(await PEERS[kind]?.(...words)))
