/**
 * What a dialect tells the other rooms about one API of Gemini. Everything provider-specific is behind this.
 *
 * Room: dialect.
 */
import type { JsonValue } from '../wire/json.ts'
import type { Eol, SseEvent } from '../wire/sse.ts'
import type { Cause } from './cause.ts'
import type { SocketDialect } from './live-messages.ts'

/** A request's line, as far as routing needs it. `url` is absolute or a path with its query. */
export interface RequestLine {
  readonly method: string
  readonly url: string
}

/**
 * One API: routes, spelling, line ends, volatile fields.
 *
 * Spellings take the numbers of the value as they are to be written, in order (`numbers` of a `JsonReading`);
 * without them a number is spelled as JavaScript spells it.
 */
export interface Dialect {
  /** The value of `exchange` in a cassette. */
  readonly name: string
  /** Line ends of its streams, unless an exchange says otherwise. Frozen with the format. */
  readonly eol: Eol
  /** True if this request is one of its own. `path` is normalized: see `operationOf` in `operation.ts`. */
  owns(method: string, path: string): boolean
  /** How the service spells a JSON body. Frozen with the format. */
  spell(value: JsonValue, numbers?: readonly string[]): string
  /** How it spells the JSON of one event of a stream, on one line. Frozen with the format. */
  spellEvent(value: JsonValue, numbers?: readonly string[]): string
  /** True for the event after which nothing more is to come. A client that leaves then has read it all. */
  isEndMark(event: SseEvent): boolean
  /** A request body with key case folded and volatile fields dropped, for comparison only. */
  fold(body: JsonValue): JsonValue
  /** Why two folded bodies are not the same, the likeliest cause first; none where they are, or nothing is known. */
  explain(recorded: JsonValue, received: JsonValue): readonly Cause[]
  /** Its sockets; undefined for an API that has none. */
  readonly socket?: SocketDialect | undefined
}

/** What a request asks for, whatever host, API version, project or credentials it was sent with. */
export interface Operation {
  readonly dialect: Dialect
  /** Equal for equal operations, e.g. `POST models/m:streamGenerateContent?alt=sse`. Shown in messages. */
  readonly key: string
}
