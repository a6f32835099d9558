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

/**
 * What the client did not wait for and did not send; undefined where nothing that counts is left. Bookkeeping
 * that nobody waits for does not count, nor does the close itself.
 */
export function restOf(script: LiveScript, cursor: number, expected: Expected): string | undefined {
  const unreached: string[] = []
  for (let index = cursor, step = script.step(index); step !== undefined; step = script.step(++index)) {
    if (step.type === 'server' && !step.marks.trailing) {
      unreached.push(`message ${step.number}, ${step.marks.label}`)
    }
  }
  const unsent = expected.unsent().map(need => `message ${need.number}, ${need.input.label}`)
  const parts = [
    ...(unreached.length === 0 ? [] : [`never reached: ${listed(unreached)}`]),
    ...(unsent.length === 0 ? [] : [`never sent by the client: ${listed(unsent)}`]),
  ]
  return parts.length === 0 ? undefined : parts.join('. ')
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
