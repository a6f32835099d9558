/**
 * The time as this process has it, or as a test has it that put fake timers in their place.
 *
 * Room: serve.
 */
import type { Clock, Instant } from '../clock.ts'

/**
 * A clock that reads the global `performance` anew each time, and never goes back: fake timers that are
 * switched on later begin at 0, and time goes on from there.
 */
export function createSteadyClock(): Clock {
  let ahead = 0
  let last: Instant = -Infinity
  return {
    now() {
      // Not imported: fake timers replace the global one.
      const read = globalThis.performance.now()
      ahead = Math.max(ahead, last - read)
      last = read + ahead
      return last
    },
  }
}
