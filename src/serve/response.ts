/**
 * Responses of `node:http`: how they begin, how their bodies go out, and the two ways in which they end, as
 * HTTP says and by a cut.
 *
 * Room: serve.
 */
import type { ServerResponse } from 'node:http'
import { headerValue, type HeaderList } from '../wire/headers.ts'
import { frameChunks, frameEnd } from './chunk-frames.ts'
import { readableByPage } from './own-pages.ts'

/** The body of a response that has its head. */
export interface ResponseBody {
  /**
   * Sends chunks in one write, each as one chunk of the transfer coding, so that its edges survive. False where
   * the client can't take more now: the response emits `drain` when it can.
   */
  write(chunks: readonly Uint8Array[]): boolean
  /** Ends the response, with its trailers if it has any. */
  end(trailers: HeaderList): void
}

/**
 * Gives a response its head. No date is added, of framing only what HTTP needs, and what a page of this machine
 * needs to read it.
 *
 * @throws whatever `node:http` throws where HTTP can't carry the head.
 */
export function beginResponse(
  response: ServerResponse,
  status: number,
  reason: string,
  headers: HeaderList,
): ResponseBody {
  const isChunked = needsChunks(response, status, headers)
  const framing = isChunked ? ['Transfer-Encoding', 'chunked'] : []
  response.sendDate = false
  response.writeHead(status, reason, [...readableByPage(response.req, headers).flat(), ...framing])
  if (!isChunked) return bodyByNode(response)
  // The frames are ours: `node:http` would send each chunk in four pieces, which takes most of the time of a
  // stream of small events.
  response.chunkedEncoding = false
  return {
    write: chunks => response.write(frameChunks(chunks)),
    end: trailers => void response.end(frameEnd(trailers)),
  }
}

/** True where a body has to be framed by chunks, as the services do it, since nothing says how long it is. */
function needsChunks(response: ServerResponse, status: number, headers: HeaderList): boolean {
  // RFC 9112 §6.3: no body at all. `useChunkedEncodingByDefault` is false for clients of HTTP/1.0.
  if (response.req.method === 'HEAD' || status === 204 || status === 304) return false
  return response.useChunkedEncodingByDefault && headerValue(headers, 'content-length') === undefined
}

function bodyByNode(response: ServerResponse): ResponseBody {
  return {
    write: chunks => chunks.map(chunk => response.write(chunk)).at(-1) ?? true,
    end: () => void response.end(),
  }
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
