/**
 * A relay that stands between an app and a server, and changes what one of the answers says.
 *
 * On undici and `ws`, since the demo watches the `fetch` of its process.
 */
import { createServer } from 'node:http'
import undici from 'undici'
import { onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { closeServer, listenOnLoopback } from '../peers/loopback.ts'

/**
 * Starts one in front of `url` that puts `change` over the body of the answer with this number, from 1. The
 * answers of a socket are its messages, and `change` is put over all of them.
 */
export async function relayTo(
  url: string,
  number: number,
  change: (body: Buffer) => Buffer,
): Promise<string> {
  let answers = 0
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part)
    const answer = await undici.request(url + request.url, {
      method: 'POST',
      headers: { 'content-type': request.headers['content-type'] ?? '' },
      body: Buffer.concat(parts),
    })
    answers += 1
    const body = Buffer.from(await answer.body.arrayBuffer())
    response.writeHead(answer.statusCode, answer.headers)
    response.end(answers === number ? change(body) : body)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (app, request) => {
    answers += 1
    relaySocket(app, `${url.replace('http', 'ws')}${request.url}`, answers === number ? change : body => body)
  })
  onTestFinished(() => closeServer(server))
  return listenOnLoopback(server)
}

function relaySocket(app: WebSocket, url: string, change: (message: Buffer) => Buffer): void {
  const service = new WebSocket(url)
  const opened = new Promise(resolve => service.once('open', resolve))
  app.on('message', async data => {
    await opened
    service.send((data as Buffer).toString())
  })
  service.on('message', (data, binary) => app.send(change(data as Buffer), { binary }))
  for (const [one, other] of [
    [app, service],
    [service, app],
  ] as const) {
    one.on('close', code => (code === 1005 ? other.close() : other.terminate()))
  }
}
