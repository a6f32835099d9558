/**
 * The one timer of a carrier: engines have none, and say when they want to be woken.
 *
 * Room: serve.
 */
import type { Clock, Instant } from '../clock.ts'

/** A timer that is set anew as often as it takes. */
export interface Alarm {
  /** Rings at this moment or a little later; replaces an earlier one. */
  set(at: Instant): void
  stop(): void
}

/** The longest that a timer of Node can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1

/** By how much a timer of Node may be too early, in milliseconds. A fake one may be so by any time. */
const EARLY = 2

/**
 * An alarm that is not set yet. `ring` is called once each time.
 *
 * It is set by the global timers of that moment, so that a test's fake ones move it, and cleared by the same. Where a test has replaced them but not the time, it is
 * they that tell the time.
 */
export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let clear: (() => void) | undefined
  return {
    set(at) {
      clear?.()
      const wait = Math.min(LONGEST, Math.max(0, Math.ceil(at - clock.now())))
      const { setTimeout, clearTimeout } = globalThis
      const timer = setTimeout(() => {
        if (wait < LONGEST && clock.now() < at - EARLY) clock.reach?.(at)
        ring()
      }, wait)
      clear = () => clearTimeout(timer)
    },
    stop: () => clear?.(),
  }
}
