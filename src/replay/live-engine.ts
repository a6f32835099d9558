/**
 * Makes the replay engine for sockets: it brings sockets and recorded connections together.
 *
 * What happens on one socket is in `live-session.ts`, which connection it gets in `live-shelf.ts`.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { ClientInput } from '../dialect/live-messages.ts'
import type { Failure } from './http.ts'
import { createComparer, ofOneKind } from './live-difference.ts'
import { silentConnection, unmatchedConnection, type Refusal } from './live-failure.ts'
import { neverAskedOf } from './live-rest.ts'
import { createSession, greet, type Session, type SessionSettings } from './live-session.ts'
import type { Leftover, ReplayReport } from './report.ts'
import { createShelf, type ShelfEntry } from './live-shelf.ts'
import { stepOne } from './live-step.ts'
import type { LiveCommand, LiveInput, LiveOptions, LiveReplay } from './live.ts'
import { playableHeaders } from './timeline.ts'

const MEDIA_QUIET_MS = 1_000
const STALL_MS = 10_000

/** A socket that has not said yet which connection it means, or one that plays it. */
type Socket =
  | { readonly type: 'waiting'; readonly operation: string; readonly opened: Instant }
  | { readonly type: 'playing'; readonly session: Session; readonly entry: ShelfEntry }

/**
 * Makes a replay of recorded connections; nothing has been asked of it yet.
 *
 * A server message is held until the client has sent what caused it on the recording, not what merely came
 * before it: design notes are in `live-gate.ts`.
 *
 * @example
 * ```ts
 * const replay = createLiveReplay({ sources: liveSources(tapes, live), dialect: live, redactor })
 * for (const command of replay.handle({ type: 'open', id: 1, url, headers }, clock.now())) run(command)
 * ```
 */
