/**
 * Makes the replay engine for sockets: it brings sockets and recorded connections together.
 *
 * What happens on one socket is in `live-session.ts`, which connection it gets in `live-shelf.ts`.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { ClientInput } from '../dialect/live-messages.ts'
import type { HeaderList } from '../wire/headers.ts'
import type { Failure } from './http.ts'
import { allowedNote, readAllowed, sortedOut } from './allowed.ts'
import { createComparers, type OpenedSocket, openedSocket } from './live-comparers.ts'
import { createComparer } from './live-difference.ts'
import { failedMatcher, type Refusal, silentConnection, unmatchedOpening } from './live-failure.ts'
import { type NoChoice, unmatchedConnection } from './live-miss.ts'
import { ignoring, readRedacted } from './live-reader.ts'
import { neverAskedOf } from './live-rest.ts'
import { greet } from './live-greeting.ts'
import { createSession, type Session, type SessionSettings } from './live-session.ts'
import type { Leftover, ReplayReport } from './report.ts'
import { createShelf, type ShelfEntry } from './live-shelf.ts'
import { restsOf, type Socket, sourceOf } from './live-socket.ts'
import { stepOne } from './live-step.ts'
import { withoutSocket } from './live-upgrade.ts'
import type { LiveCommand, LiveInput, LiveOptions, LiveReplay } from './live.ts'
import { guarded, readIgnored, troubleOf } from './matching.ts'
import { firstLine } from './miss.ts'

const MEDIA_QUIET_MS = 1_000
const STALL_MS = 10_000

/**
 * Makes a replay of recorded connections; nothing has been asked of it yet.
 *
 * A server message is held until the client has sent what caused it on the recording, not what merely came
 * before it: design notes are in `live-gate.ts`.
 *
 * @example
 * ```ts
 * const replay = createLiveReplay({ sources: liveSources(cassettes, live), dialect: live, redactor })
 * for (const command of replay.handle({ type: 'open', id: 1, url, headers }, clock.now())) run(command)
 * ```
 */
export function createLiveReplay(options: LiveOptions): LiveReplay {
  const { sources, redactor, onMiss = 'refuse' } = options
  const file = sources[0]?.file
  const dialect = ignoring(options.dialect, readIgnored(options.ignore))
  const allow = readAllowed(options.allow)
  const match = guarded(options.match)
  const redact = (text: string): string => redactor.text(text)
  const comparers = createComparers(createComparer(redact), match)
  const shelf = createShelf(sources, dialect, comparers)
  const sockets = new Map<number, Socket>()
  const failures: Failure[] = []
  const notes = new Set<string>()
  const abandoned: Leftover[] = []
  let requests = 0
  let pendingWake: Instant | undefined
  const settings: Omit<SessionSettings, 'comparer'> = {
    dialect,
    redact,
    trouble: () => troubleOf(match, redact),
    pace: options.pace ?? { type: 'instant' },
    mediaQuietMs: options.mediaQuietMs ?? MEDIA_QUIET_MS,
    stallMs: options.stallMs ?? STALL_MS,
    note: text => notes.add(text),
  }

  function accept(id: number, opening: OpenedSocket, now: Instant): readonly LiveCommand[] {
    requests += 1
    const { operation } = opening
    const held = [...sockets.values()].filter(
      socket => socket.type === 'waiting' && socket.opening.operation === operation,
    ).length
    const entry = shelf.takeAtOpen(operation, held)
    if (entry === undefined) {
      if (onMiss === 'pass' && !shelf.isOpen(operation)) {
        return [{ type: 'pass', id, failure: unmatchedOpening(operation, shelf.without(operation), file) }]
      }
      sockets.set(id, { type: 'waiting', opening, opened: now })
      return [{ type: 'accept', id }]
    }
    const ended = withoutSocket(id, entry)
    if (ended !== undefined) return ended
    return [{ type: 'accept', id }, ...start(id, entry, opening, now).advance(now)]
  }

  function start(id: number, entry: ShelfEntry, opening: OpenedSocket, now: Instant): Session {
    const comparer = comparers.of(entry.source, entry.operation, opening)
    const session = createSession(id, entry.operation, entry.script, { ...settings, comparer }, now)
    sockets.set(id, { type: 'playing', session, entry })
    return session
  }

  function message(id: number, inputs: readonly ClientInput[], now: Instant): readonly LiveCommand[] {
    const socket = sockets.get(id)
    const first = inputs[0]
    if (socket === undefined || first === undefined) return []
    if (socket.type === 'playing') return socket.session.receive(inputs, now)
    const { opening } = socket
    const choice = shelf.takeByMessage(opening, first)
    if (choice.type === 'none') return unmatched(id, opening, first, choice)
    const { entry } = choice
    // Recorded order binds. Where sockets that begin alike are open at once, it may bind the wrong ones together.
    const alike = [...sockets.values()].some(
      other => other.type === 'playing' && shelf.alike(other.entry, entry),
    )
    if (choice.rivals.length > 0 && alike) {
      notes.add(`${entry.script.name}: ambiguous, since sockets that begin alike were open at once`)
    }
    return start(id, entry, opening, now).receive([choice.first, ...inputs.slice(1)], now)
  }

  function openedAs(headers: HeaderList, url: string): OpenedSocket {
    return openedSocket(dialect.operation(url), 'GET', url, headers)
  }

  /** No recorded connection begins as this socket does. */
  function unmatched(
    id: number,
    { operation }: OpenedSocket,
    first: ClientInput,
    miss: NoChoice,
  ): readonly LiveCommand[] {
    const trouble = settings.trouble()
    if (trouble !== undefined) return turnAway(id, failedMatcher(operation, trouble))
    const refusal = unmatchedConnection(operation, first, miss, file, redact)
    if (onMiss === 'pass') {
      sockets.delete(id)
      return [{ type: 'pass', id, failure: refusal.failure }]
    }
    if (!allow.includes('extra-request')) return turnAway(id, refusal)
    notes.add(allowedNote('extra-request', firstLine(refusal.failure.message)))
    return turnAway(id, refusal).filter(({ type }) => type !== 'fail')
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
      notes.add(`A client opened ${socket.opening.operation} and left without a message`)
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
      return turnAway(id, silentConnection(socket.opening.operation, settings.stallMs))
    })
  }

  function react(input: LiveInput, now: Instant): readonly LiveCommand[] {
    switch (input.type) {
      case 'open':
        // Secrets are learned from where they are told, and known wherever they come again.
        return accept(input.id, openedAs(redactor.headers(input.headers), redactor.url(input.url)), now)
      case 'message':
        return message(input.id, readRedacted(input.bytes, dialect, redactor), now)
      case 'close':
        return leave(input.id, input.code, input.reason)
      case 'drained':
        return drained(input.id, now)
      case 'wake':
        return wakeUp(now)
      case 'step':
        return stepOne(
          [...sockets.values()].flatMap(socket => (socket.type === 'playing' ? [socket.session] : [])),
          now,
        )
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
    playing: id => sourceOf(sockets.get(id)),
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
      const all = [...neverAskedOf(shelf.entries), ...abandoned, ...unfinished]
      const { leftovers, allowed } = sortedOut(all, allow)
      return {
        ...progress(),
        requests,
        failures: [...failures],
        leftovers,
        notes: [...notes, ...allowed],
      }
    },
  }
}

/** An operation without its query. */
function pathOf(operation: string): string {
  return operation.split('?', 1)[0] ?? ''
}
