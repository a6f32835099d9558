/** How much memory a process holds, over its life. Linux tells it in `/proc`. */
import { readFileSync } from 'node:fs'

/** What a process held, in MB (10^6 bytes). */
export interface Resident {
  /** The most that it held at any time. */
  readonly peak: number
  /** The same, until its work was done. */
  readonly working: number
  /** The mean over each quarter of its work. */
  readonly quarters: readonly number[]
}

/** Watches one process. */
export interface Watch {
  /** So much of the work is done; from 0 to 1. */
  done(part: number): void
  /** What was seen. The process must still be there, or have been looked at shortly before its end. */
  result(): Resident
}

/** How often the most is asked for, in ms, also when no work is told of. */
const INTERVAL_MS = 50

/** Starts watching. */
export function watchMemory(pid: number): Watch {
  const sums = [0, 0, 0, 0]
  const counts = [0, 0, 0, 0]
  let peak = 0
  let working = 0
  const look = (): void => {
    peak = Math.max(peak, read(pid, 'VmHWM') ?? 0)
  }
  const timer = setInterval(look, INTERVAL_MS)
  timer.unref()
  return {
    done(part) {
      const now = read(pid, 'VmRSS')
      if (now === undefined) return
      working = Math.max(working, now)
      const quarter = Math.min(3, Math.floor(part * 4))
      sums[quarter] = (sums[quarter] ?? 0) + now
      counts[quarter] = (counts[quarter] ?? 0) + 1
    },
    result() {
      clearInterval(timer)
      look()
      return { peak, working, quarters: sums.map((sum, quarter) => sum / (counts[quarter] ?? 1)) }
    },
  }
}

/** Undefined for a process that is gone. */
function read(pid: number, field: 'VmRSS' | 'VmHWM'): number | undefined {
  try {
    const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )
    return kibibytes === null ? undefined : (Number(kibibytes[1]) * 1024) / 1_000_000
  } catch {
    return undefined
  }
}
