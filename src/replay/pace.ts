/**
 * What a pace makes of a recorded pause.
 *
 * Room: replay.
 */
import type { Pace } from './http.ts'

/**
 * How long a pause takes in a replay, in milliseconds, of so many on the recording.
 *
 * By hand nothing waits for time: a step comes when it is asked for.
 */
export function pacedGap(pace: Pace, recordedMs: number): number {
  switch (pace.type) {
    case 'instant':
    case 'manual':
      return 0
    case 'factor':
      return Math.min(Math.max(0, recordedMs) / pace.factor, pace.capMs ?? Infinity)
  }
}
