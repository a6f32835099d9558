/**
 * A cassette in a test: one call that replays it, or records it where that is what the mode says.
 *
 * It loads what it needs when it is first called.
 *
 * Room: integrations.
 */
import type { Cassette } from '../cassette/model.ts'
import { WiretapeError } from '../errors.ts'
import { withForgotten } from '../serve/forgotten-steps.ts'
import { tellRecorded } from './recorded-line.ts'
import type { StartedTape } from './start-tape.ts'
import type { Tape, TapeReport, UseCassetteOptions } from './tape.ts'

/** A cassette in memory: as `parseCassette` gives it, or a builder that makes one. */
export type MadeCassette = Cassette | { build(): Cassette }

/**
 * Uses a cassette: replays it, or records it, as the mode says.
 *
 * Where there is none it is recorded, and replayed from then on; in CI it is only ever replayed. What a test asks
 * that is not on the recording is refused, and fails the test when the tape is closed, even if the app swallowed it.
 *
 * @param file - Its path, named `*.cassette.yaml`; or a cassette that was made in memory, which is always replayed.
 * @throws `WIRETAPE_CASSETTE_MISSING` where it is to be replayed and is not there; `WIRETAPE_CASSETTE_INVALID`,
 * `WIRETAPE_CASSETTE_VERSION`; `WIRETAPE_CASSETTE_LOCKED` while something else records it; `WIRETAPE_USAGE`.
 *
 * @example
 * ```ts
 * await using tape = await useCassette('cassettes/greeting.cassette.yaml')
 * const ai = new GoogleGenAI(tape.client)
 * ```
 */
export async function useCassette(
  file: string | MadeCassette,
  options: UseCassetteOptions = {},
): Promise<Tape> {
  const { startTape } = await import('./start-tape.ts')
  return tapeOf(await startTape(file, options), recorded => {
    // Only what has a path is ever recorded.
    if (typeof file === 'string' && recorded > 0) tellRecorded(file, recorded)
  })
}

function tapeOf(started: StartedTape, tell: (recorded: number) => void): Tape {
  const { running, mode, isRecording, clientOf, env, verdictOf, plugSockets } = started
  let ending: Promise<TapeReport> | undefined
  let isTold = false

  async function end(): Promise<TapeReport> {
    const report = await running.close()
    const verdict = withForgotten(verdictOf(report), report.notes)
    // A recording that was placed is there, whatever else was wrong.
    if (isRecording) tell(report.recorded)
    if (verdict !== undefined) throw verdict
    return report
  }

  return {
    get client() {
      return clientOf()
    },
    mode,
    isRecording,
    url: running.url,
    vertexUrl: running.vertexUrl,
    env,
    ...running.carriers,
    plugSockets: live => plugSockets(live, running.carriers.webSocketFactory),
    get failures() {
      return running.failures
    },
    report: () => running.report(),
    step: options => running.step(options),
    close() {
      isTold = true
      return (ending ??= end())
    },
    async discard() {
      isTold = true
      // What has ended has ended: a recording that was placed is not taken back.
      ending ??= running.discard().then(() => running.report())
      await ending.catch(() => undefined)
    },
    async [Symbol.asyncDispose]() {
      ending ??= end()
      // Who has closed it by hand knows how it ended.
      await (isTold ? ending.catch(() => undefined) : ending.catch(rethrowBare))
    },
  }
}

/** Without frames, which are all of this package: inside a `SuppressedError` they would be most of what is shown. */
function rethrowBare(error: unknown): never {
  if (WiretapeError.is(error)) {
    const value = `${error.name}: ${error.message}`
    Object.defineProperty(error, 'stack', { value, configurable: true, writable: true })
  }
  throw error
}
