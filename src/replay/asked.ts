/**
 * What a request asks for, recorded or received, in the form in which the two are compared.
 *
 * Room: replay.
 */
import { operationOf } from '../dialect/dialect.ts'
import { type Redactor, unnumbered } from '../redact/redactor.ts'
import { comparableBody, type ComparableBody } from './body.ts'
import type { ReplayInput } from './http.ts'

/** What a request asks for. */
export interface Asked {
  /** The operation as it is shown, e.g. `POST models/m:generateContent`. */
  readonly operation: string
  /** The operation without the numbers of placeholders: what is compared. */
  readonly route: string
  /** The body, ready to be compared. */
  body(): ComparableBody
}

/** A request as it comes from a carrier. */
export type RequestInput = Extract<ReplayInput, { readonly type: 'request' }>

/**
 * What a received request asks for. Redacted as a recording of it would be: so it compares with
 * placeholders, and may be shown.
 */
export function askedBy({ method, url, body }: RequestInput, redactor: Redactor): Asked {
  const { dialect, key } = operationOf({ method, url: redactor.url(url) })
  return {
    operation: key,
    route: unnumbered(key),
    body: once(() => comparableBody(redacted(body, redactor), dialect)),
  }
}

/** Works something out when it is first asked for, and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

function redacted(body: Uint8Array, redactor: Redactor): Uint8Array {
  if (body.length === 0) return body
  const by = redactor.body()
  const parts = [by.push(body).bytes, by.end().bytes]
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
