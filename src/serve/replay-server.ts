/**
 * Replays cassettes to anything that speaks HTTP, on loopback. It opens no connection of its own.
 *
 * Room: serve.
 */
import { performance } from 'node:perf_hooks'
import type { MatchKind } from '../cassette/model.ts'
import { SECRET_RULES } from '../dialect/secrets.ts'
import { createRedactor } from '../redact/redactor.ts'
import { createHttpReplay } from '../replay/http-replay.ts'
import type { Failure, Pace, PlayedExchange } from '../replay/http.ts'
import type { ReplayReport } from '../replay/report.ts'
import { loadCassette } from '../store/load.ts'
import { listen, type Listener, type RequestHandler } from './listener.ts'
import { createReplayCarrier } from './replay-carrier.ts'
import { createReplayHandler } from './replay-handler.ts'

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
  /** Told of each exchange when it was played or abandoned. */
  readonly onExchange?: ((played: PlayedExchange) => void) | undefined
  /** Told of each request that is not on the recording. */
  readonly onFailure?: ((failure: Failure) => void) | undefined
}

/** A replay that can be reached. */
export interface ReplayServer {
  /** `http://127.0.0.1:PORT`, for clients of the Developer API. */
  readonly url: string
  /** The same for clients of Vertex; the recording is one, an exchange used through either is used. */
  readonly vertexUrl: string
  /** The requests so far that are not on the recording. */
  readonly failures: readonly Failure[]
  /** As of now. */
  report(): ReplayReport
  /**
   * Stops, and says how it went; failures and leftovers are the caller's to judge.
   *
   * An answer that a client still waits for gets `graceMs` (2000 unless set), then its connection is cut.
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
  const { pace, match, onExchange, onFailure } = options
  const redactor = createRedactor(SECRET_RULES)
  const engine = createHttpReplay({ tapes, redactor, pace, match })
  const carrier = createReplayCarrier({ engine, clock: performance, onExchange, onFailure })
  const notes = new Set<string>()
  const note = (text: string): unknown => notes.add(text)
  const listeners = await listenOnBoth(
    createReplayHandler(carrier, note, url => redactor.url(url)),
    note,
    options,
  )
  const [{ url }, { url: vertexUrl }] = listeners
  let closing: Promise<ReplayReport> | undefined

  function report(): ReplayReport {
    const played = engine.report()
    return { ...played, notes: [...played.notes, ...notes] }
  }

  async function stop(graceMs: number): Promise<ReplayReport> {
    for (const listener of listeners) listener.stop()
    await carrier.idle(graceMs)
    await Promise.all(listeners.map(listener => listener.close()))
    // The connections are cut now, but the answers on them hear of it a moment later.
    await carrier.idle(GRACE)
    carrier.stop()
    return report()
  }

  const close: ReplayServer['close'] = ({ graceMs = GRACE } = {}) => (closing ??= stop(graceMs))
  return {
    url,
    vertexUrl,
    get failures() {
      return engine.report().failures
    },
    report,
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}

async function listenOnBoth(
  handler: RequestHandler,
  note: (text: string) => void,
  { port = 0, vertexPort = 0 }: ReplayServerOptions,
): Promise<readonly [Listener, Listener]> {
  const malformed = (why: string): void => note(`a client sent what is not HTTP: ${why}`)
  const first = await listen(handler, port, malformed)
  try {
    return [first, await listen(handler, vertexPort, malformed)]
  } catch (error) {
    await first.close()
    throw error
  }
}
