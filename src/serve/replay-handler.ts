/**
 * Takes requests of `node:http` to the replay: the whole body first, since it says which exchange is meant.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pairHeaders } from '../wire/headers.ts'
import { type Decoder, decoderFor } from './decode.ts'
import { createHttpAnswer } from './http-answer.ts'
import type { RequestHandler } from './listener.ts'
import type { ReplayCarrier } from './replay-carrier.ts'

/**
 * Answers every request from the replay.
 *
 * @param note - Takes remarks for the report.
 * @param redact - Takes secrets out of a URL, for those remarks.
 */
export function createReplayHandler(
  carrier: ReplayCarrier,
  note: (text: string) => void,
  redact: (url: string) => string,
): RequestHandler {
  const asked = ({ method, url = '' }: IncomingMessage): string => `${method} ${path(redact(url))}`

  function answer(request: IncomingMessage, response: ServerResponse, body: Uint8Array): void {
    const { method = '', url = '', headers, rawHeaders } = request
    const sink = createHttpAnswer(response, why =>
      note(`the recorded head of ${asked(request)} can't be sent: ${why}`),
    )
    const origin = `http://${headers.host ?? '127.0.0.1'}`
    const carried = carrier.request({ method, url, headers: pairHeaders(rawHeaders), body, origin }, sink)
    const over = (): void => (sink.isOver() ? carried.sent() : carried.gone())
    if (response.destroyed || response.closed) over()
    else response.once('close', over)
  }

  return (request, response) => {
    const pieces: Uint8Array[] = []
    let whole = false
    request.on('data', (piece: Uint8Array) => pieces.push(piece))
    request.once('end', () => {
      whole = true
      const body = joined(pieces)
      const decoder = decoderFor(request.headers['content-encoding'])
      if (typeof decoder === 'string') answer(request, response, body)
      else void decoded(body, decoder).then(plain => answer(request, response, plain))
    })
    request.once('close', () => {
      if (!whole) note(`a client left before it had sent the whole of ${asked(request)}`)
    })
    // What is wrong is told by the close that follows.
    request.on('error', () => {})
  }
}

/** Without its query. */
function path(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces)
}

/** A body as a recording of it is. What can't be decoded stays as it is, and matches nothing. */
async function decoded(body: Uint8Array, decoder: Decoder): Promise<Uint8Array> {
  try {
    return await decoder.push(body)
  } catch {
    return body
  } finally {
    decoder.close()
  }
}
