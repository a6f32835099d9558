/**
 * What a dialect tells the other rooms about one API of Gemini. Everything provider-specific is behind this.
 *
 * Room: dialect.
 */
import type { HeaderList } from '../wire/headers.ts'
import type { JsonValue } from '../wire/json.ts'
import type { Eol, SseEvent } from '../wire/sse.ts'

/** A request's line, as far as routing needs it. `url` is absolute or a path with its query. */
export interface RequestLine {
  readonly method: string
  readonly url: string
}

/** One API: routes, spelling, line ends, volatile fields. */
export interface Dialect {
  /** The value of `exchange` in a cassette. */
  readonly name: string
  /** Line ends of its streams, unless an exchange says otherwise. Frozen with the format. */
  readonly eol: Eol
  /** True if this request is one of its own. `path` is normalized: see {@link operationOf}. */
  owns(method: string, path: string): boolean
  /** How the service spells a JSON body. Frozen with the format. */
  spell(value: JsonValue): string
  /** True for the event after which nothing more is to come. A client that leaves then has read it all. */
  isEndMark(event: SseEvent): boolean
  /** A request body with key case folded and volatile fields dropped, for comparison only. */
  fold(body: JsonValue): JsonValue
}

/** What a request asks for, whatever host, API version, project or credentials it was sent with. */
export interface Operation {
  readonly dialect: Dialect
  /** Equal for equal operations, e.g. `POST models/m:streamGenerateContent?alt=sse`. Shown in messages. */
  readonly key: string
}

/** The operation of a request. Never fails: an unknown route has the dialect `unknown` and its own path. */
export declare function operationOf(request: RequestLine): Operation

/** The dialect that a cassette names; undefined for a name that is none. */
export declare function dialectNamed(name: string): Dialect | undefined

/** The name and version of the client library, from its request headers; undefined where it does not say. */
export declare function clientOf(headers: HeaderList): string | undefined

/** True for a header field that a cassette does not keep. Names in lower case. Deny lists: what is new is kept. */
export declare function isDroppedHeader(side: 'request' | 'response', name: string, value: string): boolean
