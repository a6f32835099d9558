/**
 * A request's body on its way to the service, told to a scribe chunk by chunk.
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import type { WiretapeError } from '../errors.ts'
import { decoderFor } from './decode.ts'
import type { Scribe } from './scribe.ts'
import { unreadableRequest } from './upstream-error.ts'

/**
 * The chunks of a body as they come. The next is read when the service has taken the one before.
 *
 * The scribe gets them decoded: a secret can't be seen through compression.
 */
export async function* recordedBody(
  request: IncomingMessage,
  scribe: Scribe,
  onUnreadable: (error: WiretapeError) => void,
): AsyncGenerator<Uint8Array> {
  const encoding = request.headers['content-encoding']
  const decoder = decoderFor(encoding)
  if (decoder === 'unknown') onUnreadable(unreadableRequest(encoding))
  // A service that answers early must not cost the client its connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue
    const decoded =
      typeof decoder === 'string'
        ? chunk
        : await decoder.push(chunk).catch(() => {
            onUnreadable(unreadableRequest(encoding))
            return chunk
          })
    scribe.take({ type: 'request-chunk', bytes: decoded })
    yield chunk
  }
  if (typeof decoder !== 'string') decoder.close()
  scribe.take({ type: 'request-end' })
}
