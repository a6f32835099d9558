/**
 * Replays cassettes to anything that speaks HTTP or WebSocket, on loopback. It opens no connection of its own.
 *
 * Room: serve.
 */
import { loadCassette } from '../store/load.ts'
import type { ServiceSide } from '../dialect/hosts.ts'
import type { Failure } from '../replay/http.ts'
import type { ReplayReport } from '../replay/report.ts'
import { listenOnBoth } from './listener-pair.ts'
import { openTls, replayedTunnel, type TlsOptions } from './port-tls.ts'
import { createReplayHandler } from './replay-handler.ts'
import {
  createReplaySession,
  type ReplayProgress,
  type ReplaySession,
  type ReplaySessionOptions,
} from './replay-session.ts'
import { createReplayUpgrades } from './socket-peer.ts'
import { answeringTokens } from './token-answer.ts'
import { GRACE_MS } from './grace.ts'

/** What is replayed, and where. */
export interface ReplayServerOptions extends ReplaySessionOptions {
  /** Cassettes, in order, as if they were one. */
  readonly files: readonly string[]
  /** Port of `url`; any where undefined or 0. */
  readonly port?: number | undefined
  /** Port of `vertexUrl`; any where undefined or 0. */
  readonly vertexPort?: number | undefined
  /** Makes each port one for TLS and for tunnels too. */
  readonly tls?: TlsOptions | undefined
}

/** A replay that can be reached. */
export interface ReplayServer {
  /** `http://127.0.0.1:PORT`, for clients of the Developer API. */
  readonly url: string
  /** The same for clients of Vertex; the recording is one, an exchange used through either is used. */
  readonly vertexUrl: string
  /** The file with the certificate that clients are to trust; undefined without TLS. */
  readonly caFile: string | undefined
  /** The sides of the service that are on the recording. */
  sides(): ReadonlySet<ServiceSide>
  /** The clients so far that left the recording, in the order in which they did. */
  readonly failures: readonly Failure[]
  /** Which cassettes have expired, for people; the report notes it. */
  readonly expired: readonly string[]
  /** How far it is; cheap enough for a display that is drawn all the time. */
  progress(): ReplayProgress
  /** As of now. */
  report(): ReplayReport
  /** What {@link ReplaySession.step} does. */
  step: ReplaySession['step']
  /**
   * Stops, and says how it went; failures and leftovers are the caller's to judge.
   *
   * An answer or a socket that is still open gets `graceMs` (2000 unless set), then its connection is cut.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<ReplayReport>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts to replay cassettes.
 *
 * @throws `WIRETAPE_CASSETTE_MISSING`, `WIRETAPE_CASSETTE_INVALID`, `WIRETAPE_CASSETTE_VERSION`;
 * `WIRETAPE_USAGE` where a port can't be had, or the certificate authority can't be used; `WIRETAPE_WRITE` where
 * that can't be made.
 *
 * @example
 * ```ts
 * await using server = await createReplayServer({ files: ['cassettes/greeting.cassette.yaml'] })
 * const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } })
 * ```
 */
export async function createReplayServer(options: ReplayServerOptions): Promise<ReplayServer> {
  const tapes = await Promise.all(options.files.map(loadCassette))
  return serveSession(createReplaySession(tapes, options), options)
}

/**
 * Lets a replay be reached on two ports. Throws `WIRETAPE_USAGE` where one can't be had, or the certificate authority
 * can't be used.
 */
export async function serveSession(
  session: ReplaySession,
  options: Omit<ReplayServerOptions, 'files'>,
): Promise<ReplayServer> {
  const { requests, sockets } = session
  const note = (text: string): void => session.note(text)
  const redact = (url: string): string => session.redactUrl(url)
  const tls = await openTls(options.tls, replayedTunnel, note)
  const handler = answeringTokens(createReplayHandler(requests, note, redact))
  const listeners = await listenOnBoth(handler, options, {
    onMalformed: why => note(`a client sent what is not HTTP: ${why}`),
    onRefused: note,
    upgrades: createReplayUpgrades(sockets, note),
    tls,
  })
  const [{ url }, { url: vertexUrl }] = listeners
  let closing: Promise<ReplayReport> | undefined

  async function stop(graceMs: number): Promise<ReplayReport> {
    for (const listener of listeners) listener.stop()
    await session.idle(graceMs)
    requests.cut()
    sockets.cut()
    await Promise.all(listeners.map(listener => listener.close()))
    // The connections are cut now, but what was open on them hears of it a moment later.
    await session.idle(GRACE_MS)
    session.stop()
    return session.report()
  }

  const close: ReplayServer['close'] = ({ graceMs = GRACE_MS } = {}) => (closing ??= stop(graceMs))
  return {
    url,
    vertexUrl,
    caFile: tls?.caFile,
    sides: () => session.sides(),
    expired: session.expired,
    get failures() {
      return session.failures
    },
    progress: () => session.progress(),
    report: () => session.report(),
    step: stepOptions => session.step(stepOptions),
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}
