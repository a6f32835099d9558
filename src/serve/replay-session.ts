/**
 * One replay of some cassettes: both engines on the same recordings, each with its loop, and one report.
 *
 * How requests and sockets reach it is not its affair: a server, or something in this process.
 *
 * Room: serve.
 */
import { expiryNote } from '../cassette/expiry.ts'
import { WiretapeError } from '../errors.ts'
import type { ServiceSide } from '../dialect/hosts.ts'
import { live } from '../dialect/live.ts'
import { SECRET_RULES } from '../dialect/secrets.ts'
import { createRedactor } from '../redact/redactor.ts'
import { createHttpReplay } from '../replay/http-replay.ts'
import type { Failure, Pace, PlayedExchange } from '../replay/http.ts'
import { createLiveReplay } from '../replay/live-engine.ts'
import { liveSources } from '../replay/live-source.ts'
import { tellingReceived } from '../replay/live-received.ts'
import type { MatchingOptions } from '../replay/matching.ts'
import type { Received } from '../replay/received.ts'
import type { LoadedCassette } from '../replay/recorded.ts'
import { joinedReport, type ReplayReport } from '../replay/report.ts'
import { forgottenNote } from './forgotten-steps.ts'
import { createReplayCarrier, type ReplayCarrier } from './replay-carrier.ts'
import { createSocketCarrier, type SocketCarrier } from './socket-carrier.ts'
import { createSteadyClock } from './steady-clock.ts'
import { createSteps, type Released, type StepOptions } from './steps.ts'
import { sidesOf } from './cassette-sides.ts'

/** How some cassettes are replayed, and who is told. */
export interface ReplaySessionOptions extends MatchingOptions {
  /** How fast; `instant` where undefined. */
  readonly pace?: Pace | undefined
  /**
   * After how many milliseconds of silence a message of the service goes out on a socket although the client
   * has sent less sound or fewer pictures than on the recording; 1000 where undefined.
   */
  readonly mediaQuietMs?: number | undefined
  /** After how many milliseconds without the message that a socket waits for it fails; 10000 where undefined. */
  readonly stallMs?: number | undefined
  /** Told of each request, and of each message of a socket, as it comes. */
  readonly onReceived?: ((received: Received) => void) | undefined
  /** Told of each exchange when it was played or abandoned. */
  readonly onExchange?: ((played: PlayedExchange) => void) | undefined
  /** Told of each request that is not on the recording, and of each socket whose client left it. */
  readonly onFailure?: ((failure: Failure) => void) | undefined
}

/** What a report has that is known at any time. */
export type ReplayProgress = Pick<ReplayReport, 'exchanges' | 'played' | 'failures'>

/** A replay that something can be fed into. */
export interface ReplaySession {
  readonly requests: ReplayCarrier
  readonly sockets: SocketCarrier
  /** The sides of the service that are on the recording. */
  sides(): ReadonlySet<ServiceSide>
  /** Which cassettes have expired, for people; the report notes it. */
  readonly expired: readonly string[]
  /** The clients so far that left the recording, in the order in which they did. */
  readonly failures: readonly Failure[]
  /** Adds a remark to the report; the same one once. */
  note(text: string): void
  /** Takes secrets out of a URL, for a remark. */
  redactUrl(url: string): string
  /** How far it is; cheap enough for a display that is drawn all the time. */
  progress(): ReplayProgress
  /** As of now. */
  report(): ReplayReport
  /**
   * At pace `manual`: lets the next thing go, or the first that may within some time; undefined if there was none.
   *
   * @throws `WIRETAPE_USAGE` at another pace.
   */
  step(options?: StepOptions): Promise<Released | undefined>
  /** Resolves when nothing is open, or after so many milliseconds. */
  idle(graceMs: number): Promise<void>
  /** Nothing is played any more. */
  stop(): void
}

/** Starts a replay; nothing has been asked for yet. */
export function createReplaySession(
  cassettes: readonly LoadedCassette[],
  options: ReplaySessionOptions = {},
): ReplaySession {
  const { pace, match, ignore, allow, onMiss, mediaQuietMs, stallMs, onReceived, onExchange } = options
  const failures: Failure[] = []
  const expired = cassettes.flatMap(({ cassette }) => expiryNote(cassette, Date.now()) ?? [])
  const notes = new Set(expired)
  let forgotten: string | undefined
  const onFailure = (failure: Failure): void => {
    failures.push(failure)
    options.onFailure?.(failure)
  }
  // One redactor, as while recording: what one connection gives away is known on all.
  const redactor = createRedactor(SECRET_RULES)
  const matching = { match, ignore, allow, onMiss }
  // To tell what came costs as much as to compare it: only for whoever listens.
  const received = onReceived === undefined ? undefined : 'tell'
  const http = createHttpReplay({ cassettes, redactor, pace, received, ...matching })
  const sources = liveSources(cassettes, live)
  const player = createLiveReplay({
    sources,
    dialect: live,
    redactor,
    pace,
    mediaQuietMs,
    stallMs,
    ...matching,
  })
  const socket = onReceived === undefined ? player : tellingReceived(player, { dialect: live, redactor })
  const files = cassettes.map(({ cassette }) => cassette.file)
  const steps = createSteps()
  const carried = { clock: createSteadyClock(), steps, onReceived, onExchange, onFailure }
  const requests = createReplayCarrier({ engine: http, ...carried })
  const sockets = createSocketCarrier({ engine: socket, ...carried })
  return {
    requests,
    sockets,
    sides: () => sidesOf(cassettes),
    expired,
    get failures() {
      return [...failures]
    },
    note: text => void notes.add(text),
    redactUrl: url => redactor.url(url),
    progress() {
      const [one, other] = [http.report(), socket.progress()]
      return { exchanges: one.exchanges + other.exchanges, played: one.played + other.played, failures }
    },
    report() {
      const { notes: remarks, ...rest } = joinedReport(files, http.report(), socket.report())
      return {
        ...rest,
        failures: [...failures],
        notes: [...remarks, ...notes, ...(forgotten === undefined ? [] : [forgotten])],
      }
    },
    async step(stepOptions) {
      if (pace?.type !== 'manual') throw notByHand()
      return steps.step(stepOptions)
    },
    async idle(graceMs) {
      await Promise.all([requests.idle(graceMs), sockets.idle(graceMs)])
      // Said once: what has waited is cut after the first time.
      if (pace?.type === 'manual') forgotten ??= forgottenNote(requests.count(), sockets.count())
    },
    stop() {
      requests.stop()
      sockets.stop()
      steps.stop()
    },
  }
}

function notByHand(): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', 'step() was called on a replay that goes on by itself.', {
    hint: "Replay with `pace: 'manual'` to step through it by hand.",
    details: { option: 'pace' },
  })
}
