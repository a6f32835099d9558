/**
 * Requests of a recording that never reached the service: a cassette of them would replay a cut connection for ever.
 *
 * Room: serve.
 */
import { existsSync } from 'node:fs'
import { WiretapeError } from '../errors.ts'
import type { FinishedExchange } from './recorder.ts'

/** Counts them. */
export interface Unreached {
  /** Takes an exchange that is over. */
  count(finished: FinishedExchange): void
  /** What to fail with where one of them did not reach the service; undefined where all did. */
  some(): WiretapeError | undefined
  /** The same where not one of them reached it; undefined where there was none. */
  all(): WiretapeError | undefined
}

/** @param file - The cassette that was to be recorded. */
export function createUnreached(file: string): Unreached {
  let first: FinishedExchange | undefined
  let unreached = 0
  let finished = 0

  function some(): WiretapeError | undefined {
    if (first === undefined) return undefined
    const { operation, cause = 'it gave no answer' } = first
    const kept = existsSync(file) ? 'is as it was' : 'was not written'
    return new WiretapeError(
      'WIRETAPE_UPSTREAM',
      `The service was not reached, so ${file} ${kept}.\n  ${operation}: ${cause}`,
      {
        hint: 'Look at the network, at the proxies in the environment, and at the upstream where one was named.',
        details: { file, operation, unreached },
      },
    )
  }

  return {
    count(exchange) {
      finished += 1
      if (exchange.outcome !== 'upstream-error' || exchange.status !== undefined) return
      first ??= exchange
      unreached += 1
    },
    some,
    all: () => (unreached === finished ? some() : undefined),
  }
}
