/**
 * Takes requests of `node:http` to the replay: the whole body first, since it says which exchange is meant.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pairHeaders } from '../wire/headers.ts'
import { decodedBody } from './decode.ts'
import { createHttpAnswer } from './http-answer.ts'
import type { RequestHandler } from './listener.ts'
import { originOf } from './reached.ts'
import type { Answer, ReplayCarrier } from './replay-carrier.ts'

/** Takes a request that the replay passes on, with its whole body as it came. */
export type PassRequest = (request: IncomingMessage, body: Uint8Array, response: ServerResponse) => void

/**
 * Answers every request from the replay.
 *
 * @param note - Takes remarks for the report.
 * @param redact - Takes secrets out of a URL, for those remarks.
 * @param prefix - What stands before every path that the client was given, e.g. `/t/greeting`; nothing unless set.
 * @param pass - Answers what the replay passes on, where it was told to.
 */
export function createReplayHandler(
  carrier: ReplayCarrier,
  note: (text: string) => void,
  redact: (url: string) => string,
  prefix = '',
  pass?: PassRequest,
): RequestHandler {
  const asked = ({ method, url = '' }: IncomingMessage): string => `${method} ${path(redact(url))}`

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    raw: Uint8Array,
    body: Uint8Array,
  ): void {
    const { method = '', url = '', rawHeaders } = request
    const sink = createHttpAnswer(response, why =>
      note(`the recorded head of ${asked(request)} can't be sent: ${why}`),
    )
    const origin = `${originOf(request)}${prefix}`
    let passed = false
    const answering: Answer = {
      run: commands => sink.run(commands),
      pass() {
        passed = true
        pass?.(request, raw, response)
      },
    }
    const carried = carrier.request(
      { method, url, headers: pairHeaders(rawHeaders), body, origin },
      answering,
    )
    if (passed) return
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
      const raw = joined(pieces)
      const encoding = request.headers['content-encoding']
      // Most are not compressed, and need no turn of their own.
      if (encoding === undefined) answer(request, response, raw, raw)
      else void decodedBody(raw, encoding).then(body => answer(request, response, raw, body))
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