export function createLiveReplay(options: LiveOptions): LiveReplay {
  const { sources, dialect, redactor, match = 'body' } = options
  const comparer = createComparer(text => redactor.text(text))
  const shelf = createShelf(sources, dialect, comparer, match)
  const sockets = new Map<number, Socket>()
  const failures: Failure[] = []
  const notes = new Set<string>()
  const abandoned: Leftover[] = []
  let requests = 0
  let pendingWake: Instant | undefined
  const settings: SessionSettings = {
    dialect,
    comparer,
    pace: options.pace ?? { type: 'instant' },
    mediaQuietMs: options.mediaQuietMs ?? MEDIA_QUIET_MS,
    stallMs: options.stallMs ?? STALL_MS,
    note: text => notes.add(text),
  }
  /** By route alone: apps say the same in words of their own, all along. */
  const lenient: SessionSettings = { ...settings, comparer: ofOneKind(comparer) }

  function accept(id: number, url: string, now: Instant): readonly LiveCommand[] {
    requests += 1
    const operation = dialect.operation(url)
    const held = [...sockets.values()].filter(
      socket => socket.type === 'waiting' && socket.operation === operation,
    ).length
    const entry = shelf.takeAtOpen(operation, held)
    if (entry === undefined) {
      sockets.set(id, { type: 'waiting', operation, opened: now })
      return [{ type: 'accept', id }]
    }
    const { exchange } = entry.source
    if (exchange.response !== undefined) return refuse(id, entry)
    const silent = (exchange.messages ?? []).length === 0
    if (exchange.messages === undefined || (silent && exchange.end.how === 'upstream-error')) {
      return [{ type: 'drop', id }, played(id, entry, undefined, 0)]
    }
    return [{ type: 'accept', id }, ...start(id, entry, now).advance(now)]
  }

  function start(id: number, entry: ShelfEntry, now: Instant): Session {
    const byRoute = (entry.source.exchange.match ?? match) === 'route'
    const session = createSession(id, entry.operation, entry.script, byRoute ? lenient : settings, now)
    sockets.set(id, { type: 'playing', session, entry })
    return session
  }

  function message(id: number, inputs: readonly ClientInput[], now: Instant): readonly LiveCommand[] {
    const socket = sockets.get(id)
    const first = inputs[0]
    if (socket === undefined || first === undefined) return []
    if (socket.type === 'playing') return socket.session.receive(inputs, now)
    const choice = shelf.takeByMessage(socket.operation, first)
    if (choice.type === 'none') {
      return turnAway(id, unmatchedConnection(socket.operation, first, choice.why, choice.difference))
    }
    const { entry } = choice
    // Recorded order binds. Where sockets that begin alike are open at once, it may bind the wrong ones together.
    const alike = [...sockets.values()].some(
      other => other.type === 'playing' && shelf.alike(other.entry, entry),
    )
    if (choice.rivals.length > 0 && alike) {
      notes.add(`${entry.script.name}: ambiguous, since sockets that begin alike were open at once`)
    }
    return start(id, entry, now).receive([choice.first, ...inputs.slice(1)], now)
  }

  /** What a message says, redacted as a recording of it would be. Media is neither compared nor shown. */
  function read(bytes: Uint8Array): readonly ClientInput[] {
    const inputs = dialect.readClient(bytes)
    if (inputs.every(input => input.type === 'media')) return inputs
    const { bytes: safe, replaced, refused } = redactor.whole(bytes)
    return replaced.length === 0 && refused === undefined ? inputs : dialect.readClient(safe)
  }

  /** Refuses a socket that plays nothing. */
  function turnAway(id: number, { failure, code, reason }: Refusal): readonly LiveCommand[] {
    sockets.delete(id)
    return [greet(id, dialect), { type: 'fail', id, failure }, { type: 'close', id, code, reason }]
  }

  function leave(id: number, code: number | undefined, reason: string | undefined): readonly LiveCommand[] {
    const socket = sockets.get(id)
    sockets.delete(id)
    if (socket === undefined) return []
    if (socket.type === 'waiting') {
      notes.add(`A client opened ${socket.operation} and left without a message`)
      return []
    }
    const commands = socket.session.leave({ code, reason })
    abandoned.push(...restsOf(socket))
    return commands
  }

  function drained(id: number, now: Instant): readonly LiveCommand[] {
    const socket = sockets.get(id)
    return socket?.type === 'playing' ? socket.session.drained(now) : []
  }

  function wakeUp(now: Instant): readonly LiveCommand[] {
    pendingWake = undefined
    return [...sockets].flatMap(([id, socket]) => {
      if (socket.type === 'playing') return socket.session.advance(now)
      if (now < socket.opened + settings.stallMs) return []
      return turnAway(id, silentConnection(socket.operation, settings.stallMs))
    })
  }

  function react(input: LiveInput, now: Instant): readonly LiveCommand[] {
    switch (input.type) {
      case 'open':
        // Secrets are learned from where they are told, and known wherever they come again.
        redactor.headers(input.headers)
        return accept(input.id, redactor.url(input.url), now)
      case 'message':
        return message(input.id, read(input.bytes), now)
      case 'close':
        return leave(input.id, input.code, input.reason)
      case 'drained':
        return drained(input.id, now)
      case 'wake':
        return wakeUp(now)
      case 'step':
        return stepOne([...sockets.values()].flatMap(sessionOf), now)
    }
  }

  /** The next moment at which something is due. One that was asked for before is kept: early wakes do nothing. */
  function wake(): readonly LiveCommand[] {
    const times = [...sockets.values()].map(socket =>
      socket.type === 'playing' ? socket.session.wakeAt() : socket.opened + settings.stallMs,
    )
    const at = Math.min(...times.map(time => time ?? Infinity))
    if (at === Infinity || (pendingWake !== undefined && pendingWake <= at)) return []
    pendingWake = at
    return [{ type: 'wake', at }]
  }

  function progress(): Pick<ReplayReport, 'exchanges' | 'played'> {
    const { entries } = shelf
    return { exchanges: entries.length, played: entries.filter(entry => entry.uses > 0).length }
  }

  return {
    progress,
    owns(url) {
      const path = redactor.url(url).replace(/[?#].*$/s, '')
      return (
        dialect.owns(path) || shelf.entries.some(entry => pathOf(entry.operation) === dialect.operation(path))
      )
    },
    handle(input, now) {
      const commands = react(input, now)
      for (const command of commands) if (command.type === 'fail') failures.push(command.failure)
      return [...commands, ...wake()]
    },
    report() {
      const unfinished = [...sockets.values()].flatMap(restsOf)
      return {
        ...progress(),
        requests,
        failures: [...failures],
        leftovers: [...neverAskedOf(shelf.entries), ...abandoned, ...unfinished],
        notes: [...notes],
      }
    },
  }
}

function refuse(id: number, entry: ShelfEntry): readonly LiveCommand[] {
  const { exchange } = entry.source
  if (exchange.response === undefined) return []
  const { status, reason, headers, body } = exchange.response
  const bytes = body === undefined ? new Uint8Array() : entry.source.bytes(body, 'response')
  return [
    { type: 'refuse', id, status, reason, headers: playableHeaders(headers), body: bytes },
    played(id, entry, status, bytes.length),
  ]
}

/** An operation without its query. */
function pathOf(operation: string): string {
  return operation.split('?', 1)[0] ?? ''
}

function played(id: number, entry: ShelfEntry, status: number | undefined, bytes: number): LiveCommand {
  const { file, number, exchange } = entry.source
  const { operation } = entry
  const outcome = exchange.end.how ?? 'complete'
  return { type: 'done', id, exchange: { file, number, operation, status, bytes, outcome } }
}

function sessionOf(socket: Socket): readonly Session[] {
  return socket.type === 'playing' ? [socket.session] : []
}

function restsOf(socket: Socket): readonly Leftover[] {
  if (socket.type === 'waiting') return []
  const rest = socket.session.rest()
  if (rest === undefined) return []
  const { source, operation, script } = socket.entry
  const message = `${operation}, ${script.name}, was not played to its end. ${rest}`
  return [{ file: source.file, number: source.number, operation, kind: 'abandoned', message }]
}
