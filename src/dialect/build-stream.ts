/**
 * What stands around what an answer says: usage, ends, chunk edges, and the way out to raw bytes.
 *
 * Room: dialect.
 */
import type { Instant } from '../clock.ts'
import type { EndKind } from '../wire/exchange.ts'
import type { JsonObject, JsonValue } from '../wire/json.ts'
import { plain, plainObject } from './build-items.ts'

/** When and how the chunk of something comes. */
export interface Placing {
  /** Milliseconds since the request's head had arrived. */
  readonly at?: Instant | undefined
  /** It begins in the chunk of what is before it. */
  readonly joined?: true | undefined
  /** Byte offsets on the wire where a new chunk begins, with the moments of those that came later. */
  readonly cuts?: readonly (number | readonly [offset: number, at: Instant])[] | undefined
  /** Replay keeps it back 50 ms. */
  readonly hold?: true | undefined
}

/** Something with its {@link Placing}. */
export interface Placed<Item> {
  /** Always `placed`. */
  readonly type: 'placed'
  /** Where its chunk begins. */
  readonly placing: Placing
  /** What is placed. */
  readonly item: Item
}

/** Fields of the answer as a whole, in each of its chunks. */
export interface FieldsItem {
  /** Always `fields`. */
  readonly type: 'fields'
  /** By name; what is undefined is left out. */
  readonly value: Readonly<Record<string, unknown>>
}

/** What was used, as the API counts it. */
export interface UsageItem {
  /** Always `usage`. */
  readonly type: 'usage'
  /** The counts; undefined: the answer does not say. */
  readonly value: JsonObject | undefined
}

/** An event with this data; a text is the exact data. */
export interface DataItem {
  /** Always `data`. */
  readonly type: 'data'
  /** Its `event:` line. */
  readonly event: string | undefined
  /** Its data; a text is exact. */
  readonly value: JsonValue
}

/** Bytes of the stream that are no proper event. */
export interface RawItem {
  /** Always `raw`. */
  readonly type: 'raw'
  /** Exactly these. */
  readonly bytes: string | Uint8Array
}

/** How the head of the answer differs from the usual one. */
export interface HeadItem {
  /** Always `head`. */
  readonly type: 'head'
  /** When it arrived: milliseconds since the request's head had. */
  readonly at?: Instant | undefined
  /** 200 unless given. */
  readonly status?: number | undefined
  /** The reason phrase; the usual one of the status unless given. */
  readonly reason?: string | undefined
  /** In addition to its `content-type`, or in place of it. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Header fields after the body. */
  readonly trailers?: Readonly<Record<string, string>> | undefined
  /** Where a body is cut into chunks, as in {@link Placing}. */
  readonly cuts?: Placing['cuts']
}

/** When, and how, the exchange ended. */
export interface EndItem {
  /** Always `end`. */
  readonly type: 'end'
  /** Milliseconds since the request's head had arrived. */
  readonly at?: Instant | undefined
  /** Undefined for a good end. */
  readonly how?: EndKind | undefined
}

/** A body as it is. */
export interface BodyItem {
  /** Always `body`. */
  readonly type: 'body'
  /** A value is spelled as the service spells it; a text and bytes are exact. */
  readonly value: JsonValue | Uint8Array
  /** The usual one of what it is unless given. */
  readonly contentType: string | undefined
}

/** The moment at which something comes, in milliseconds since the request's head had arrived. */
export function at<Item>(moment: Instant, item: Item | Placed<Item>): Placed<Item> {
  return placed({ at: moment }, item)
}

/** Puts something into the chunk of what is before it. */
export function joined<Item>(item: Item | Placed<Item>): Placed<Item> {
  return placed({ joined: true }, item)
}

/** Keeps something back for 50 ms on replay, so that a client that leaves the stream before it is seen to. */
export function hold<Item>(item: Item | Placed<Item>): Placed<Item> {
  return placed({ hold: true }, item)
}

/**
 * Cuts the event of something into chunks.
 *
 * @param offsets - Byte offsets from the event's start on the wire, its `data: ` included; `[63, 519]` is one at
 * 63 whose chunk came at 519 ms.
 */
export function cuts<Item>(offsets: NonNullable<Placing['cuts']>, item: Item | Placed<Item>): Placed<Item> {
  return placed({ cuts: offsets }, item)
}

function placed<Item>(placing: Placing, item: Item | Placed<Item>): Placed<Item> {
  const inner = unplaced<Item>(item)
  return { type: 'placed', placing: { ...inner.placing, ...placing }, item: inner.item }
}

/** Something without its {@link Placing}, and what was said of where it goes. */
export function unplaced<Item>(item: Item | Placed<Item>): {
  readonly placing: Placing
  readonly item: Item
} {
  return isPlaced<Item>(item) ? { placing: item.placing, item: item.item } : { placing: {}, item }
}

function isPlaced<Item>(item: Item | Placed<Item>): item is Placed<Item> {
  return typeof item === 'object' && item !== null && 'type' in item && item.type === 'placed'
}

/**
 * Fields of the answer as a whole, such as `responseId` or `modelVersion`, in each of its chunks; of an
 * interaction its `id`. What is undefined is left out.
 */
export function fields(value: object): FieldsItem {
  return { type: 'fields', value: { ...value } }
}

/** What was used, spelled as the API spells it. `'none'`: the answer does not say. Counted by the builder unless given. */
export function usage(counts: object | 'none'): UsageItem {
  return { type: 'usage', value: counts === 'none' ? undefined : plainObject(counts, 'usage') }
}

/** An event of the stream with just this data: a value is spelled as the service spells it, a text is exact. */
export function data(value: unknown, options: { readonly event?: string | undefined } = {}): DataItem {
  return { type: 'data', event: options.event, value: plain(value, 'this data') }
}

/** Bytes in the stream that are no proper event, exactly: a comment, an event that lost its end. */
export function raw(bytes: string | Uint8Array): RawItem {
  return { type: 'raw', bytes }
}

/** A body as it is: a value is spelled as the service spells it, a text and bytes are exact. */
export function body(value: unknown, contentType?: string): BodyItem {
  return { type: 'body', value: value instanceof Uint8Array ? value : plain(value, 'this body'), contentType }
}

/** What the head of an answer says, where it is not the usual: its moment, status, reason phrase, headers, trailers. */
export function head(says: Omit<HeadItem, 'type'>): HeadItem {
  return { ...says, type: 'head' }
}

/**
 * The end of an exchange: when, or how where it was no good one. `how: 'upstream-reset'` is a connection that
 * the service cut, and an answer that is cut gets nothing to finish it.
 */
export function end(says: Omit<EndItem, 'type'>): EndItem {
  return { ...says, type: 'end' }
}
