/**
 * The ids of calls in a cassette that is written by hand: numbered where a call is made, and known where it is spoken of again.
 *
 * Room: dialect.
 */
import type { CallItem, StreamedCallItem } from './build-items.ts'

type Call = CallItem | StreamedCallItem

/** The ids of one cassette. */
export interface CallIds {
  /** The id of a call that is made: its own, or the next number after `prefix`. */
  give(call: Call, prefix: string): string
  /** The id that a call was made with; its own, where it was not made in this cassette. Undefined or empty: none. */
  find(call: Call): string | undefined
}

/** Starts numbering at 1. */
export function createCallIds(): CallIds {
  const given = new Map<Call, string>()
  let count = 0
  return {
    give(call, prefix) {
      const id = call.id ?? `${prefix}-${(count += 1)}`
      given.set(call, id)
      return id
    },
    find: call => call.id ?? given.get(call),
  }
}
