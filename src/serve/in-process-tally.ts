/**
 * When it is told that a client has its answer, or has left it: for carriers in this process, which hold
 * back what a client does not read yet.
 *
 * Room: serve.
 */
import type { CarriedRequest } from './replay-carrier.ts'

/** How many bytes a connection of this machine would have on its way to a client that does not read. */
const ON_THE_WAY_BYTES = 262_144

/** Counts one answer. */
export interface Tally {
  /** Whom to tell. */
  carriedBy(carried: CarriedRequest): void
  /** So many bytes wait for the client. */
  wait(bytes: number): void
  /** The client has taken so many. */
  take(bytes: number): void
  /** Nothing more will come. Said to be sent when no more waits than a connection would have taken. */
  whole(): void
  /** The client has left. */
  leave(): void
}

/** Nothing has come yet. */
export function createTally(): Tally {
  let carried: CarriedRequest | undefined
  let waiting = 0
  let isWhole = false

  function tell(how: keyof CarriedRequest): void {
    const told = carried
    carried = undefined
    told?.[how]()
  }

  function check(): void {
    if (isWhole && waiting <= ON_THE_WAY_BYTES) tell('sent')
  }

  return {
    carriedBy(request) {
      carried = request
      check()
    },
    wait: bytes => void (waiting += bytes),
    take(bytes) {
      waiting -= bytes
      check()
    },
    whole() {
      isWhole = true
      check()
    },
    leave: () => tell('gone'),
  }
}
