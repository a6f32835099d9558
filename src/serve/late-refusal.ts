/**
 * The service refuses a socket that the client has open already: the refusal is recorded as any other, and the
 * client gets a close.
 *
 * Room: serve.
 */
import type { WebSocket } from 'ws'
import { fittingReason } from '../wire/close.ts'
import { endToEndHeaders, headerValue } from '../wire/headers.ts'
import type { RelayedAnswer, RelayState } from './relay-answer.ts'
import type { RelayContext } from './relay.ts'
import { unreachable, unreadable } from './upstream-error.ts'

/** Something went wrong at our end (RFC 6455 §7.4.1): the service, as far as the client can know. */
const INTERNAL_ERROR = 1011

/** What records the refusal of a socket, and closes the client's. */
export function createLateRefusal(
  webSocket: WebSocket,
  { scribe, target, onBytes, onUnreadable }: RelayContext,
  state: Pick<RelayState, 'finish'>,
): RelayedAnswer {
  let status: number | undefined
  let bytes = 0

  function close(reason: string): void {
    webSocket.close(INTERNAL_ERROR, fittingReason(reason))
    webSocket.resume()
  }

  return {
    get status() {
      return status
    },
    get bytes() {
      return bytes
    },
    handler: {
      head(code, reason, headers) {
        status = code
        const kept = endToEndHeaders(headers)
        // We have asked for none, and what is encoded can't be looked over for secrets.
        const encoding = headerValue(kept, 'content-encoding')
        if (encoding !== undefined) onUnreadable(unreadable(target.origin, encoding))
        scribe.take({ type: 'response', status: code, reason, headers: target.stored(kept) })
      },
      chunk(chunk) {
        bytes += chunk.length
        onBytes(chunk.length)
        scribe.take({ type: 'response-chunk', bytes: chunk })
      },
      end(trailers) {
        state.finish(undefined, trailers)
        close(`The service has refused the socket with status ${status}.`)
      },
      failed(failure, cause) {
        const [why = ''] = unreachable(target.origin, cause).message.split('\n')
        state.finish(failure === 'reset' ? 'upstream-reset' : 'upstream-error', [], why)
        close(why)
      },
    },
  }
}
