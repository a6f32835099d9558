/**
 * Time, as the rooms without a clock see it: a number that is handed in.
 *
 * Every time in Wiretape is in milliseconds, with fractions where a source has them. Rooms above `store`
 * never read a clock; the carriers in `serve` do, and pass what they read.
 *
 * Used by every room.
 */

/** A moment in milliseconds. Only differences between two of them mean something. */
export type Instant = number

/** A moment with three digits: microseconds are all that a socket's times mean. */
export function roundToMicros(at: Instant): Instant {
  return Math.round(at * 1000) / 1000
}

/** Where a carrier reads the time. Tests pass one that they move by hand. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): Instant
  /** It is this moment, or later: a timer that was set for it says so. Absent where time is moved by hand. */
  reach?(at: Instant): void
}
