/**
 * Turns what happens on one recorded exchange into journal records, redacted.
 *
 * No sockets, files or clocks: the proxy tells it what happened and when, it answers with what must be
 * written before the proxy goes on.
 *
 * Room: record.
 */
import { roundToMicros, type Instant } from '../clock.ts'
import type { RedactedBytes, Redactor } from '../redact/redactor.ts'
import type { EndKind } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'
import { fittingReason } from '../wire/close.ts'
import type { JournalRecord } from './journal.ts'
import { JOURNAL_FORMAT, type JournalLine, type ReplacedStretch } from './journal-line.ts'

/** What can happen on an exchange, in the order in which it may. */
export type RecordInput =
  /** The request's head has arrived. `url` is the absolute URL at the service. */
  | { readonly type: 'request'; readonly method: string; readonly url: string; readonly headers: HeaderList }
  /** A piece of the request's body, decoded where the client compressed it. */
  | { readonly type: 'request-chunk'; readonly bytes: Uint8Array }
  | { readonly type: 'request-end' }
  | {
      readonly type: 'response'
      readonly status: number
      readonly reason: string
      readonly headers: HeaderList
    }
  /** A body piece, decoded where the service compressed it. */
  | { readonly type: 'response-chunk'; readonly bytes: Uint8Array }
  /** The service has accepted the upgrade: the socket is open. A refusal is a `response`. */
  | { readonly type: 'open' }
  /** One message, whole. It is redacted as a whole too. */
  | {
      readonly type: 'message'
      readonly from: 'client' | 'server'
      readonly frame: 'text' | 'binary'
      readonly bytes: Uint8Array
    }
  /** The first close frame, from either side; `code` is undefined where it had none (1005). No message counts after it. */
  | {
      readonly type: 'close'
      readonly by: 'client' | 'server'
      readonly code: number | undefined
      readonly reason: string
    }
  /** Nothing of the exchange is recorded after this. */
  | { readonly type: 'end'; readonly how: EndKind | undefined; readonly trailers: HeaderList }

type MessageInput = Extract<RecordInput, { type: 'message' }>

/** What must be done now. */
export type RecordCommand =
  /** Append these to the exchange's log, in one write, before anything is relayed. */
  | { readonly type: 'write'; readonly records: readonly JournalRecord[] }
  /** A key was about to be written that can't be replaced: stop the recording. `where` names the place, never the value. */
  | { readonly type: 'refuse'; readonly kind: string; readonly where: string }

/** Observes one exchange. */
export interface Observer {
  /** `now` is in milliseconds since the recording began. */
  observe(input: RecordInput, now: Instant): readonly RecordCommand[]
}

/** Starts observing one exchange. What comes after its end is not recorded: the answer was whole before. */
export function createObserver(redactor: Redactor): Observer {
  const request = redactor.body()
  const response = redactor.body()
  let zero: Instant = 0
  let sentEnd = false
  let closed = false
  let ended = false

  function body(side: 'request' | 'response', line: JournalLine, redacted: RedactedBytes): RecordCommand[] {
    if (redacted.refused !== undefined) {
      ended = true
      return [{ type: 'refuse', kind: redacted.refused, where: `the ${side} body` }]
    }
    const record = redacted.bytes.length === 0 ? { line } : { line, bytes: redacted.bytes }
    return [{ type: 'write', records: [record] }]
  }

  function message({ from, frame, bytes }: MessageInput, at: Instant): readonly RecordCommand[] {
    const redacted = redactor.whole(bytes)
    if (redacted.refused !== undefined) {
      ended = true
      return [{ type: 'refuse', kind: redacted.refused, where: `a message of the ${from}` }]
    }
    return [{ type: 'write', records: [{ line: { at, from, op: frame }, bytes: redacted.bytes }] }]
  }

  function endRequest(at: Instant): RecordCommand[] {
    if (sentEnd) return []
    sentEnd = true
    const redacted = request.end()
    return body('request', { at, sent: 'end', ...stretches(redacted) }, redacted)
  }

  function step(input: RecordInput, now: Instant): readonly RecordCommand[] {
    const at = roundToMicros(now - zero)
    switch (input.type) {
      case 'request':
        zero = now
        return [{ type: 'write', records: [{ line: headLine(input, roundToMicros(now), redactor) }] }]
      case 'request-chunk': {
        const redacted = request.push(input.bytes)
        return body('request', { at, sent: input.bytes.length, ...stretches(redacted) }, redacted)
      }
      case 'request-end':
        return endRequest(at)
      case 'response':
        return [{ type: 'write', records: [{ line: responseLine(input, at, redactor) }] }]
      case 'response-chunk': {
        const redacted = response.push(input.bytes)
        return body('response', { at, chunk: input.bytes.length, ...stretches(redacted) }, redacted)
      }
      case 'open':
        return [{ type: 'write', records: [{ line: { at, open: true } }] }]
      case 'message':
        return closed ? [] : message(input, at)
      case 'close': {
        if (closed) return []
        closed = true
        return [{ type: 'write', records: [{ line: closeLine(input, at, redactor) }] }]
      }
      case 'end': {
        // A request that was cut short still has bytes in the redactor; they come before the end.
        const sent = request.held > 0 ? endRequest(at) : []
        if (ended) return sent
        ended = true
        const redacted = response.end()
        const trailers = redactor.headers(input.trailers)
        const line = { at, end: input.how ?? 'complete', trailers, ...stretches(redacted) } as const
        return [...sent, ...body('response', line, redacted)]
      }
    }
  }

  return { observe: (input, now) => (ended ? [] : step(input, now)) }
}

function headLine(
  input: Extract<RecordInput, { type: 'request' }>,
  at: Instant,
  redactor: Redactor,
): JournalLine {
  const { method, url, headers } = input
  return {
    journal: JOURNAL_FORMAT,
    at,
    method,
    url: redactor.url(url),
    headers: redactor.headers(headers),
  }
}

function responseLine(
  input: Extract<RecordInput, { type: 'response' }>,
  at: Instant,
  redactor: Redactor,
): JournalLine {
  const { status, reason, headers } = input
  return { at, status, reason: redactor.text(reason), headers: redactor.headers(headers) }
}

function closeLine(
  { by, code, reason }: Extract<RecordInput, { type: 'close' }>,
  at: Instant,
  redactor: Redactor,
): JournalLine {
  // A placeholder may be longer than its secret.
  return { at, close: { by, code, reason: fittingReason(redactor.text(reason)) } }
}

function stretches(redacted: RedactedBytes): { readonly replaced?: readonly ReplacedStretch[] } {
  if (redacted.replaced.length === 0) return {}
  return { replaced: redacted.replaced.map(({ at, was, is }) => [at, was, is] as const) }
}
