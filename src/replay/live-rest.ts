/**
 * What is left of a recorded connection when its client goes, or when no client came.
 *
 * Room: replay.
 */
import type { Expected } from './live-expected.ts'
import type { LiveScript } from './live-script.ts'
import type { ShelfEntry } from './live-shelf.ts'
import type { Leftover } from './report.ts'

/** How many of what is left a message names. */
const NAMED = 3

/** What is left of a connection, in words; a side is undefined where nothing of it is left. */
export interface Rest {
  /** Messages of the service that the client did not wait for. */
  readonly unreached: string | undefined
  /** Messages that the client did not send. */
  readonly unsent: string | undefined
}

/**
 * What the client did not wait for and did not send; undefined where nothing that counts is left. Bookkeeping
 * that nobody waits for does not count, nor does the close itself.
 */
export function restOf(script: LiveScript, cursor: number, expected: Expected): Rest | undefined {
  const unreached: string[] = []
  for (let index = cursor, step = script.step(index); step !== undefined; step = script.step(++index)) {
    if (step.type === 'server' && !step.marks.trailing) {
      unreached.push(`message ${step.number}, ${step.marks.label}`)
    }
  }
  const unsent = expected.unsent().map(need => `message ${need.number}, ${need.input.label}`)
  if (unreached.length + unsent.length === 0) return undefined
  return {
    unreached: unreached.length === 0 ? undefined : `never reached: ${listed(unreached)}`,
    unsent: unsent.length === 0 ? undefined : `never sent by the client: ${listed(unsent)}`,
  }
}

/** All that is left, as one text. */
export function restText({ unreached, unsent }: Rest): string {
  return [unreached, unsent].filter(text => text !== undefined).join('. ')
}

/** What is left as the report lists it. Who left before a message came need not have answered it. */
export function restsLeft(
  { source, operation, script }: ShelfEntry,
  rest: Rest | undefined,
): readonly Leftover[] {
  if (rest === undefined) return []
  const { file, number } = source
  const kind = rest.unreached === undefined ? 'never-sent' : 'never-reached'
  const message = `${operation}, ${script.name}, was not played to its end. ${restText(rest)}`
  return [{ file, number, operation, kind, message }]
}

function listed(names: readonly string[]): string {
  const more = names.length > NAMED ? `; ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join('; ')}${more}`
}

/** The connections that were not asked for as often as they must be. */
export function neverAskedOf(entries: readonly ShelfEntry[]): readonly Leftover[] {
  return entries.filter(entry => entry.uses < wanted(entry)).map(neverAsked)
}

/** Each once, `repeat: N` N times, `always` at least once. */
function wanted({ source }: ShelfEntry): number {
  const { repeat = 1 } = source.exchange
  return repeat === 'always' ? 1 : repeat
}

function neverAsked(entry: ShelfEntry): Leftover {
  const { file, number } = entry.source
  const often =
    entry.uses === 0 ? 'was never asked for' : `was asked for ${entry.uses} of ${wanted(entry)} times`
  const message = `${entry.operation}, ${entry.script.name}, ${often}`
  return { file, number, operation: entry.operation, kind: 'never-asked', message }
}
