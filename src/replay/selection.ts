/**
 * Which recorded exchange answers a request: the same operation, the first one that is not used up and
 * that its `match` says is the same.
 *
 * An exchange is used once, or as often as its `repeat` says. Recorded order binds: where two exchanges
 * answer the same request, the earlier one is used first.
 *
 * Room: replay.
 */
import type { Asked } from './asked.ts'
import { isSameBody } from './body.ts'
import type { Recorded } from './recorded.ts'

/** The exchanges of a replay, and how often each was asked for. */
export interface Selection {
  readonly all: readonly Recorded[]
  /** The exchange that answers this request, counted as used now; undefined where none does. */
  take(asked: Asked): Recorded | undefined
  /** How often it was asked for. */
  uses(recorded: Recorded): number
  /** True if it may be asked for again. */
  isOpen(recorded: Recorded): boolean
  /** True if it was asked for as often as it must be: `repeat` times; once where that is `always`. */
  isSatisfied(recorded: Recorded): boolean
  /** What must be asked for before this one, where it is matched in strict order; undefined where nothing must. */
  before(recorded: Recorded): Recorded | undefined
  /** The exchanges with the operation of this request, in order. */
  sameOperation(asked: Asked): readonly Recorded[]
}

/** True if this exchange answers this request, used up or not. */
export function answers(recorded: Recorded, asked: Asked): boolean {
  if (recorded.operation !== asked.operation) return false
  const { match } = recorded
  switch (match) {
    case 'route':
      return true
    case 'body':
    case 'strict-order':
      return isSameBody(recorded.body(), asked.body())
  }
  return match.matches(recorded.plain(), asked.plain())
}

/** Starts with every exchange unused. */
export function createSelection(all: readonly Recorded[]): Selection {
  const used = new Map<Recorded, number>()
  const byOperation = new Map<string, Recorded[]>()
  for (const recorded of all) {
    const same = byOperation.get(recorded.operation)
    if (same === undefined) byOperation.set(recorded.operation, [recorded])
    else same.push(recorded)
  }

  const uses = (recorded: Recorded): number => used.get(recorded) ?? 0

  function isOpen(recorded: Recorded): boolean {
    const times = repeatOf(recorded)
    return times === 'always' || uses(recorded) < times
  }

  function isSatisfied(recorded: Recorded): boolean {
    const times = repeatOf(recorded)
    return uses(recorded) >= (times === 'always' ? 1 : times)
  }

  function before(recorded: Recorded): Recorded | undefined {
    if (recorded.match !== 'strict-order') return undefined
    return all.find(
      other => other.file === recorded.file && other.number < recorded.number && !isSatisfied(other),
    )
  }

  const sameOperation = (asked: Asked): readonly Recorded[] => byOperation.get(asked.operation) ?? []

  function take(asked: Asked): Recorded | undefined {
    const free = sameOperation(asked).filter(recorded => isOpen(recorded) && before(recorded) === undefined)
    // Two uploads are one operation, since placeholders compare without their numbers; the very same address goes first.
    const chosen =
      free.find(recorded => recorded.target === asked.target && answers(recorded, asked)) ??
      free.find(recorded => answers(recorded, asked))
    if (chosen !== undefined) used.set(chosen, uses(chosen) + 1)
    return chosen
  }

  return { all, take, uses, isOpen, isSatisfied, before, sameOperation }
}

function repeatOf({ exchange }: Recorded): number | 'always' {
  return exchange.repeat ?? 1
}
