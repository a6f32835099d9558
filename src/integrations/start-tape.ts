/**
 * From a cassette and what a test wants of it to what runs behind its tape.
 *
 * Room: integrations.
 */
import { existsSync } from 'node:fs'
import { commandWord } from '../cassette/command-word.ts'
import { replayEnvironment, recordEnvironment } from '../cli/environment.ts'
import { paceOption } from '../cli/pace.ts'
import { WiretapeError } from '../errors.ts'
import { checkMatching } from '../replay/check-matching.ts'
import type { LoadedCassette } from '../replay/recorded.ts'
import { plugSockets, type SocketFactory } from '../serve/in-process-socket.ts'
import type { ReplaySessionOptions } from '../serve/replay-session.ts'
import { verdictOf } from '../serve/verdict.ts'
import { loadCassette, openBlobs } from '../store/load.ts'
import { decideMode, type DecidedMode, type Mode } from './mode.ts'
import { madeCassette } from './made-cassette.ts'
import { checkUseOptions } from './option-names.ts'
import type { Running } from './running.ts'
import type { TapeReport, UseCassetteOptions } from './tape.ts'
import {
  environmentApi,
  recordClient,
  recordedPlace,
  replayClient,
  type TapeApi,
  type TapeClient,
} from './tape-client.ts'
import type { MadeCassette } from './use-cassette.ts'

/** What a tape is made of. */
export interface StartedTape {
  readonly plugSockets: (live: object, factory: SocketFactory) => void
  readonly running: Running
  readonly mode: Mode
  readonly isRecording: boolean
  readonly clientOf: () => TapeClient
  readonly env: Readonly<Record<string, string>>
  readonly verdictOf: (report: TapeReport) => WiretapeError | undefined
}

/** Starts what the mode says. Throws what `useCassette` throws. */
export async function startTape(
  file: string | MadeCassette,
  options: UseCassetteOptions,
): Promise<StartedTape> {
  checkUseOptions(options)
  // A recording uses none of it: what is wrong is told at once, and not by the first replay.
  checkMatching(options)
  replayOptions(options)
  if (typeof file !== 'string') return replayed(tapeOf(file), 'replay', options)
  const decided = decideMode(options.mode, process.env)
  const { mode } = decided
  if (mode === 'replay') return replayed(await load(file, decided), mode, options)
  if (mode === 'once' && existsSync(file)) return replayed(await loadCassette(file), mode, options)
  const recorded = await recordedApi(file)
  const running = await startOutward(file, mode, options)
  const api = options.api ?? environmentApi(process.env) ?? recorded ?? 'gemini'
  return {
    running,
    mode,
    isRecording: mode !== 'passthrough',
    clientOf: () => recordClient(api, running),
    env: changed(recordEnvironment(process.env, running)),
    verdictOf,
    plugSockets,
  }
}

function tapeOf(made: MadeCassette): LoadedCassette {
  const cassette = madeCassette(made)
  return { cassette, blobs: openBlobs(cassette) }
}

async function replayed(tape: LoadedCassette, mode: Mode, options: UseCassetteOptions): Promise<StartedTape> {
  // Loaded here: a recording needs none of it, and the other way round.
  const { startReplaying } = await import('./replaying.ts')
  const upstreams = [options.vertexUpstream, options.upstream].filter(base => base !== undefined)
  const running = await startReplaying(tape, replayOptions(options), upstreams)
  const place = recordedPlace(tape.cassette)
  const api = options.api ?? apiOf(tape)
  return {
    running,
    mode,
    isRecording: false,
    clientOf: () => replayClient(api, place, running),
    env: changed(replayEnvironment(process.env, running)),
    verdictOf,
    plugSockets,
  }
}

async function startOutward(
  file: string,
  mode: Exclude<Mode, 'replay'>,
  options: UseCassetteOptions,
): Promise<Running> {
  const { startGrowing, startPassing, startRecording } = await import('./recording.ts')
  const { upstream, vertexUpstream, note, allow = [] } = options
  const recording = { upstream, vertexUpstream, note }
  const silence = allow.includes('never-asked') ? 'is-noted' : 'fails'
  switch (mode) {
    case 'once':
      return startRecording(file, recording, 'refuse', silence)
    case 'all':
      return startRecording(file, recording, 'overwrite', silence)
    case 'new-episodes':
      return startGrowing(file, recording, replayOptions(options))
    case 'passthrough':
      return startPassing({ upstream, vertexUpstream })
  }
}

function replayOptions({
  match,
  ignore,
  allow,
  pace,
  mediaQuietMs,
  stallMs,
}: UseCassetteOptions): ReplaySessionOptions {
  return { match, ignore, allow, pace: paceOption(pace), mediaQuietMs, stallMs }
}

/** The API of a cassette that is there; undefined where none is, or none that can be read. */
async function recordedApi(file: string): Promise<TapeApi | undefined> {
  const tape = await loadCassette(file).catch(() => undefined)
  return tape && apiOf(tape)
}

function apiOf({ cassette }: LoadedCassette): TapeApi {
  return recordedPlace(cassette) === undefined ? 'gemini' : 'vertex'
}

/** Says how to record it by the way on which it is asked for. */
async function load(file: string, { by }: DecidedMode): Promise<LoadedCassette> {
  if (existsSync(file)) return loadCassette(file)
  const because = by === 'CI' ? ', and nothing is recorded where CI is set' : ''
  throw new WiretapeError('WIRETAPE_CASSETTE_MISSING', `There is no cassette at ${file}${because}.`, {
    hint: `Record it: run this test ${by === 'option' ? "with the option `mode: 'once'`" : 'with WIRETAPE_MODE=once'} and a key, or: wiretape record ${commandWord(file)} -- COMMAND`,
    details: { file, mode: 'replay', by },
  })
}

/** Of an environment what is not so already. */
function changed(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || process.env[name] === value ? [] : [[name, value]],
    ),
  )
}
