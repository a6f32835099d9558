/**
 * What is left of a recorded connection when its client goes.
 *
 * Room: replay.
 */
import type { Expected } from './live-expected.ts'
import type { LiveScript } from './live-script.ts'

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
