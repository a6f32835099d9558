/**
 * Steps by hand: whoever asks for one waits until there is something that may go out.
 *
 * The carriers of one replay share this, so that one step lets one thing go, of whichever of them.
 *
 * Room: serve.
 */
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'

/** What a step has let go. */
export interface Released {
  /**
   * `chunk`: of an answer, its head with the first and its end with the last. `end`: an answer without a
   * chunk. `head`: of an answer that is cut after it. `cut`: a connection, as on the recording. `message` and
   * `close`: of a socket.
   */
  readonly type: 'chunk' | 'end' | 'head' | 'cut' | 'message' | 'close'
  /** The bytes of the chunk or the message; none for the others. */
  readonly bytes: Uint8Array
}

/** How long a step waits. */
export interface StepOptions {
  /** For something that may go out, in milliseconds of real time, also under fake timers; 1000 unless set. `Infinity`: as long as it takes. */
  readonly withinMs?: number | undefined
}

/** The steps of one replay at pace `manual`. */
export interface Steps {
  /** Adds a carrier. `release` lets one thing go; undefined where none waits. */
  join(release: () => Released | undefined): void
  /** Something has come: what a step waits for may be there now. */
  retry(): void
  /** The next thing goes out, or the first that may within some time; undefined if there was none. */
  step(options?: StepOptions): Promise<Released | undefined>
  /** Those who wait, and those who ask from now on, get nothing. */
  stop(): void
}

const WITHIN = 1000
/** The longest that a timer of Node can wait; a longer one would ring at once. */
const LONGEST = 2 ** 31 - 1

/** Steps without a carrier yet. */
export function createSteps(): Steps {
  const carriers: (() => Released | undefined)[] = []
  const waiting = new Set<(released: Released | undefined) => void>()
  let isReleasing = false
  let isOver = false

  function release(): Released | undefined {
    for (const one of carriers) {
      const released = one()
      if (released !== undefined) return released
    }
    return undefined
  }

  function retry(): void {
    // A release is an input too.
    if (isReleasing) return
    isReleasing = true
    for (const settle of waiting) {
      const released = release()
      if (released === undefined) break
      settle(released)
    }
    isReleasing = false
  }

  function step({ withinMs = WITHIN }: StepOptions = {}): Promise<Released | undefined> {
    // In a turn of its own: whoever steps in a loop must let what ends the replay go on.
    if (isOver) return new Promise(resolve => setImmediate(resolve, undefined))
    return new Promise(resolve => {
      // Of `node:timers`, which fake timers leave alone: nobody would move them for us.
      const timer = setTimeout(() => settle(undefined), Math.min(LONGEST, withinMs))
      function settle(released: Released | undefined): void {
        clearTimeout(timer)
        waiting.delete(settle)
        resolve(released)
      }
      waiting.add(settle)
      retry()
    })
  }

  return {
    join: one => void carriers.push(one),
    retry,
    step,
    stop() {
      isOver = true
      waiting.forEach(settle => settle(undefined))
    },
  }
}
