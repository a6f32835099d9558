/**
 * What a test gets of a cassette, and what it may ask for.
 *
 * Room: integrations.
 */
import type { Dispatcher } from 'undici'
import type { PaceOption } from '../cli/pace.ts'
import type { AllowedKind } from '../replay/allowed.ts'
import type { Failure } from '../replay/http.ts'
import type { Match } from '../replay/matching.ts'
import type { ReplayReport } from '../replay/report.ts'
import type { SocketFactory } from '../serve/in-process-socket.ts'
import type { InProcessWebSocketConstructor } from '../serve/in-process-web-socket.ts'
import type { Released, StepOptions } from '../serve/steps.ts'
import type { Mode } from './mode.ts'
import type { TapeClient } from './tape-client.ts'

/** How a cassette is used. */
export interface UseCassetteOptions {
  /**
   * What becomes of requests. Unless given, what `WIRETAPE_MODE` says; else `replay` where `CI` is set, else `once`.
   */
  readonly mode?: Mode | undefined
  /** What makes a request the recorded one: `body` unless given, and an exchange may say otherwise. */
  readonly match?: Match | undefined
  /** Places in bodies and messages that do not count, as JSON pointers; `*` stands for any key or index. */
  readonly ignore?: readonly string[] | undefined
  /** What does not fail the test: kinds of leftovers, and `extra-request`. It is noted in the report. */
  readonly allow?: readonly AllowedKind[] | undefined
  /** `instant` unless given: order is kept, nothing waits. `manual`: see {@link Tape.step}. */
  readonly pace?: PaceOption | undefined
  /** Which API `client` is for: the recorded one; while nothing is recorded, the one that the environment names. */
  readonly api?: 'gemini' | 'vertex' | undefined
  /** Where to record from, instead of the Gemini API: a URL, maybe with a path in front of every route. */
  readonly upstream?: string | undefined
  /** Where to record from, instead of Vertex AI. */
  readonly vertexUpstream?: string | undefined
  /**
   * After how many milliseconds of silence a Live session goes on although the client has sent less sound or
   * fewer pictures than on the recording; 1000 unless given.
   */
  readonly mediaQuietMs?: number | undefined
  /** After how many milliseconds without a message that is waited for a Live session fails; 10000 unless given. */
  readonly stallMs?: number | undefined
  /** Kept in the header of what is recorded. */
  readonly note?: string | undefined
}

/** How it went. */
export interface TapeReport extends ReplayReport {
  /** Exchanges that were recorded, or are being. */
  readonly recorded: number
  /** Of those, how many have no good answer: refused by the service (a status of 400 or more), cut, or still open. */
  readonly unanswered: number
}

/** A cassette in use. */
export interface Tape {
  /** All that `new GoogleGenAI(…)` of `@google/genai` needs, credentials included. Each time a new object. */
  readonly client: TapeClient
  /** The mode it is used in. */
  readonly mode: Mode
  /** True while what the app asks is recorded. */
  readonly isRecording: boolean
  /** The base URL for the Gemini API, e.g. `http://127.0.0.1:40123`. */
  readonly url: string
  /** The base URL for Vertex AI. */
  readonly vertexUrl: string
  /** The variables that a child process needs besides its own: `{ env: { ...process.env, ...tape.env } }`. */
  readonly env: Readonly<Record<string, string>>
  /** A `fetch` for code that asks the service by its own address. While replaying it needs no socket. */
  readonly fetch: typeof fetch
  /** A WHATWG `WebSocket` class for such code. */
  readonly WebSocket: InProcessWebSocketConstructor
  /** Makes sockets for `ai.live` of the official SDK. */
  readonly webSocketFactory: SocketFactory
  /**
   * Makes a Live client open its sockets by {@link Tape.webSocketFactory}: no option of the SDK sets it.
   *
   * @param live - `ai.live` of `@google/genai`.
   * @throws `WIRETAPE_USAGE` where it makes its sockets in another way.
   */
  plugSockets(live: object): void
  /** A `Dispatcher` for code on undici. */
  readonly dispatcher: Dispatcher
  /** The requests and sockets so far that are not on the recording, in the order in which they came. */
  readonly failures: readonly Failure[]
  /** How it has gone so far. */
  report(): TapeReport
  /**
   * At pace `manual`: lets the next thing go, or the first that may within some time; undefined if there was none.
   *
   * @throws `WIRETAPE_USAGE` at another pace, and where nothing is replayed.
   */
  step(options?: StepOptions): Promise<Released | undefined>
  /**
   * Ends it, once: a replay gives its verdict, a recording becomes the cassette.
   *
   * @throws `WIRETAPE_NO_MATCH` if a request was not on the recording, whatever the app made of the refusal;
   * `WIRETAPE_STALL` if a Live session waited in vain; `WIRETAPE_UNFINISHED` if something recorded was not asked
   * for or was left before its end, or if there was nothing to record.
   * @throws `WIRETAPE_UPSTREAM`, `WIRETAPE_SECRET`, `WIRETAPE_PROTOCOL` or `WIRETAPE_WRITE` if a recording failed: a
   * cassette that was there is then as it was.
   */
  close(): Promise<TapeReport>
  /** Ends it without a verdict, and forgets what was recorded: a cassette that was there is as it was. */
  discard(): Promise<void>
  /** The same as {@link Tape.close}: `await using` fails a test that strays from its recording. */
  [Symbol.asyncDispose](): Promise<void>
}
