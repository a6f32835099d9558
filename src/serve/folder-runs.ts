/**
 * The replays of a folder: which one a name means now, and all that there were.
 *
 * Room: serve.
 */
import type { PlayedExchange } from '../replay/http.ts'
import type { Received } from '../replay/received.ts'
import type { ReplayName } from './folder-place.ts'
import { type FolderFailure, type FolderRun, type RunReport, startRun } from './folder-run.ts'
import type { NamedCassettes } from './named-cassettes.ts'
import type { ReplaySessionOptions } from './replay-session.ts'

/** How a folder is replayed, and who is told. `name`: the replay's, as in a URL. */
export interface FolderRunsOptions extends Omit<
  ReplaySessionOptions,
  'onReceived' | 'onExchange' | 'onFailure'
> {
  /** Told of each request that reached a recording, and of each message of a socket, as it comes. */
  readonly onReceived?: ((name: string, received: Received) => void) | undefined
  /** Told of each exchange when it was played or abandoned. */
  readonly onExchange?: ((name: string, played: PlayedExchange) => void) | undefined
  /** Told of each client that left a recording; `undefined`: that asked for what no recording is. */
  readonly onFailure?: ((name: string | undefined, failure: FolderFailure) => void) | undefined
}

/** How far the replays of a folder are: all that were begun, together. */
export interface FolderProgress {
  readonly exchanges: number
  readonly played: number
  readonly failures: readonly FolderFailure[]
}

/** The replays of one folder. */
export interface FolderRuns {
  /** The replay that a name means; started, if there is none yet. */
  at(name: ReplayName): FolderRun
  /** The next request for this name starts another replay. The one that there was is reported like any other. */
  renew(name: string): void
  progress(): FolderProgress
  /** Of each, in the order in which they were first asked for. */
  reports(): Promise<readonly RunReport[]>
  /** Waits until nothing is open; what still is after so many milliseconds is cut. */
  finish(graceMs: number): Promise<void>
  /** Nothing is played any more. */
  stop(): Promise<void>
}

/** None was started yet. */
export function createFolderRuns(cassettes: NamedCassettes, options: FolderRunsOptions): FolderRuns {
  const { onReceived, onExchange, onFailure, ...rest } = options
  const all: FolderRun[] = []
  const current = new Map<string, FolderRun>()

  function start({ cassette, name }: ReplayName): FolderRun {
    const run = startRun(name, cassettes.fileOf(cassette), {
      ...rest,
      onReceived: onReceived && (received => onReceived(name, received)),
      onExchange: played => onExchange?.(name, played),
      onFailure: failure => onFailure?.(name, failure),
    })
    all.push(run)
    current.set(name, run)
    return run
  }

  async function each(work: (run: FolderRun) => Promise<void>): Promise<void> {
    await Promise.all(all.map(work))
  }

  return {
    at: named => current.get(named.name) ?? start(named),
    renew: name => void current.delete(name),
    progress() {
      const known = all.flatMap(run => run.progress() ?? [])
      return {
        exchanges: known.reduce((sum, { exchanges }) => sum + exchanges, 0),
        played: known.reduce((sum, { played }) => sum + played, 0),
        failures: known.flatMap(({ failures }) => failures),
      }
    },
    reports: () => Promise.all(all.map(run => run.report())),
    finish: graceMs => each(run => run.finish(graceMs)),
    stop: () => each(run => run.stop()),
  }
}
