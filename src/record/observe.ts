/**
 * Turns what happens on one recorded exchange into journal records, redacted.
 *
 * No sockets, files or clocks: the proxy tells it what happened and when, it answers with what must be
 * written before the proxy goes on.
 *
 * Room: record.
 */
import type { Instant } from '../clock.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { EndKind } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'

/** What can happen on an exchange, in the order in which it may. */
export type RecordInput =
  /** The request's head has arrived. `url` is the absolute URL at the service. */
  | { readonly type: 'request'; readonly method: string; readonly url: string; readonly headers: HeaderList }
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
  | { readonly type: 'end'; readonly how: EndKind | undefined; readonly trailers: HeaderList }

/** One journal record: a JSON object, and raw bytes where it says `bytes`. See `docs/format.md`. */
export interface JournalRecord {
  readonly line: Readonly<Record<string, unknown>>
  readonly bytes?: Uint8Array | undefined
}

/** What must be done now. */
export type RecordCommand =
  /** Append these to the exchange's journal, in one write, before anything is relayed. */
  | { readonly type: 'write'; readonly records: readonly JournalRecord[] }
  /** A key was about to be written that can't be replaced: stop the recording. `where` names the place, never the value. */
  | { readonly type: 'refuse'; readonly kind: string; readonly where: string }

/** Observes one exchange. */
export interface Observer {
  /** `now` is in milliseconds since the recording began. */
  observe(input: RecordInput, now: Instant): readonly RecordCommand[]
}

/** Starts observing one exchange. */
export declare function createObserver(redactor: Redactor): Observer
