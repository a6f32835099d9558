/**
 * Record Gemini's HTTP traffic into a cassette and replay it, byte for byte.
 *
 * What a program imports. Importing it costs next to nothing: each function loads what it needs when it is
 * first called.
 *
 * Room: index, where all of them meet.
 */
import type { Cassette } from './cassette/model.ts'
import type { PaceOption } from './cli/pace.ts'
import type { AllowedKind } from './replay/allowed.ts'
import type { Failure, PlayedExchange } from './replay/http.ts'
import type { Match } from './replay/matching.ts'
import type { OptionNames } from './replay/option-names.ts'
import type { ReplayReport } from './replay/report.ts'
import type { TlsOptions } from './serve/port-tls.ts'
import type { Released, StepOptions } from './serve/steps.ts'
import type { RecordSummary } from './store/finish.ts'

/** How {@link createReplayServer} plays. */
export interface ReplayOptions {
  /** The port for the Gemini API; any that is free unless given. */
  readonly port?: number | undefined
  /** The port for Vertex AI; any that is free unless given. */
  readonly vertexPort?: number | undefined
  /** `instant` unless given: order is kept, nothing waits. */
  readonly pace?: PaceOption | undefined
  /**
   * After how many milliseconds of silence a Live session goes on although the client has sent less sound or
   * fewer pictures than on the recording; 1000 unless given.
   */
  readonly mediaQuietMs?: number | undefined
  /** After how many milliseconds without a message that is waited for a Live session fails; 10000 unless given. */
  readonly stallMs?: number | undefined
  /** What makes a request the recorded one: `body` unless given, and an exchange may say otherwise. */
  readonly match?: Match | undefined
  /** Places in bodies and messages that do not count, as JSON pointers; `*` stands for any key or index. */
  readonly ignore?: readonly string[] | undefined
  /** What fails nothing: kinds of leftovers, and `extra-request`. It is noted in the report. */
  readonly allow?: readonly AllowedKind[] | undefined
  /** Takes https, wss and tunnels on the same ports: `{}` for all that is usual. Plain only unless given. */
  readonly tls?: TlsOptions | undefined
  /** Called when an exchange has been played. */
  readonly onExchange?: ((played: PlayedExchange) => void) | undefined
  /** Called for a client that left the recording: what it sent is not on it, or what is on it never came. */
  readonly onFailure?: ((failure: Failure) => void) | undefined
}

const REPLAY_OPTIONS: OptionNames<ReplayOptions> = {
  port: true,
  vertexPort: true,
  pace: true,
  mediaQuietMs: true,
  stallMs: true,
  match: true,
  ignore: true,
  allow: true,
  tls: true,
  onExchange: true,
  onFailure: true,
}

