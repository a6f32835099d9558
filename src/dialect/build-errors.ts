/**
 * Errors of the services, as they are written by hand: of a whole answer, and in mid-stream.
 *
 * Room: dialect.
 */
import type { JsonObject, JsonValue } from '../wire/json.ts'
import { plainObject, wrongUse } from './build-items.ts'

/** An error in mid-stream. */
export interface ErrorItem {
  /** Always `error`. */
  readonly type: 'error'
  /** What it says. */
  readonly error: ErrorBody
  /** Whether it is an event, or bare JSON in the stream. */
  readonly framing: 'event' | 'bare'
}

/** What an error of the service says. */
export interface ErrorBody {
  /** The status of HTTP that it has, or would have. */
  readonly code: number
  /** For people. */
  readonly message: string
  /** E.g. `RESOURCE_EXHAUSTED`. */
  readonly status: string
  /** `google.rpc` messages with their `@type`. */
  readonly details: readonly JsonValue[]
}

/** What of an error is not its code and message. */
export interface ErrorOptions {
  /** E.g. `RESOURCE_EXHAUSTED`; the usual one of the code unless given. */
  readonly status?: string | undefined
  /** `google.rpc` messages with their `@type`. */
  readonly details?: readonly object[] | undefined
  /** Adds a `RetryInfo` with this delay to the details, e.g. `17.2s`. */
  readonly retryDelay?: string | undefined
}

/** Each code with its usual status and message: google.rpc.Code as HTTP has it, and 499. */
const ERRORS: ReadonlyMap<number, readonly [status: string, message: string]> = new Map([
  [400, ['INVALID_ARGUMENT', 'Request contains an invalid argument.']],
  [401, ['UNAUTHENTICATED', 'Request had invalid authentication credentials.']],
  [403, ['PERMISSION_DENIED', 'The caller does not have permission.']],
  [404, ['NOT_FOUND', 'Requested entity was not found.']],
  [409, ['ABORTED', 'The operation was aborted.']],
  [429, ['RESOURCE_EXHAUSTED', 'You exceeded your current quota.']],
  [499, ['CANCELLED', 'The operation was cancelled.']],
  [500, ['INTERNAL', 'An internal error has occurred.']],
  [501, ['UNIMPLEMENTED', 'The operation is not implemented.']],
  [503, ['UNAVAILABLE', 'The model is overloaded. Please try again later.']],
  [504, ['DEADLINE_EXCEEDED', 'The deadline expired before the operation could complete.']],
])

/** The parts of an error, the usual ones where they are not given. */
export function errorBody(code: number, message: string | undefined, options: ErrorOptions): ErrorBody {
  const usual = ERRORS.get(code)
  const status = options.status ?? usual?.[0]
  const said = message ?? usual?.[1]
  if (status === undefined || said === undefined) {
    throw wrongUse(
      `There is no usual error for ${code}.`,
      `Say what it says: (${code}, 'its message', { status: 'ITS_STATUS' }). Known are ${[...ERRORS.keys()].join(', ')}.`,
    )
  }
  const retry =
    options.retryDelay === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: options.retryDelay }]
  const details = [...(options.details ?? []).map(detail => plainObject(detail, 'this detail')), ...retry]
  return { code, message: said, status, details }
}

/** An error as it stands in a body or an event (js-genai recordings; google.rpc.Status). */
export function errorValue({ code, message, status, details }: ErrorBody): JsonObject {
  return { error: { code, message, status, ...(details.length === 0 ? {} : { details }) } }
}

/**
 * An error in mid-stream, after which nothing is said.
 *
 * @param options - `framing: 'bare'` sends it as bare JSON, in no event; both have been seen.
 */
export function error(
  code: number,
  message?: string,
  options: ErrorOptions & { readonly framing?: 'event' | 'bare' | undefined } = {},
): ErrorItem {
  return { type: 'error', error: errorBody(code, message, options), framing: options.framing ?? 'event' }
}
