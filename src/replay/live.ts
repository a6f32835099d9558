/**
 * The replay engine for sockets: opens, messages and closes in, messages and closes out, as commands.
 *
 * It owns which recorded connection answers which socket, and when each message goes out. It knows no
 * sockets and no clock: a carrier feeds it inputs and runs its commands. One engine serves all sockets of
 * one replay, since each recorded connection is used once. `live-engine.ts` makes it.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { Exchange, Payload } from '../cassette/model.ts'
import type { Frame, SocketDialect } from '../dialect/live-messages.ts'
import type { HeaderList } from '../wire/headers.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { Failure, Pace, PlayedExchange } from './http.ts'
import type { MatchingOptions } from './matching.ts'
import type { Received } from './received.ts'
import type { ReplayReport } from './report.ts'

/** One recorded connection, and where its bytes come from. */
export interface LiveSource {
  /** The file it comes from and its number there, from 1. */
  readonly file: string
  readonly number: number
  readonly exchange: Exchange
  /** The exact bytes of one of its payloads: values spelled, blobs expanded. `response` is a refusal's body. */
  bytes(payload: Payload, side: 'client' | 'server' | 'response'): Uint8Array
}

/** How sockets are replayed. */
export interface LiveOptions extends MatchingOptions {
  /** The recorded connections, in file order. */
  readonly sources: readonly LiveSource[]
  readonly dialect: SocketDialect
  /** Makes what comes comparable with what was recorded, and safe to be shown. A fresh one for each replay. */
  readonly redactor: Redactor
  /** Default: at once. */
  readonly pace?: Pace | undefined
  /**
   * After how many ms of silence a server message goes out although media is short, or although an exact
   * message is missing that can't have caused it. Default: 1,000.
   */
  readonly mediaQuietMs?: number | undefined
  /** After how many ms without the client message that a server message waits for the replay fails. Default: 10,000. */
  readonly stallMs?: number | undefined
}

/**
 * What a carrier tells the engine. `id` is the carrier's own number for one socket. Every accepted socket
 * ends with a `close`, also where the engine closed or dropped it.
 */
export type LiveInput =
  /** The client asks for a socket; `url` is absolute or a path with its query. */
  | { readonly type: 'open'; readonly id: number; readonly url: string; readonly headers: HeaderList }
  | { readonly type: 'message'; readonly id: number; readonly bytes: Uint8Array; readonly frame: Frame }
  /**
   * The client closed the socket, or it was lost. `code` is undefined for a close without one (1005), and
   * 1006 for a socket that went without a close.
   */
  | {
      readonly type: 'close'
      readonly id: number
      readonly code: number | undefined
      readonly reason: string | undefined
    }
  /** All that was sent on this socket before the `drain` command has gone out. */
  | { readonly type: 'drained'; readonly id: number }
  /** The time of a `wake` command has come. */
  | { readonly type: 'wake' }
  /** At pace `manual`: the next message may go out, on one socket. Nothing comes of it where none waits. */
  | { readonly type: 'step' }

/** What the carrier must do, in order. */
export type LiveCommand =
  | { readonly type: 'accept'; readonly id: number }
  /** Answer the upgrade with this HTTP response, as the service did. */
  | {
      readonly type: 'refuse'
      readonly id: number
      readonly status: number
      readonly reason: string | undefined
      readonly headers: HeaderList
      readonly body: Uint8Array
    }
  | { readonly type: 'send'; readonly id: number; readonly bytes: Uint8Array; readonly frame: Frame }
  /** Feed `{ type: 'drained' }` when all that was sent has gone out: nothing more is sent until then. */
  | { readonly type: 'drain'; readonly id: number }
  /** Close with this code; undefined: with a close frame without one. `reason` has 123 bytes at most. */
  | {
      readonly type: 'close'
      readonly id: number
      readonly code: number | undefined
      readonly reason: string
    }
  /** Destroy the connection without a close frame, after what was sent has gone out. */
  | { readonly type: 'drop'; readonly id: number }
  /** What a client sent, and what it was matched to; only from a replay that tells it (`live-received.ts`). */
  | { readonly type: 'received'; readonly id: number; readonly received: Received }
  /** Feed `{ type: 'wake' }` at this moment or a little later; replaces an earlier wake. */
  | { readonly type: 'wake'; readonly at: Instant }
  /** The client left the recording: kept as a failure, whatever the app does with the close. */
  | { readonly type: 'fail'; readonly id: number; readonly failure: Failure }
  /**
   * No recorded connection answers this socket, and the replay was told to pass such sockets on: no failure, and
   * nothing more comes for this `id`. Instead of `accept` where nothing on the recording can answer it; else in
   * answer to its first message, which the carrier must hand on too. `failure` says why there was no match.
   */
  | { readonly type: 'pass'; readonly id: number; readonly failure: Failure }
  /** A recorded connection has been played; for progress lines. */
  | { readonly type: 'done'; readonly id: number; readonly exchange: PlayedExchange }

/** The close code of a socket whose client sent what is not on the recording: apps can't take it for a recorded one. */
export const CLOSE_NO_MATCH = 4404
/** The close code of a socket whose client did not send what the recording waits for. */
export const CLOSE_STALL = 4408

/** A replay of recorded connections. */
export interface LiveReplay {
  /** True if a socket for this URL, absolute or a path with its query, is to be opened here. */
  owns(url: string): boolean
  handle(input: LiveInput, now: Instant): readonly LiveCommand[]
  /** The recorded connection that a socket plays; undefined before its first message has chosen one. */
  playing(id: number): LiveSource | undefined
  /** How far it is, at no cost: a report looks through all that is left of each recording. */
  progress(): Pick<ReplayReport, 'exchanges' | 'played'>
  /** As of now, of recorded connections and sockets alone. */
  report(): ReplayReport
}
