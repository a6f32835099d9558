/**
 * The two ways in which a response of `node:http` ends here: as HTTP says, and by a cut.
 *
 * Room: serve.
 */
import type { ServerResponse } from 'node:http'
import type { HeaderList } from '../wire/headers.ts'

/** Ends a response, with its trailers if it has any. */
export function endResponse(response: ServerResponse, trailers: HeaderList): void {
  if (trailers.length > 0) {
    response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]))
  }
  response.end()
}

/**
 * Cuts the connection when what was written has gone out. The client gets all of it, and then an end
 * without the last chunk: a reset would let some systems throw away what the client has not read.
 */
export function cutResponse(response: ServerResponse): void {
  const { socket } = response
  if (socket === null) response.destroy()
  else socket.destroySoon()
}
