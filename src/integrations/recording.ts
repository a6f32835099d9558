/**
 * A tape that asks the service: everything, or what is not on the cassette; recorded, or only relayed.
 *
 * Room: integrations.
 */
import type { Addresses } from '../cli/environment.ts'
import { WiretapeError } from '../errors.ts'
import type { ReplayReport } from '../replay/report.ts'
import { createEpisodeServer } from '../serve/episode-server.ts'
import {
  createOutwardDispatcher,
  createOutwardFetch,
  createOutwardSockets,
  createOutwardWebSocket,
} from '../serve/outward.ts'
import { createPassServer } from '../serve/pass-server.ts'
import { createRecordServer } from '../serve/record-server.ts'
import { createRelocate } from '../serve/relocation.ts'
import type { ReplaySessionOptions } from '../serve/replay-session.ts'
import { appeared, createUnreached, nothingCame } from './recording-failures.ts'
import type { Carriers, Running } from './running.ts'
import type { TapeReport } from './tape.ts'
import { warnOnce } from './warning.ts'

/** Where to record from, and what to say of it. */
export interface RecordingOptions {
  readonly upstream?: string | undefined
  readonly vertexUpstream?: string | undefined
  readonly note?: string | undefined
}

/**
 * Records all, into a cassette that is not there or is replaced in the end.
 *
 * @param existing - `refuse`: one that is there, at the end too, stays.
 * @param silence - What becomes of a recording that nothing was asked of.
 */
export async function startRecording(
  file: string,
  options: RecordingOptions,
  existing: 'refuse' | 'overwrite',
  silence: 'fails' | 'is-noted',
): Promise<Running> {
  const unreached = createUnreached(file)
  const server = await createRecordServer({ ...options, ...unreached.options, existing })
  const report = (): TapeReport => ({ ...askedOf(server), recorded: askedOf(server).requests })
  return {
    ...unreplayed(server, options),
    report,
    async close() {
      const failure = unreached.failure() ?? appeared(file, existing)
      if (failure !== undefined) {
        await server.discard()
        throw failure
      }
      const { exchanges } = await server.close()
      if (exchanges > 0) return report()
      const nothing = nothingCame(file)
      if (silence === 'fails') throw nothing
      return { ...report(), notes: [nothing.message] }
    },
    discard: () => server.discard(),
  }
}

/** Replays what is there, and records the rest behind it. */
export async function startGrowing(
  file: string,
  options: RecordingOptions,
  replay: ReplaySessionOptions,
): Promise<Running> {
  const unreached = createUnreached(file)
  const server = await createEpisodeServer({ replay, record: { ...options, ...unreached.options } })
  server.session.expired.forEach(warnOnce)
  const reportOf = (report: ReplayReport): TapeReport => {
    return { ...report, recorded: askedOf(server).requests }
  }
  return {
    url: server.url,
    vertexUrl: server.vertexUrl,
    carriers: outwardCarriers(server, options),
    get failures() {
      return server.session.failures
    },
    report: () => reportOf(server.session.report()),
    step: stepOptions => server.session.step(stepOptions),
    async close() {
      const failure = unreached.failure()
      if (failure === undefined) return reportOf((await server.close()).report)
      await server.discard()
      throw failure
    },
    discard: () => server.discard(),
  }
}

/** Relays all, and writes nothing. */
export async function startPassing(options: RecordingOptions): Promise<Running> {
  const server = await createPassServer(options)
  const report = (): TapeReport => ({ ...askedOf(server), recorded: 0 })
  return {
    ...unreplayed(server, options),
    report,
    async close() {
      await server.close()
      return report()
    },
    discard: () => server.close({ graceMs: 0 }),
  }
}

/** A proxy that counts what is asked of it. */
type Counting = Addresses & { progress(): { readonly open: number; readonly finished: number } }

/** What was asked of a tape that replays nothing. */
function askedOf(server: Counting): ReplayReport {
  const { open, finished } = server.progress()
  return { exchanges: 0, played: 0, requests: open + finished, failures: [], leftovers: [], notes: [] }
}

/** All that is the same of each tape that replays nothing. */
function unreplayed(
  server: Counting,
  options: RecordingOptions,
): Pick<Running, 'url' | 'vertexUrl' | 'carriers' | 'failures' | 'step'> {
  const { url, vertexUrl } = server
  return { url, vertexUrl, carriers: outwardCarriers(server, options), failures: [], step: noStep }
}

async function noStep(): Promise<never> {
  throw new WiretapeError('WIRETAPE_USAGE', 'step() was called where nothing is replayed.', {
    hint: 'The service has a pace of its own. Step only if `tape.isRecording` is false.',
  })
}

function outwardCarriers(server: Addresses, { upstream, vertexUpstream }: RecordingOptions): Carriers {
  const { url, vertexUrl } = server
  const relocate = createRelocate({ url, vertexUrl, upstream, vertexUpstream })
  return {
    fetch: createOutwardFetch(relocate),
    WebSocket: createOutwardWebSocket(relocate),
    webSocketFactory: createOutwardSockets(relocate),
    dispatcher: createOutwardDispatcher(relocate),
  }
}
