/**
 * What a dialect of a socket tells the other rooms about its messages: which of them gate, and how.
 *
 * The words here name no provider, so the engine that replays sockets can be written in them alone. What is
 * known of one API is behind {@link SocketDialect}; `live.ts` is the one there is.
 *
 * Room: dialect.
 */
import type { JsonValue } from '../wire/json.ts'
import type { Pointer } from '../wire/pointer.ts'
import type { Cause } from './cause.ts'

/** Who sent a message. */
export type SocketSide = 'client' | 'server'

/** The opcode of a data message. */
export type Frame = 'text' | 'binary'

/** Something that the client must send exactly as it was recorded, in the recorded order. */
export interface DiscreteInput {
  readonly type: 'discrete'
  /** What it is, for messages, e.g. the envelope's key. */
  readonly label: string
  /** The message with this input alone: key case folded, volatile fields dropped. For comparison only. */
  readonly value: JsonValue
  /** Where `value` stands in the message, as steps of a JSON pointer: none, it is the message. */
  readonly place: Pointer
  /** Which earlier connection it resumes. Not in `value`, since it may come earlier or later than recorded. */
  readonly resumes: string | undefined
}

/** The answer to one function call; when it comes among other inputs doesn't matter. */
export interface ResponseInput {
  readonly type: 'response'
  readonly label: string
  /** Equal for the answer to the same call. */
  readonly key: string
  /** The answer, folded. For comparison only. */
  readonly value: JsonValue
  /** Where `value` stands in the message, as steps of a JSON pointer; `*` for whichever item of the list it was. */
  readonly place: Pointer
}

/** A stretch of sound or picture: only how much of it came counts, however it was cut. */
export interface MediaInput {
  readonly type: 'media'
  /** Amounts of one lane may be added. */
  readonly lane: string
  readonly amount: number
  /** What is counted, for messages: `ms of audio`. */
  readonly unit: string
}

/** One thing that a client message says. A message may say several. */
export type ClientInput = DiscreteInput | ResponseInput | MediaInput

/** What the engine has to know of a server message. */
export interface ServerMarks {
  /** What it is, for messages. */
  readonly label: string
  /** It answers the first message, whatever else the client may have sent by then. */
  readonly greets: boolean
  /** It belongs to a turn of the service, and opens one where none is open: then it waits for media. */
  readonly speaks: boolean
  /** It reacts to what the client sent, and waits for media wherever it stands. */
  readonly reacts: boolean
  /** It goes on with what is under way, or keeps books: no client message need have caused it, unless it opens a turn. */
  readonly goesOn: boolean
  /** No turn is open after it. */
  readonly endsTurn: boolean
  /** Bookkeeping alone: a client that leaves before it has missed nothing. */
  readonly trailing: boolean
  /** Keys of calls it takes back: their answers may still come. */
  readonly cancels: readonly string[]
  /** A handle by which a later connection may resume this one. */
  readonly issues: string | undefined
}

/** One API over sockets. */
export interface SocketDialect {
  /** The value of `exchange` in a cassette. */
  readonly name: string
  /** The opcode where a cassette names none. Frozen with the format. */
  readonly frames: Readonly<Record<SocketSide, Frame>>
  /** True if a socket of this path is one of its own. Any version, repeated slashes folded. */
  owns(path: string): boolean
  /** Equal for the same operation, whatever host, API version, project or credentials. Shown in messages. */
  operation(url: string): string
  /** How that side spells a message; `numbers` as they are to be written. Frozen with the format. */
  spell(side: SocketSide, value: JsonValue, numbers?: readonly string[]): string
  /** Where a first message says which earlier connection it resumes, as steps of a JSON pointer. */
  readonly resumesAt: Pointer
  /** Everything a client message says, in order. Never empty; never fails: what is unknown is discrete. */
  readClient(bytes: Uint8Array): readonly ClientInput[]
  /** A folded message once more, after something was taken out of it: what then says nothing is gone too. */
  refold(message: JsonValue): JsonValue
  readServer(bytes: Uint8Array): ServerMarks
  /** Why two client inputs are not the same, the likeliest cause first; none where they are, or nothing is known. */
  explain(recorded: DiscreteInput | ResponseInput, received: DiscreteInput | ResponseInput): readonly Cause[]
  /** The first thing a client must hear, so that its connect call settles before a refusal. */
  readonly greeting: string
}
