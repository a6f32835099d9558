/** Lets any server listen on a free port of the loopback, and ends it. */
import type { Server as HttpServer } from 'node:http'
import type { Server } from 'node:net'

/** Starts listening. Returns the base URL. */
export async function listenOnLoopback(server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address')
  return `http://127.0.0.1:${address.port}`
}

/** Cuts what is open, and resolves when the port is free. */
export function closeServer(server: HttpServer): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
