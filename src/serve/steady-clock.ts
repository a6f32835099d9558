/**
 * The time as this process has it, or as a test has it that put fake timers in their place.
 *
 * Room: serve.
 */
import type { Clock, Instant } from '../clock.ts'

/**
 * A clock that reads the global `performance` anew each time, and never goes back.
 *
 * Where fake timers come or go, time goes on from where it was: each counts from another moment, and what lies
 * between the two has not passed for anybody.
 */
export function createSteadyClock(): Clock {
  let source: typeof globalThis.performance | undefined
  let ahead = 0
  let last: Instant = 0

  function goOn(read: number): void {
    ahead = last - read
  }

  return {
    now() {
      // Not imported: fake timers replace the global one.
      const { performance } = globalThis
      const read = performance.now()
      if (source !== performance || read + ahead < last) goOn(read)
      source = performance
      last = Math.max(last, read + ahead)
      return last
    },
    reach(at) {
      if (at <= last) return
      last = at
      goOn(globalThis.performance.now())
    },
  }
}
