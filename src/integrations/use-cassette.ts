/**
 * A cassette in a test: one call that replays it, or records it where that is what the mode says.
 *
 * It loads what it needs when it is first called.
 *
 * Room: integrations.
 */
import type { Cassette } from '../cassette/model.ts'
import type { StartedTape } from './start-tape.ts'
import type { Tape, TapeReport, UseCassetteOptions } from './tape.ts'

type Ending = typeof import('./ending.ts')

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
  const [{ startTape }, { judged, rethrowBare }] = await Promise.all([
    import('./start-tape.ts'),
    import('./ending.ts'),
  ])
  return tapeOf(file, await startTape(file, options), { judged, rethrowBare })
}

function tapeOf(file: string | MadeCassette, started: StartedTape, { judged, rethrowBare }: Ending): Tape {
  const { running, mode, isRecording, clientOf, env, plugSockets } = started
  let ending: Promise<TapeReport> | undefined
  let isTold = false

  async function end(): Promise<TapeReport> {
    return judged(file, started, await running.close())
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
