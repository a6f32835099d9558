/**
 * Replays cassettes to anything that speaks HTTP or WebSocket, on loopback. It opens no connection of its own.
 *
 * Room: serve.
 */
import { performance } from 'node:perf_hooks'
import type { MatchKind } from '../cassette/model.ts'
import { live } from '../dialect/live.ts'
import { SECRET_RULES } from '../dialect/secrets.ts'
import { createRedactor } from '../redact/redactor.ts'
import { createHttpReplay } from '../replay/http-replay.ts'
import type { Failure, Pace, PlayedExchange } from '../replay/http.ts'
import { createLiveReplay } from '../replay/live-engine.ts'
import { liveSources } from '../replay/live-source.ts'
import type { Tape } from '../replay/recorded.ts'
import { joinedReport, type ReplayReport } from '../replay/report.ts'
import { loadCassette } from '../store/load.ts'
import { listen, type Listener, type ListenOptions, type RequestHandler } from './listener.ts'
import { createReplayCarrier } from './replay-carrier.ts'
import { createReplayHandler } from './replay-handler.ts'
import { createSocketCarrier } from './socket-carrier.ts'
import { createReplayUpgrades } from './socket-peer.ts'

/** What is replayed, and where. */
export interface ReplayServerOptions {
  /** Cassettes, in order, as if they were one. */
  readonly files: readonly string[]
  /** Port of `url`; any where undefined or 0. */
  readonly port?: number | undefined
  /** Port of `vertexUrl`; any where undefined or 0. */
  readonly vertexPort?: number | undefined
  /** How fast; `instant` where undefined. */
  readonly pace?: Pace | undefined
  /** How requests are compared, where an exchange does not say; by `body` where undefined. */
  readonly match?: MatchKind | undefined
  /**
   * After how many milliseconds of silence a message of the service goes out on a socket although the client
   * has sent less sound or fewer pictures than on the recording; 1000 where undefined.
   */
  readonly mediaQuietMs?: number | undefined
  /** After how many milliseconds without the message that a socket waits for it fails; 10000 where undefined. */
  readonly stallMs?: number | undefined
  /** Told of each exchange when it was played or abandoned. */
  readonly onExchange?: ((played: PlayedExchange) => void) | undefined
  /** Told of each request that is not on the recording, and of each socket whose client left it. */
  readonly onFailure?: ((failure: Failure) => void) | undefined
}

/** What a report has that is known at any time. */
export type ReplayProgress = Pick<ReplayReport, 'exchanges' | 'played' | 'failures'>

/** A replay that can be reached. */
export interface ReplayServer {
  /** `http://127.0.0.1:PORT`, for clients of the Developer API. */
  readonly url: string
  /** The same for clients of Vertex; the recording is one, an exchange used through either is used. */
  readonly vertexUrl: string
  /** The clients so far that left the recording, in the order in which they did. */
  readonly failures: readonly Failure[]
  /** How far it is; cheap enough for a display that is drawn all the time. */
  progress(): ReplayProgress
  /** As of now. */
  report(): ReplayReport
  /**
   * Stops, and says how it went; failures and leftovers are the caller's to judge.
   *
   * An answer or a socket that is still open gets `graceMs` (2000 unless set), then its connection is cut.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<ReplayReport>
  [Symbol.asyncDispose](): Promise<void>
}

/** How long an answer may take to be finished when the server closes, in milliseconds. */
const GRACE = 2000

/**
 * Starts to replay cassettes.
 *
 * @throws `WIRETAPE_CASSETTE_MISSING`, `WIRETAPE_CASSETTE_INVALID`, `WIRETAPE_CASSETTE_VERSION`;
 * `WIRETAPE_USAGE` where a port can't be had.
 *
 * @example
 * ```ts
 * await using server = await createReplayServer({ files: ['cassettes/greeting.cassette.yaml'] })
 * const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } })
 * ```
 */
export async function createReplayServer(options: ReplayServerOptions): Promise<ReplayServer> {
  const tapes = await Promise.all(options.files.map(loadCassette))
  const failures: Failure[] = []
  const carriers = createCarriers(tapes, options, failures)
  const { requests, sockets } = carriers
  const notes = new Set<string>()
  const note = (text: string): unknown => notes.add(text)
  const listeners = await listenOnBoth(
    createReplayHandler(requests, note, url => carriers.redactor.url(url)),
    options,
    {
      onMalformed: why => note(`a client sent what is not HTTP: ${why}`),
      upgrades: createReplayUpgrades(sockets, note),
    },
  )
  const [{ url }, { url: vertexUrl }] = listeners
  let closing: Promise<ReplayReport> | undefined

  function report(): ReplayReport {
    const { notes: remarks, ...rest } = carriers.report()
    return { ...rest, failures: [...failures], notes: [...remarks, ...notes] }
  }

  async function stop(graceMs: number): Promise<ReplayReport> {
    for (const listener of listeners) listener.stop()
    await Promise.all([requests.idle(graceMs), sockets.idle(graceMs)])
    sockets.cut()
    await Promise.all(listeners.map(listener => listener.close()))
    // The connections are cut now, but what was open on them hears of it a moment later.
    await Promise.all([requests.idle(GRACE), sockets.idle(GRACE)])
    requests.stop()
    sockets.stop()
    return report()
  }

  const close: ReplayServer['close'] = ({ graceMs = GRACE } = {}) => (closing ??= stop(graceMs))
  return {
    url,
    vertexUrl,
    get failures() {
      return [...failures]
    },
    progress: () => ({ ...carriers.progress(), failures }),
    report,
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}

/** Both engines on the same recordings, each with its loop. `failures` collects those of both. */
function createCarriers(tapes: readonly Tape[], options: ReplayServerOptions, failures: Failure[]) {
  const { pace, match, mediaQuietMs, stallMs, onExchange } = options
  const onFailure = (failure: Failure): void => {
    failures.push(failure)
    options.onFailure?.(failure)
  }
  // One redactor, as while recording: what one connection gives away is known on all.
  const redactor = createRedactor(SECRET_RULES)
  const http = createHttpReplay({ tapes, redactor, pace, match })
  const sources = liveSources(tapes, live)
  const socket = createLiveReplay({ sources, dialect: live, redactor, pace, match, mediaQuietMs, stallMs })
  const files = tapes.map(({ cassette }) => cassette.file)
  return {
    redactor,
    requests: createReplayCarrier({ engine: http, clock: performance, onExchange, onFailure }),
    sockets: createSocketCarrier({ engine: socket, clock: performance, onExchange, onFailure }),
    progress() {
      const [one, other] = [http.report(), socket.progress()]
      return { exchanges: one.exchanges + other.exchanges, played: one.played + other.played }
    },
    report: () => joinedReport(files, http.report(), socket.report()),
  }
}

async function listenOnBoth(
  handler: RequestHandler,
  { port = 0, vertexPort = 0 }: ReplayServerOptions,
  options: ListenOptions,
): Promise<readonly [Listener, Listener]> {
  const first = await listen(handler, port, options)
  try {
    return [first, await listen(handler, vertexPort, options)]
  } catch (error) {
    await first.close()
    throw error
  }
}
