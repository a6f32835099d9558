/**
 * What a cassette says, as data: format 1, one value per document.
 *
 * This is the document level: events, cuts and payloads as a person reads them. The wire level (chunks
 * with times) is `wire/exchange.ts`; `play.ts` goes from here to there, `compose.ts` back.
 *
 * Room: cassette.
 */
import type { Instant } from '../clock.ts'
import type { End } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'
import type { JsonValue } from '../wire/json.ts'
import type { Eol } from '../wire/sse.ts'

/** The format that this version reads and writes. */
export const FORMAT = 1

/** A payload as the file says it: a string is the exact text, any other value is spelled by the dialect. */
export type Payload =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'value'
      readonly value: JsonValue
      /** How each number is spelled in the file, in order, where that is not JavaScript's spelling of it. */
      readonly numbers?: readonly string[]
    }
  /** Bytes that are not UTF-8: base64, or a reference to a blob. */
  | { readonly type: 'base64'; readonly base64: string }

/** Where one chunk ends and the next begins, inside an event or a body. */
export interface Cut {
  /** Bytes from the start of the event or body, on the wire. */
  readonly offset: number
  /** When the chunk that begins here arrived; undefined: with the one before. */
  readonly at: Instant | undefined
}

/** One stretch of a streamed answer. */
export interface StreamEvent {
  /** When its chunk arrived; undefined: with the one before. */
  readonly at?: Instant | undefined
  /** It began in the chunk in which the event before it ended. */
  readonly joined?: true | undefined
  /** Its chunk edges, where it did not come in one; offsets on the wire, from its own start. */
  readonly cuts?: readonly Cut[] | undefined
  /** Replay keeps it back 50 ms, so that a client that abandons the stream before it is seen to. */
  readonly hold?: true | undefined
  /** Its `event:` field. */
  readonly event?: string | undefined
  /** Its `id:` field. */
  readonly id?: string | undefined
  /** Its `retry:` field, as it was spelled. */
  readonly retry?: string | undefined
  /** Its `data:` lines. */
  readonly data?: Payload | undefined
  /** Bytes that are no proper event; then none of event, id, retry, data is set. */
  readonly raw?: Payload | undefined
}

/** What the client sent. */
export interface RecordedRequest {
  /** In upper case; `GET` for a socket, whose document need not say it. */
  readonly method: string
  /** Absolute, redacted. */
  readonly url: string
  /** What a cassette keeps of them; names in lower case. */
  readonly headers: HeaderList
  /** Undefined where there was none. */
  readonly body: Payload | undefined
}

/** What the service answered: `events` for a stream, `body` for anything else, neither for an empty one. */
export interface RecordedResponse {
  /** When its head arrived: milliseconds since the request's head had. */
  readonly at?: Instant | undefined
  /** E.g. 200. */
  readonly status: number
  /** The reason phrase; undefined: the usual one of the status. */
  readonly reason?: string | undefined
  /** What a cassette keeps of them; names in lower case. */
  readonly headers: HeaderList
  /** Chunk edges of `body`; an offset of 0 says when its first chunk came, where that was after the head. */
  readonly cuts?: readonly Cut[] | undefined
  /** Of an answer that is no stream. */
  readonly body?: Payload | undefined
  /** Of a stream. */
  readonly events?: readonly StreamEvent[] | undefined
  /** Header fields after the body. */
  readonly trailers: HeaderList
}

/** Who closed a socket, and how. `code` is undefined where it closed without one (1005). */
export interface SocketClose {
  /** Who closed first. */
  readonly by: 'client' | 'server'
  /** E.g. 1000. */
  readonly code?: number | undefined
  /** The text beside the code. */
  readonly reason?: string | undefined
}

/** One WebSocket message, or the close. Exactly one of `client`, `server`, `close` is set. */
export interface SocketMessage {
  /** Milliseconds since the request's head had arrived; undefined: with the one before. */
  readonly at?: Instant | undefined
  /** What the client sent. */
  readonly client?: Payload | undefined
  /** What the service sent. */
  readonly server?: Payload | undefined
  /** Undefined: the default of its side, text for the client and binary for the server. */
  readonly frame?: 'text' | 'binary' | undefined
  /** The end of the connection. */
  readonly close?: SocketClose | undefined
}

/** How a request is compared with this exchange: by its route alone, by route and body, or the same in recorded order. */
export type MatchKind = 'route' | 'body' | 'strict-order'

/** Every {@link MatchKind}. */
export const MATCH_KINDS: readonly MatchKind[] = ['route', 'body', 'strict-order']

/** One request and its answer, as a document. */
export interface Exchange {
  /** The dialect's name: `generate-content`, `interactions`, `live`, `unknown`. */
  readonly exchange: string
  /** What its author calls it. */
  readonly name?: string | undefined
  /** What its author has to say of it. */
  readonly note?: string | undefined
  /** Milliseconds since the recording began. */
  readonly at?: Instant | undefined
  /** How often it may be asked for; 1 where undefined. */
  readonly repeat?: number | 'always' | undefined
  /** Undefined: what the replay is told. */
  readonly match?: MatchKind | undefined
  /** The line ends of its stream; undefined: the dialect's. */
  readonly eol?: Eol | undefined
  /** What the client sent. */
  readonly request: RecordedRequest
  /** What the service answered; undefined where no answer came. */
  readonly response?: RecordedResponse | undefined
  /** Of a WebSocket connection, in order; undefined for any other exchange. */
  readonly messages?: readonly SocketMessage[] | undefined
  /** Blob names and their lengths in bytes. */
  readonly blobs?: Readonly<Record<string, number>> | undefined
  /** How it ended. */
  readonly end: End
  /** The line of the file that its document starts on, from 1; for messages. */
  readonly line: number
}

/** The head of a cassette, or of a later day's exchanges in it. */
export interface Header {
  /** The format. */
  readonly cassette: typeof FORMAT
  /** RFC 3339, UTC. */
  readonly recorded?: string | undefined
  /** Who recorded, e.g. `wiretape/0.1.0`. */
  readonly by?: string | undefined
  /** The client library that was recorded, as it names itself. */
  readonly client?: string | undefined
  /** What its author has to say of it. */
  readonly note?: string | undefined
  /** From when on a replay warns that it is to be recorded again: RFC 3339, a date (to its end in UTC) or a moment. */
  readonly expires?: string | undefined
}

/** A document of the stream, in order. */
export type CassetteDocument =
  | { readonly type: 'header'; readonly header: Header }
  | { readonly type: 'exchange'; readonly exchange: Exchange }

/** A whole file, read. */
export interface Cassette {
  /** The path it was read from, as it is named in messages. */
  readonly file: string
  /** Headers and exchanges, in order. */
  readonly documents: readonly CassetteDocument[]
  /** The bytes of its blobs by name, where they are inside the file (a packed cassette); undefined: beside it. */
  readonly blobs?: ReadonlyMap<string, Uint8Array> | undefined
}

/**
 * Where the bytes of blobs come from: a stretch of one, in bytes. Undefined, or shorter than was asked for:
 * the blob is not there, or not that long. The bytes are there until the next ones are asked for.
 */
export type BlobSource = (name: string, offset: number, length: number) => Uint8Array | undefined
