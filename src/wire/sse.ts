/**
 * Server-sent events, exactly: bytes in, events out, and the same bytes back.
 *
 * An event counts as proper only if encoding it again gives the bytes it came from; everything else in a
 * stream is kept as raw bytes. This is not the lenient parser of the WHATWG specification: that one
 * forgets how a stream was spelled.
 *
 * Room: wire.
 */

/** The line end of a stream, by the name that a cassette gives it. */
export type Eol = 'crlf' | 'lf' | 'cr'

/** One event. `data` is text, or bytes where it is not UTF-8; line feeds in it are several `data:` lines. */
export interface SseEvent {
  readonly event?: string | undefined
  readonly id?: string | undefined
  readonly retry?: string | undefined
  readonly data?: string | Uint8Array | undefined
}

/** A stretch of a stream: a proper event, or bytes that are none. `start` and `end` are byte offsets. */
export interface SsePiece {
  readonly start: number
  readonly end: number
  /** Undefined where the bytes are not a proper event. */
  readonly event: SseEvent | undefined
}

/**
 * Spells an event: `event`, `id`, `retry`, then its `data` lines, each with one blank after the colon,
 * and the blank line that ends it.
 */
export declare function encodeEvent(event: SseEvent, eol: Eol): Uint8Array

/** Cuts a whole stream into pieces that cover every byte of it, in order. */
export declare function splitStream(bytes: Uint8Array, eol: Eol): readonly SsePiece[]
