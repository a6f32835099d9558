/**
 * What a request asks for, recorded or received, in the form in which the two are compared.
 *
 * Room: replay.
 */
import { operationOf } from '../dialect/operation.ts'
import type { Redactor } from '../redact/redactor.ts'
import { withoutOrigin } from '../wire/url.ts'
import type { Pointer } from '../wire/pointer.ts'
import { comparableBody, type ComparableBody, plainBody } from './body.ts'
import type { ReplayInput } from './http.ts'
import { headerRecord, type MatchRequest } from './matching.ts'

/** What a request asks for. */
export interface Asked {
  /** The operation, e.g. `POST models/m:generateContent`. */
  readonly operation: string
  /** Path and query as they were sent, but for secrets: tells two uploads apart, whose operation is the same. */
  readonly target: string
  /** The body, ready to be compared. */
  body(): ComparableBody
  /** All of it as plain data, for a function of the user's. */
  plain(): MatchRequest
}

/** A request as it comes from a carrier. */
export type RequestInput = Extract<ReplayInput, { readonly type: 'request' }>

/**
 * What a received request asks for. Redacted as a recording of it would be, what its headers give away
 * included: so it compares with placeholders, and may be shown.
 *
 * @param ignored - What of a JSON body does not count.
 */
export function askedBy(
  { method, url, headers, body }: RequestInput,
  redactor: Redactor,
  ignored: readonly Pointer[],
): Asked {
  const safe = redactor.url(url)
  const fields = redactor.headers(headers)
  const { dialect, key } = operationOf({ method, url: safe })
  const comparable = once(() => comparableBody(redactor.whole(body).bytes, headers, dialect, ignored))
  return {
    operation: key,
    target: withoutOrigin(safe),
    body: comparable,
    plain: once(() => ({
      operation: key,
      method,
      url: safe,
      headers: headerRecord(fields),
      body: plainBody(comparable()),
    })),
  }
}

/** Works something out when it is first asked for, and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
