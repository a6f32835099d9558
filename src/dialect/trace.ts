/**
 * An exchange as a conversation: what each side said, in order, whatever carried it.
 *
 * The cassette room makes one of a document; what is known of the APIs reads it: `digest.ts` for people,
 * `checks.ts` for what a service would never send.
 *
 * Room: dialect.
 */
import type { Instant } from '../clock.ts'
import type { EndKind } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'
import type { JsonValue } from '../wire/json.ts'
import type { Eol } from '../wire/sse.ts'

/** What was said: JSON, other text, or bytes that are no text. */
export type Content =
  | { readonly type: 'json'; readonly value: JsonValue; readonly text: string | undefined }
  | { readonly type: 'text'; readonly text: string }
  /** `length` in bytes. */
  | { readonly type: 'bytes'; readonly length: number }

/** What carried it: a request's body, an answer's body, an event of a stream, a piece that is no event, a message. */
export type Carrier = 'request' | 'body' | 'event' | 'raw' | 'message'

/** One thing that one side said. */
export interface Said {
  readonly from: 'client' | 'server'
  /** Milliseconds since the request's head had arrived; undefined where the cassette has no time for it. */
  readonly at: Instant | undefined
  readonly carrier: Carrier
  /** Its position among the events or messages of the exchange, from 1; undefined for bodies. */
  readonly number: number | undefined
  /** Undefined for an event without `data`. */
  readonly content: Content | undefined
  /** The names of the event's lines other than `data`, with their values. */
  readonly lines: Readonly<Record<string, string>>
  readonly frame: 'text' | 'binary' | undefined
}

/** How a socket was closed. */
export interface TraceClose {
  readonly at: Instant | undefined
  readonly by: 'client' | 'server'
  readonly code: number | undefined
  readonly reason: string
}

/** The head of an answer. */
export interface TraceHead {
  readonly at: Instant | undefined
  readonly status: number
  readonly reason: string | undefined
  readonly headers: HeaderList
}

/** One exchange. */
export interface Trace {
  /** The dialect's name, as the cassette says it. */
  readonly dialect: string
  readonly method: string
  readonly url: string
  readonly requestHeaders: HeaderList
  /** Undefined where no answer came, and on a socket. */
  readonly head: TraceHead | undefined
  readonly answer: 'body' | 'stream' | 'socket' | 'none'
  /** The line ends of its stream, where they are not the dialect's own. */
  readonly eol: Eol | undefined
  readonly said: readonly Said[]
  readonly close: TraceClose | undefined
  readonly endedAt: Instant | undefined
  /** Undefined where it ended well. */
  readonly ended: EndKind | undefined
}

/** How many bytes the base64 in a `data` field stands for, or what stands in its place. */
export type Weigh = (data: string) => number

/** The JSON of what was said; undefined for anything else. */
export function jsonOf({ content }: Said): JsonValue | undefined {
  return content?.type === 'json' ? content.value : undefined
}

/** A value as a word of a sentence: a text as it is, anything else as JSON, nothing where there is none. */
export function wordOf(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
