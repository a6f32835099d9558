/**
 * Replays a folder of cassettes behind one pair of ports: each test has a base URL of its own, `/t/NAME`, and
 * asks at `/__wiretape__/NAME` how its replay went. So one server holds a whole suite in any language.
 *
 * A cassette that nobody asks for is no failure: part of a suite may run. One that is used is held to its end.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServiceSide } from '../dialect/hosts.ts'
import { findCassettes } from '../store/find.ts'
import type { Leftover } from '../replay/report.ts'
import { createAskedUsers, folderTunnel } from './asked-users.ts'
import { createFolderAnswers, type FolderAnswers } from './folder-answers.ts'
import { pathOf } from './folder-place.ts'
import {
  createFolderRuns,
  type FolderProgress,
  type FolderRuns,
  type FolderRunsOptions,
} from './folder-runs.ts'
import { outside } from './folder-refusals.ts'
import { failureOf, type FolderFailure, type RunReport } from './folder-run.ts'
import type { Listener } from './listener.ts'
import { listenOnBoth, type Ports } from './listener-pair.ts'
import { nameCassettes } from './named-cassettes.ts'
import { openTls, type PortTls, type TlsOptions } from './port-tls.ts'
import { sidesNamedIn } from './cassette-sides.ts'
import { answeringTokens } from './token-answer.ts'
import { answerTo, type Upgrades } from './upgrade.ts'
import { GRACE_MS } from './grace.ts'

/** What is replayed, and where. */
export interface ReplayFolderOptions extends FolderRunsOptions, Ports {
  /** Every `*.cassette.yaml` in it, however deep. */
  readonly folder: string
  /** Makes each port one for TLS and for tunnels too. The user of the proxy is the cassette's name. */
  readonly tls?: TlsOptions | undefined
}

/** How all replays of a folder went. It went well where `failures` and `leftovers` are empty. */
export interface FolderReport {
  /** How many cassettes there are. */
  readonly cassettes: number
  /** Those that were used, in the order in which they were first asked for; one used twice, as `NAME@RUN`, twice. */
  readonly replays: readonly RunReport[]
  /** Of all replays together, as are the numbers and lists that follow. */
  readonly exchanges: number
  readonly played: number
  readonly requests: number
  /** And of requests that belong to no cassette. */
  readonly failures: readonly FolderFailure[]
  /** Only of cassettes that were used. */
  readonly leftovers: readonly Leftover[]
  readonly notes: readonly string[]
}

/** A replay of a folder that can be reached. */
export interface ReplayFolder {
  /** `http://127.0.0.1:PORT`; `/t/NAME` behind it is a base URL for clients of the Developer API. */
  readonly url: string
  /** The same for clients of Vertex; the replays are one. */
  readonly vertexUrl: string
  /** The file with the certificate that clients are to trust; undefined without TLS. */
  readonly caFile: string | undefined
  /** The sides of the service that its cassettes begin with. */
  sides(): ReadonlySet<ServiceSide>
  /** How far the replays are that were begun. */
  progress(): FolderProgress
  /** Stops, and says how it went. What is still open gets `graceMs` (2000 unless set), then it is cut. */
  close(options?: { readonly graceMs?: number | undefined }): Promise<FolderReport>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Starts to replay a folder. No cassette is read before it is asked for.
 *
 * @throws `WIRETAPE_USAGE` for a folder that is not there or holds no cassette, and where a port can't be had or the
 * certificate authority can't be used; `WIRETAPE_WRITE` where that can't be made.
 */
export async function createReplayFolder(options: ReplayFolderOptions): Promise<ReplayFolder> {
  const { folder, port, vertexPort, tls: tlsOptions, ...rest } = options
  // Throws where there is none.
  findCassettes([folder])
  const cassettes = nameCassettes(folder)
  const runs = createFolderRuns(cassettes, rest)
  const failures: FolderFailure[] = []
  const notes = new Set<string>()
  function fail(failure: FolderFailure): void {
    failures.push(failure)
    rest.onFailure?.(undefined, failure)
  }
  const answers = createFolderAnswers({ cassettes, runs, graceMs: GRACE_MS, fail })
  const users = createAskedUsers()
  const note = (text: string): void => void notes.add(text)
  const opened = await openTls(tlsOptions, folderTunnel, note)
  const tls = opened && {
    ...opened,
    prefixOf: pathOf,
    onAsked: (host: string, user?: string) => users.take(host, user),
  }
  const listeners = await listenFor({ answers, runs, tls, note }, { port, vertexPort })
  let closing: Promise<FolderReport> | undefined

  async function stop(graceMs: number): Promise<FolderReport> {
    for (const listener of listeners) listener.stop()
    await runs.finish(graceMs)
    await Promise.all(listeners.map(listener => listener.close()))
    await runs.stop()
    for (const host of users.unanswered()) fail(failureOf(outside(`CONNECT ${host}`, cassettes)))
    const replays = await runs.reports()
    return reportOf({ cassettes: cassettes.all().length, replays, failures, notes: [...notes] })
  }

  const close: ReplayFolder['close'] = ({ graceMs = GRACE_MS } = {}) => (closing ??= stop(graceMs))
  const [{ url }, { url: vertexUrl }] = listeners
  return {
    url,
    vertexUrl,
    caFile: opened?.caFile,
    sides: () => sidesNamedIn(cassettes.all().map(name => cassettes.fileOf(name))),
    progress() {
      const { failures: own, ...numbers } = runs.progress()
      return { ...numbers, failures: [...failures, ...own] }
    },
    close,
    async [Symbol.asyncDispose]() {
      await close()
    },
  }
}

/** What stands behind the ports of a folder. */
interface FolderPorts {
  readonly answers: FolderAnswers
  readonly runs: FolderRuns
  readonly tls: PortTls | undefined
  readonly note: (text: string) => void
}

/** Takes what comes to either port to the replay that it is for. */
function listenFor(
  { answers, runs, tls, note }: FolderPorts,
  ports: Ports,
): Promise<readonly [Listener, Listener]> {
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    const place = answers.placeOf(request, () => response)
    if (place !== undefined) void runs.at(place).request(place.prefix, place.path, request, response)
  }
  const upgrades: Upgrades = {
    // Whether a replay has a socket there is known when its cassette has been read.
    owns: () => true,
    upgrade(request, socket, head) {
      // It may break meanwhile.
      socket.on('error', () => {})
      const place = answers.placeOf(request, () => answerTo(request))
      if (place === undefined) return
      void runs.at(place).upgrade(place.prefix, place.path, request, socket, head)
    },
  }
  const onMalformed = (why: string): void => note(`a client sent what is not HTTP: ${why}`)
  return listenOnBoth(answeringTokens(handler), ports, {
    onMalformed,
    onRefused: note,
    upgrades,
    tls,
  })
}

/** All of it together. `failures` and `notes`: those that belong to no replay. */
function reportOf(whole: Pick<FolderReport, 'cassettes' | 'replays' | 'failures' | 'notes'>): FolderReport {
  const { cassettes, replays, failures, notes } = whole
  const sum = (count: (report: RunReport) => number): number =>
    replays.reduce((total, report) => total + count(report), 0)
  return {
    cassettes,
    replays,
    exchanges: sum(({ exchanges }) => exchanges),
    played: sum(({ played }) => played),
    requests: sum(({ requests }) => requests),
    failures: [...failures, ...replays.flatMap(report => report.failures)],
    leftovers: replays.flatMap(report => report.leftovers),
    notes: [...notes, ...replays.flatMap(report => report.notes)],
  }
}
