/**
 * Which recorded connection answers a socket: by what it asks for, then by its first message.
 *
 * Room: replay.
 */
import type { ClientInput, SocketDialect } from '../dialect/live-messages.ts'
import { type Comparers, type OpenedSocket, recordedSocket } from './live-comparers.ts'
import { nearConnections, type NoChoice, type Opening } from './live-miss.ts'
import { createScript, type LiveScript } from './live-script.ts'
import type { LiveSource } from './live.ts'
import type { SafeMatch } from './matching.ts'

/** A recorded connection on the shelf. */
export interface ShelfEntry {
  readonly source: LiveSource
  readonly operation: string
  readonly script: LiveScript
  /** How often it was taken. */
  readonly uses: number
}

/** What a first message found. */
type Choice =
  | {
      readonly type: 'found'
      readonly entry: ShelfEntry
      /** What the first input counts as: the recorded one where it need not be the same. */
      readonly first: ClientInput
      readonly rivals: readonly ShelfEntry[]
    }
  | ({ readonly type: 'none' } & NoChoice)

/** All recorded connections of a replay. */
export interface Shelf {
  readonly entries: readonly ShelfEntry[]
  /**
   * Takes the connection that is next for an operation if it is decided before any message: a refused
   * upgrade, one that never answered, one where the service spoke first. `held` sockets that are open and
   * have not sent their first message come before it.
   */
  takeAtOpen(operation: string, held: number): ShelfEntry | undefined
  /** Takes the first unused connection that begins with this message. */
  takeByMessage(socket: OpenedSocket, first: ClientInput): Choice
  /** True where a connection of this operation may still be taken. */
  isOpen(operation: string): boolean
  /** Why no connection of this operation is left. */
  without(operation: string): string
  /** True where two connections begin alike, so that the first message can't tell them apart. */
  alike(left: ShelfEntry, right: ShelfEntry): boolean
}

type MutableEntry = { -readonly [Key in keyof ShelfEntry]: ShelfEntry[Key] }

/** Puts recorded connections on the shelf, in file order. */
export function createShelf(
  sources: readonly LiveSource[],
  dialect: SocketDialect,
  comparers: Comparers,
): Shelf {
  const entries = sources.map(source => ({
    source,
    operation: dialect.operation(source.exchange.request.url),
    script: createScript(source, dialect),
    uses: 0,
  }))
  let issued: ReadonlySet<string> | undefined

  /** A handle that no recorded connection gave comes from outside; which one it is means nothing here. */
  function originOf(handle: string | undefined): 'none' | 'issued' | 'outside' {
    if (handle === undefined) return 'none'
    issued ??= new Set(entries.flatMap(({ script }) => handlesOf(script)))
    return issued.has(handle) ? 'issued' : 'outside'
  }

  const matchOf = ({ source }: ShelfEntry): SafeMatch => comparers.matchOf(source)

  function beginsWith(entry: ShelfEntry, socket: OpenedSocket, first: ClientInput): boolean {
    if (matchOf(entry) === 'route') return true
    const recorded = opening(entry)
    if (recorded === undefined || recorded.type !== first.type) return false
    if (recorded.type === 'media' || first.type === 'media') return true
    if (!comparers.of(entry.source, entry.operation, socket).same(recorded, first)) return false
    return originOf(handleOf(recorded)) === originOf(handleOf(first))
  }

  function free(operation: string): readonly MutableEntry[] {
    return entries.filter(entry => entry.operation === operation && entry.uses < limitOf(entry))
  }

  function takeByMessage(socket: OpenedSocket, first: ClientInput): Choice {
    const { operation } = socket
    const unused = free(operation).filter(entry => opening(entry) !== undefined)
    const inOrder = unused.filter((entry, index) => index === 0 || matchOf(entry) !== 'strict-order')
    const fitting = inOrder.filter(entry => beginsWith(entry, socket, first))
    // The handle it was recorded with, or else the next one: a client may resume from an earlier handle.
    const exact = fitting.filter(entry => handleOf(opening(entry)) === handleOf(first))
    const entry = exact[0] ?? fitting[0]
    if (entry === undefined) return { type: 'none', ...missOf(socket, unused, first) }
    const counts = matchOf(entry) === 'route' ? (opening(entry) ?? first) : first
    return {
      type: 'found',
      entry: take(entry),
      first: counts,
      rivals: fitting.filter(other => other !== entry),
    }
  }

  function without(operation: string): string {
    const known = entries.filter(entry => entry.operation === operation).length
    const others = [...new Set(entries.map(entry => entry.operation))].join(', ')
    return known === 0
      ? `the recording has ${others === '' ? 'no connection at all' : `only ${others}`}`
      : `${known === 1 ? 'the one that is recorded' : `all ${known} that are recorded`} had their turn`
  }

  function missOf(socket: OpenedSocket, unused: readonly ShelfEntry[], received: ClientInput): NoChoice {
    const { operation } = socket
    const openings = entries
      .filter(entry => entry.operation === operation)
      .flatMap((entry): readonly Opening[] => {
        const first = opening(entry)
        if (first === undefined) return []
        const isOpen = entry.uses < limitOf(entry)
        const fits = beginsWith(entry, socket, received)
        return [{ entry, first, state: !isOpen ? 'used' : fits ? 'too early' : 'open', fits }]
      })
    const inTurn = openings.toSorted(
      (one, other) => Number(one.state === 'used') - Number(other.state === 'used'),
    )
    const [next] = unused
    return {
      why: next === undefined ? without(operation) : `the next one is ${next.script.name}`,
      near: nearConnections(inTurn, received, comparers, dialect),
    }
  }

  return {
    entries,
    takeAtOpen(operation, held) {
      let before = held
      for (const entry of free(operation)) {
        if (opening(entry) === undefined) return take(entry)
        before -= limitOf(entry) - entry.uses
        if (before < 0) return undefined
      }
      return undefined
    },
    takeByMessage,
    without,
    isOpen: operation => free(operation).length > 0,
    alike(left, right) {
      const first = opening(right)
      if (first === undefined || left.operation !== right.operation) return false
      return beginsWith(left, recordedSocket(right.source, right.operation), first)
    },
  }
}

function take(entry: MutableEntry): ShelfEntry {
  entry.uses += 1
  return entry
}

/** The first thing the client said on the recording; undefined where the service came first. */
function opening({ script }: ShelfEntry): ClientInput | undefined {
  const step = script.step(0)
  return step?.type === 'client' ? step.inputs[0] : undefined
}

function handleOf(input: ClientInput | undefined): string | undefined {
  return input?.type === 'discrete' ? input.resumes : undefined
}

function limitOf({ source }: ShelfEntry): number {
  const { repeat = 1 } = source.exchange
  return repeat === 'always' ? Infinity : repeat
}

function handlesOf(script: LiveScript): readonly string[] {
  const handles: string[] = []
  for (let index = 0, step = script.step(index); step !== undefined; step = script.step(++index)) {
    if (step.type === 'server' && step.marks.issues !== undefined) handles.push(step.marks.issues)
  }
  return handles
}
