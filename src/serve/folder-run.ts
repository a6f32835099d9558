/**
 * One replay of one cassette of a folder: loaded when it is first asked for, so that a cassette with a
 * mistake fails those who use it and nobody else.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, WiretapeError } from '../errors.ts'
import type { ReplayReport } from '../replay/report.ts'
import { loadCassette } from '../store/load.ts'
import { createCrowd } from './crowd.ts'
import { refuse } from './refusal.ts'
import { createReplayHandler } from './replay-handler.ts'
import {
  createReplaySession,
  type ReplayProgress,
  type ReplaySession,
  type ReplaySessionOptions,
} from './replay-session.ts'
import { createReplayUpgrades } from './socket-peer.ts'
import { answerTo } from './upgrade.ts'
import { GRACE_MS } from './grace.ts'

/** Something that went wrong: a client left the recording, or there was none to play. */
export interface FolderFailure {
  readonly code: ErrorCode
  /** The whole text, as the report prints it. The client was told it too. */
  readonly message: string
  /** The same as data, JSON-safe. */
  readonly details: Readonly<Record<string, unknown>>
}

/** How one replay went. It went well where `failures` and `leftovers` are empty. */
export interface RunReport extends Omit<ReplayReport, 'failures'> {
  /** The cassette's name, with its run if it has one. */
  readonly name: string
  readonly file: string
  readonly failures: readonly FolderFailure[]
}

/** A replay that requests can be sent to. */
export interface FolderRun {
  readonly name: string
  /** Answers a request. `prefix`: what stood before `path`, which the client is told again in addresses. */
  request(prefix: string, path: string, request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Answers a request for a WebSocket. */
  upgrade(
    prefix: string,
    path: string,
    request: IncomingMessage,
    socket: Duplex,
    head: Uint8Array,
  ): Promise<void>
  progress(): ReplayProgress | undefined
  /** As of now. */
  report(): Promise<RunReport>
  /** Waits until nothing is open; what still is after so many milliseconds is cut. */
  finish(graceMs: number): Promise<void>
  /** Nothing is played any more. */
  stop(): Promise<void>
}

/** How a run is played, and who is told. */
export interface RunOptions extends Omit<ReplaySessionOptions, 'onFailure'> {
  /** Told of each client that left the recording, and once if there is none that can be played. */
  readonly onFailure: (failure: FolderFailure) => void
}

/** Starts a replay, and the reading of its cassette. */
export function startRun(name: string, file: string, options: RunOptions): FolderRun {
  const loaded = load(file, options)
  /** From the first byte of a request on, whose body may take its time, to the last of its answer. */
  const open = createCrowd<ServerResponse>()
  let player: Player | undefined
  let refused = 0

  /** At once: whoever waits for `loaded` later, finds what was asked before. */
  function playerOr(
    session: ReplaySession | WiretapeError,
    refuseWith: (error: WiretapeError) => void,
  ): Player | undefined {
    if (!WiretapeError.is(session)) return (player ??= createPlayer(session))
    refused += 1
    refuseWith(session)
    return undefined
  }

  function join(response: ServerResponse): void {
    if (response.closed) return
    const id = open.add(() => response)
    response.once('close', () => open.remove(id))
  }

  return {
    name,
    async request(prefix, path, asked, response) {
      join(response)
      const found = playerOr(await loaded, ({ code, message }) => refuse(response, code, message))
      found?.request(prefix, path, asked, response)
    },
    async upgrade(prefix, path, asked, socket, head) {
      const found = playerOr(await loaded, ({ code, message }) => refuse(answerTo(asked), code, message))
      if (found === undefined || found.upgrade(path, asked, socket, head)) return
      // As if it had not asked for a socket.
      const response = answerTo(asked)
      join(response)
      found.request(prefix, path, asked, response)
    },
    progress: () => player?.progress(),
    async report() {
      const session = await loaded
      if (!WiretapeError.is(session)) return { name, file, ...session.report() }
      const failures = [failureOf(session)]
      return { name, file, exchanges: 0, played: 0, requests: refused, failures, leftovers: [], notes: [] }
    },
    async finish(graceMs) {
      await loaded
      await Promise.all([open.idle(graceMs), player?.idle(graceMs)])
      player?.cut()
      for (const response of open.all()) response.destroy()
      // The connections are cut now, but what was open on them hears of it a moment later.
      await player?.idle(GRACE_MS)
    },
    async stop() {
      const session = await loaded
      if (!WiretapeError.is(session)) session.stop()
    },
  }
}

/** Takes what comes to a replay that could be loaded. */
interface Player {
  request(prefix: string, path: string, asked: IncomingMessage, response: ServerResponse): void
  /** False where the recording has no socket there: nothing was done. */
  upgrade(path: string, asked: IncomingMessage, socket: Duplex, head: Uint8Array): boolean
  progress(): ReplayProgress
  /** Resolves when nothing is open, or after so many milliseconds. */
  idle(graceMs: number): Promise<void>
  /** Ends the sockets that are open. */
  cut(): void
}

function createPlayer(session: ReplaySession): Player {
  const note = (text: string): void => session.note(text)
  const upgrades = createReplayUpgrades(session.sockets, note)
  return {
    request(prefix, path, asked, response) {
      asked.url = path
      createReplayHandler(session.requests, note, url => session.redactUrl(url), prefix)(asked, response)
    },
    upgrade(path, asked, socket, head) {
      asked.url = path
      if (!upgrades.owns(asked)) return false
      upgrades.upgrade(asked, socket, head)
      return true
    },
    progress: () => session.progress(),
    idle: graceMs => session.idle(graceMs),
    cut: () => session.sockets.cut(),
  }
}

async function load(file: string, options: RunOptions): Promise<ReplaySession | WiretapeError> {
  try {
    return createReplaySession([await loadCassette(file)], options)
  } catch (error) {
    if (!WiretapeError.is(error)) throw error
    options.onFailure(failureOf(error))
    return error
  }
}

/** An error as a report tells it. */
export function failureOf({ code, message, details }: WiretapeError): FolderFailure {
  return { code, message, details }
}
