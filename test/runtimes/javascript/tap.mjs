/**
 * A plain WebSocket relay in front of the service: it hands every message on as it is, and remembers what the
 * client said. So a program can tell what its runtime sent without touching the runtime.
 */
import { once } from 'node:events'
import { WebSocket, WebSocketServer } from 'ws'

/** Starts a relay to a base URL (`http://...`). `sent` has a list for each connection, of what the client sent. */
export async function startTap(baseUrl) {
  const sent = []
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  server.on('connection', (client, request) => {
    const said = []
    sent.push(said)
    // The SDK asks for `//ws/...`, which as a relative URL would name a host.
    const address = `${baseUrl.replace(/^http/, 'ws').replace(/\/$/, '')}${request.url}`
    const service = new WebSocket(address, { perMessageDeflate: false })
    const early = []
    client.on('message', (data, isBinary) => {
      said.push(JSON.parse(new TextDecoder().decode(data)))
      if (service.readyState === WebSocket.OPEN) service.send(data, { binary: isBinary })
      else early.push([data, isBinary])
    })
    service.on('open', () => {
      for (const [data, isBinary] of early) service.send(data, { binary: isBinary })
    })
    service.on('message', (data, isBinary) => client.send(data, { binary: isBinary }))
    client.on('close', (code, reason) => hangUp(service, code, reason))
    service.on('close', (code, reason) => hangUp(client, code, reason))
    client.on('error', () => service.terminate())
    service.on('error', () => client.terminate())
  })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    sent,
    close() {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

/** 1005 is a close without a code, 1006 none at all. Neither can be sent. */
function hangUp(socket, code, reason) {
  if (code === 1006) socket.terminate()
  else if (code === 1005) socket.close()
  else socket.close(code, reason)
}
