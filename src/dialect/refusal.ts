/**
 * An answer that says no, in the shape in which the service itself says it.
 *
 * Room: dialect.
 */
import type { HeaderList } from '../wire/headers.ts'
import { encodeUtf8 } from '../wire/text.ts'

/** A whole answer that refuses a request. */
export interface Refusal {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Uint8Array
}

/** Why a request is refused. */
export interface RefusalReason {
  /** For programs, e.g. `WIRETAPE_NO_MATCH`. */
  readonly reason: string
  /** For people; every SDK shows it. */
  readonly message: string
  /** Facts for programs, if there are any. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/**
 * Refuses a request with 400 FAILED_PRECONDITION and an `ErrorInfo`.
 *
 * No SDK retries a 400 and no app takes it for "gone", as it would a 404. Always JSON, also where events
 * were asked for: as an event stream one SDK nests the whole body as a string in its error. The body is
 * spelled as google.rpc.Status is: two blanks of indent and a last line feed.
 */
export function refusal({ reason, message, metadata }: RefusalReason): Refusal {
  // JSON leaves out what is undefined.
  const details = [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'wiretape', metadata },
  ]
  const error = { code: 400, message, status: 'FAILED_PRECONDITION', details }
  return {
    status: 400,
    headers: [['content-type', 'application/json; charset=UTF-8']],
    body: encodeUtf8(`${JSON.stringify({ error }, null, 2)}\n`),
  }
}
