/**
 * One HTTP exchange as it was on the wire: bytes, edges and times, and nothing of how a file spells them.
 *
 * The recorder's journal reads back as this, the cassette room turns it into a document and a document
 * back into this, and the replay engine plays it. Credentials are already redacted in it.
 *
 * Room: wire.
 */
import type { Instant } from '../clock.ts'
import type { HeaderList } from './headers.ts'

/** Bytes that arrived as one piece, and when. Never empty. */
export interface Chunk {
  /** Milliseconds since the request's head had arrived. */
  readonly at: Instant
  readonly bytes: Uint8Array
}

/** What the client sent. Its body is kept as bytes; the moments of its pieces are not. */
export interface WireRequest {
  readonly method: string
  /** Absolute, redacted. */
  readonly url: string
  readonly headers: HeaderList
  /** Undefined where the request had no body. */
  readonly body: Uint8Array | undefined
}

/** What the service answered, as far as it came. */
export interface WireResponse {
  /** When its head arrived: milliseconds since the request's head had. */
  readonly at: Instant
  readonly status: number
  /** The reason phrase; undefined where it is the status's usual one. Apps see it (js-genai `_api_client.ts`). */
  readonly reason: string | undefined
  readonly headers: HeaderList
  readonly chunks: readonly Chunk[]
  readonly trailers: HeaderList
}

/**
 * How an exchange ended, where it did not end well.
 *
 * `client-abort`: the client went away first. `upstream-reset`: the service cut the connection in
 * mid-answer. `upstream-error`: it was never reached, or broke HTTP. `truncated`: the recording stopped.
 */
export type EndKind = 'client-abort' | 'upstream-reset' | 'upstream-error' | 'truncated'

/** Every {@link EndKind}. */
export const END_KINDS: readonly EndKind[] = ['client-abort', 'upstream-reset', 'upstream-error', 'truncated']

/** The end of an exchange; `how` is undefined for a complete one. */
export interface End {
  /** Milliseconds since the request's head had arrived; undefined where a hand-written file has none. */
  readonly at: Instant | undefined
  /** Undefined for a good end. */
  readonly how: EndKind | undefined
}

/** One WebSocket message, whole, however it was fragmented (RFC 6455 §5.4). */
export interface WireMessage {
  /** Milliseconds since the request's head had arrived. */
  readonly at: Instant
  readonly from: 'client' | 'server'
  readonly frame: 'text' | 'binary'
  readonly bytes: Uint8Array
}

/** The close of a socket, by the side that sent its close frame first (RFC 6455 §7). */
export interface WireClose {
  readonly at: Instant
  readonly by: 'client' | 'server'
  /** Undefined for a close frame without one (what an API calls 1005). */
  readonly code: number | undefined
  readonly reason: string
}

/** What went over a socket. A socket that went without a close frame (1006) has no `close`; see {@link End}. */
export interface WireSocket {
  readonly messages: readonly WireMessage[]
  readonly close: WireClose | undefined
}

/** One request and its answer, whole. */
export interface WireExchange {
  /** When the request's head arrived: milliseconds since the recording began. */
  readonly at: Instant
  readonly request: WireRequest
  /** Undefined where no answer came at all. */
  readonly response: WireResponse | undefined
  /** Of a WebSocket connection that was opened; undefined for any other exchange, and for a refused upgrade. */
  readonly socket?: WireSocket | undefined
  readonly end: End
}
