/**
 * What goes into the replay engine for HTTP and what comes out of it.
 *
 * A carrier (a server, or an in-process fetch) feeds inputs and runs commands; the engine itself is in
 * `http-replay.ts`.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { EndKind } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'
import type { Received } from './received.ts'

/** How fast a replay goes. The order is the same at every pace. */
export type Pace =
  /** At once. */
  | { readonly type: 'instant' }
  /** With the recorded gaps divided by a factor, and none longer than `capMs` then. */
  | { readonly type: 'factor'; readonly factor: number; readonly capMs?: number | undefined }
  /** One thing for each `step`, whatever the time is. */
  | { readonly type: 'manual' }

/** What a carrier tells the engine. `id` is the carrier's own number for one request. */
export type ReplayInput =
  | {
      readonly type: 'request'
      readonly id: number
      readonly method: string
      readonly url: string
      readonly headers: HeaderList
      readonly body: Uint8Array
      /** Where the client reached this server, e.g. `http://127.0.0.1:8080`: recorded upload addresses are given it. */
      readonly origin: string
    }
  /** The client went away before its answer was finished. */
  | { readonly type: 'gone'; readonly id: number }
  /** The whole answer, or what a cut leaves of it, has been handed to the client. */
  | { readonly type: 'sent'; readonly id: number }
  /** The time of a `wake` command has come. */
  | { readonly type: 'wake' }
  /** At pace `manual`: the next thing may go out, of one answer. Nothing comes of it where none waits. */
  | { readonly type: 'step' }

/** What the carrier must do, in order. */
export type ReplayCommand =
  | {
      readonly type: 'head'
      readonly id: number
      readonly status: number
      /** Undefined: the status's usual phrase. */
      readonly reason: string | undefined
      /** As recorded, but for framing, which is the carrier's. */
      readonly headers: HeaderList
      /** Bytes of the body; undefined: frame it by chunks, as the services do, so that each keeps its edges. */
      readonly length: number | undefined
    }
  /** One write: its edges are the recorded chunk's. */
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly id: number; readonly trailers: HeaderList }
  /** Cut the connection, after what was written has gone out. */
  | { readonly type: 'destroy'; readonly id: number }
  /** Feed `{ type: 'wake' }` at this moment; replaces an earlier wake. */
  | { readonly type: 'wake'; readonly at: Instant }
  /** What the client sent, and what it was matched to; only from a replay that was told to tell it. */
  | { readonly type: 'received'; readonly id: number; readonly received: Received }
  /** The request had no match: kept as a failure, whatever the app does with the refusal. */
  | { readonly type: 'fail'; readonly id: number; readonly failure: Failure }
  /**
   * The request had no match, and the replay was told to pass such requests on: no failure, and nothing more
   * comes for this `id`. `failure` says why there was no match.
   */
  | { readonly type: 'pass'; readonly id: number; readonly failure: Failure }
  /** A recorded exchange has been played to its end (or abandoned); for progress lines. */
  | { readonly type: 'done'; readonly id: number; readonly exchange: PlayedExchange }

/** A client that left the recording. */
export interface Failure {
  /**
   * The code of the error that it amounts to. `WIRETAPE_NO_MATCH`: something came that is not recorded.
   * `WIRETAPE_STALL`: something recorded never came.
   */
  readonly code: 'WIRETAPE_NO_MATCH' | 'WIRETAPE_STALL'
  /** The whole text, as the report prints it. A client gets it too, or its short form in a close. Redacted. */
  readonly message: string
  /** The same as data, JSON-safe. */
  readonly details: Readonly<Record<string, unknown>>
}

/** One exchange as it was played, for reports. */
export interface PlayedExchange {
  /** The file it comes from. */
  readonly file: string
  /** Its position there, from 1. */
  readonly number: number
  /** What was asked, e.g. `POST models/m:generateContent`. */
  readonly operation: string
  /** Undefined where no answer is recorded. */
  readonly status: number | undefined
  /** Bytes of body sent. */
  readonly bytes: number
  /** `abandoned`: the client left while more was to come. Else as the recording ended. */
  readonly outcome: 'complete' | 'abandoned' | EndKind
}