/** A server that plays cassettes. */
export interface ReplayServer {
  /** The base URL for the Gemini API, e.g. `http://127.0.0.1:40123`. */
  readonly url: string
  /** The base URL for Vertex AI. */
  readonly vertexUrl: string
  /** The file with the certificate that clients are to trust; undefined without TLS. */
  readonly caFile: string | undefined
  /** The clients so far that left the recording. */
  readonly failures: readonly Failure[]
  /** What was played so far, what failed, what is left. */
  report(): ReplayReport
  /**
   * At pace `manual`: lets the next thing go, or the first that may within some time; undefined if there was none.
   *
   * @throws `WIRETAPE_USAGE` at another pace.
   */
  step(options?: StepOptions): Promise<Released | undefined>
  /**
   * Stops the server and gives its verdict.
   *
   * @throws `WIRETAPE_NO_MATCH` if a request was not on the recording, whatever the app made of the refusal.
   * @throws `WIRETAPE_STALL` if a Live session waited in vain for what the app sent on the recording.
   * @throws `WIRETAPE_UNFINISHED` if a recorded exchange was not asked for, or was abandoned.
   */
  close(): Promise<ReplayReport>
  /** The same as {@link ReplayServer.close}: `await using` fails a test that is not faithful to its recording. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts a server on loopback that answers as the cassettes say, and nothing else.
 *
 * It never opens an outbound connection. A request that is not on the recording is refused with status 400
 * and a message that says what differs, and is kept as a failure.
 *
 * @param files - The cassettes, in the order in which their exchanges are looked for.
 * @throws `WIRETAPE_CASSETTE_MISSING`, `WIRETAPE_CASSETTE_INVALID`, `WIRETAPE_CASSETTE_VERSION`, `WIRETAPE_USAGE`;
 * with TLS `WIRETAPE_WRITE`.
 *
 * @example
 * ```ts
 * await using server = await createReplayServer('session.cassette.yaml')
 * const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } })
 * ```
 */
export async function createReplayServer(
  files: string | readonly string[],
  options: ReplayOptions = {},
): Promise<ReplayServer> {
  const [{ checkOptions }, { createReplayServer: start }, { verdictOf }, { paceOption }, { warnOnce }] =
    await Promise.all([
      import('./replay/option-names.ts'),
      import('./serve/replay-server.ts'),
      import('./serve/verdict.ts'),
      import('./cli/pace.ts'),
      import('./integrations/warning.ts'),
    ])
  checkOptions('`createReplayServer`', options, REPLAY_OPTIONS)
  const server = await start({
    ...options,
    files: typeof files === 'string' ? [files] : files,
    pace: paceOption(options.pace),
  })
  server.expired.forEach(warnOnce)
  const close = async () => {
    const report = await server.close()
    const { withForgotten } = await import('./serve/forgotten-steps.ts')
    const verdict = withForgotten(verdictOf(report), report.notes)
    if (verdict !== undefined) throw verdict
    return report
  }
  return {
    url: server.url,
    vertexUrl: server.vertexUrl,
    caFile: server.caFile,
    get failures() {
      return server.failures
    },
    report: () => server.report(),
    step: stepOptions => server.step(stepOptions),
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  }
}

/**
 * Makes a cassette from what a recorder that was killed has left behind.
 *
 * @throws `WIRETAPE_USAGE` if nothing was left behind, `WIRETAPE_CASSETTE_LOCKED` while it is being recorded,
 * `WIRETAPE_JOURNAL_INVALID` if what was left can't be read, `WIRETAPE_WRITE` if the cassette can't be written.
 *
 * @example
 * ```ts
 * const { exchanges, truncated } = await recover('session.cassette.yaml')
 * ```
 */
export async function recover(file: string): Promise<RecordSummary> {
  const { recover: start } = await import('./store/finish.ts')
  const { BY } = await import('./cli/version.ts')
  return start(file, { by: BY })
}

/**
 * Reads the text of a cassette.
 *
 * @param text - The whole file.
 * @param file - Its path, as messages are to name it.
 * @throws `WIRETAPE_CASSETTE_INVALID` with line, column and what was expected there, `WIRETAPE_CASSETTE_VERSION`.
 *
 * @example
 * ```ts
 * const { documents } = await parseCassette(await readFile(file, 'utf8'), file)
 * const exchanges = documents.filter(document => document.type === 'exchange')
 * ```
 */
export async function parseCassette(text: string, file = 'a cassette'): Promise<Cassette> {
  const { parseCassette: parse } = await import('./cassette/parse.ts')
  return parse(text, { file })
}

export {
  ERROR_CODES,
  type ErrorCode,
  WiretapeError,
  type WiretapeErrorInit,
  type WiretapeErrorJson,
} from './errors.ts'
export type { Instant } from './clock.ts'
export type {
  Cassette,
  CassetteDocument,
  Cut,
  Exchange,
  Header,
  MatchKind,
  Payload,
  RecordedRequest,
  RecordedResponse,
  SocketClose,
  SocketMessage,
  StreamEvent,
} from './cassette/model.ts'
export type { PaceOption as Pace } from './cli/pace.ts'
export { createRecordServer, type RecordOptions, type RecordServer } from './integrations/record-server.ts'
export { saveCassette, type SaveOptions } from './integrations/save-cassette.ts'
export type { Mode } from './integrations/mode.ts'
export type { TapeClient } from './integrations/tape-client.ts'
export type { Tape, TapeReport, UseCassetteOptions } from './integrations/tape.ts'
export { useCassette, type MadeCassette } from './integrations/use-cassette.ts'
export type { AllowedKind } from './replay/allowed.ts'
export type { Failure, PlayedExchange } from './replay/http.ts'
export type { Match, Matcher, MatchRequest } from './replay/matching.ts'
export type { Leftover, LeftoverKind, ReplayReport } from './replay/report.ts'
export type { RecordTlsOptions, TlsOptions } from './serve/port-tls.ts'
export type { FinishedExchange } from './serve/recorder.ts'
export type { Released, StepOptions } from './serve/steps.ts'
export type { RecordSummary } from './store/finish.ts'
export type { End, EndKind } from './wire/exchange.ts'
export type { HeaderList } from './wire/headers.ts'
export type { JsonObject, JsonValue } from './wire/json.ts'
export type { Eol } from './wire/sse.ts'
