/**
 * A tape that asks the service: everything, or what is not on the cassette; recorded, or only relayed.
 *
 * Room: integrations.
 */
import { existsSync } from 'node:fs'
import type { Addresses } from '../cli/environment.ts'
import { BY } from '../cli/version.ts'
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
import { createRecordServer, type RecordServerOptions } from '../serve/record-server.ts'
import { createRelocate } from '../serve/relocation.ts'
import type { ReplaySessionOptions } from '../serve/replay-session.ts'
import { nothingCame } from './nothing-came.ts'
import { createUnreached } from '../serve/unreached.ts'
import type { Carriers, Running } from './running.ts'
import type { TapeReport } from './tape.ts'
import { warnOnce } from './warning.ts'

/** Where to record from, and what to say of it. */
export interface RecordingOptions {
  readonly upstream?: string | undefined
  readonly vertexUpstream?: string | undefined
  readonly note?: string | undefined
}

const NOTHING: ReplayReport = { exchanges: 0, played: 0, requests: 0, failures: [], leftovers: [], notes: [] }

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
  const watched = watch(file)
  const server = await createRecordServer({ ...options, ...watched.options, existing })
  const report = (): TapeReport => {
    const { open, finished } = server.progress()
    const recorded = open + finished
    return { ...NOTHING, requests: recorded, recorded, unanswered: open + watched.refused() }
  }
  return {
    url: server.url,
    vertexUrl: server.vertexUrl,
    carriers: outwardCarriers(server, options),
    failures: [],
    report,
    step: noStep,
    async close() {
      const failure = watched.failure() ?? appeared(file, existing)
      if (failure !== undefined) {
        await server.discard()
        throw failure
      }
      const { exchanges } = await ended(server.close())
      if (exchanges > 0) return report()
      const nothing = nothingCame(file, existing === 'refuse' ? 'once' : 'all')
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
  const watched = watch(file)
  const server = await createEpisodeServer({ replay, record: { ...options, ...watched.options } })
  server.session.expired.forEach(warnOnce)
  const reportOf = (report: ReplayReport): TapeReport => {
    const { open, finished } = server.progress()
    return { ...report, recorded: open + finished, unanswered: open + watched.refused() }
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
      const failure = watched.failure()
      if (failure === undefined) return reportOf((await ended(server.close())).report)
      await server.discard()
      throw failure
    },
    discard: () => server.discard(),
  }
}

/** Relays all, and writes nothing. */
export async function startPassing(options: RecordingOptions): Promise<Running> {
  const server = await createPassServer(options)
  const report = (): TapeReport => {
    const { open, finished } = server.progress()
    return { ...NOTHING, requests: open + finished, recorded: 0, unanswered: 0 }
  }
  return {
    url: server.url,
    vertexUrl: server.vertexUrl,
    carriers: outwardCarriers(server, options),
    failures: [],
    report,
    step: noStep,
    async close() {
      await server.close()
      return report()
    },
    discard: () => server.close({ graceMs: 0 }),
  }
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

/** What a test's recording looks at: whether all of its requests have reached the service, and have good answers. */
function watch(file: string): {
  readonly options: Pick<RecordServerOptions, 'file' | 'by' | 'stopped' | 'onExchange'>
  /** How many have no good answer. */
  refused(): number
  failure(): WiretapeError | undefined
} {
  const unreached = createUnreached(file)
  let refused = 0
  return {
    options: {
      file,
      by: BY,
      // A test can be run again; what is left of this one would stand in the way of that.
      stopped: 'forget',
      onExchange(finished) {
        if (finished.outcome !== 'complete' || (finished.status ?? 0) >= 400) refused += 1
        unreached.count(finished)
      },
    },
    refused: () => refused,
    failure: () => unreached.some(),
  }
}

/** The end of a recording of which nothing is left to recover where a secret stopped it. */
async function ended<Result>(closing: Promise<Result>): Promise<Result> {
  try {
    return await closing
  } catch (cause) {
    if (!WiretapeError.is(cause) || cause.code !== 'WIRETAPE_SECRET') throw cause
    const { code, message, hint = '', details } = cause
    throw new WiretapeError(code, message.slice(0, message.length - hint.length).trimEnd(), {
      hint: 'Keep the secret out of what the app sends or gets, and run the test again. Nothing was written.',
      details,
    })
  }
}

/** `once` overwrites nothing, also not what came into being meanwhile. */
function appeared(file: string, existing: 'refuse' | 'overwrite'): WiretapeError | undefined {
  if (existing === 'overwrite' || !existsSync(file)) return undefined
  return new WiretapeError(
    'WIRETAPE_USAGE',
    `${file} has come into being while it was recorded. It stays as it is.`,
    {
      hint: 'Run the test again to replay it, or record it again with WIRETAPE_MODE=all.',
      details: { file },
    },
  )
}
