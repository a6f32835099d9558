/**
 * A request's body on its way to the service, told to a scribe piece by piece.
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import type { WiretapeError } from '../errors.ts'
import type { RecordInput } from '../record/observe.ts'
import { decoderFor } from './decode.ts'
import { unreadableRequest } from './upstream-error.ts'

/** Where what happens is told. */
export interface RequestScribe {
  take(input: RecordInput): void
}

/**
 * The pieces of a body as they come. The next is read when the service has taken the one before.
 *
 * The scribe gets them decoded: a secret can't be seen through compression.
 */
export async function* recordedBody(
  request: IncomingMessage,
  scribe: RequestScribe,
  onUnreadable: (error: WiretapeError) => void,
): AsyncGenerator<Uint8Array> {
  const encoding = request.headers['content-encoding']
  const decoder = decoderFor(encoding)
  if (decoder === 'unknown') onUnreadable(unreadableRequest(encoding))
  // A service that answers early must not cost the client its connection.
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    if (!(piece instanceof Uint8Array)) continue
    const decoded =
      typeof decoder === 'string'
        ? piece
        : await decoder.push(piece).catch(() => {
            onUnreadable(unreadableRequest(encoding))
            return piece
          })
    scribe.take({ type: 'request-chunk', bytes: decoded })
    yield piece
  }
  if (typeof decoder !== 'string') decoder.close()
  scribe.take({ type: 'request-end' })
}
