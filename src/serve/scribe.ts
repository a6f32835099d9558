/**
 * What a recording proxy writes with: a scribe per exchange, and what happens when a write fails.
 *
 * A failure stops the recording, not the app: what is open goes on unrecorded to its end, nothing new is
 * taken, and the recording says why.
 *
 * Room: serve.
 */
import type { Instant } from '../clock.ts'
import { WiretapeError } from '../errors.ts'
import { createObserver, type RecordInput } from '../record/observe.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { Journal } from '../store/journal.ts'

/** Writes down one exchange. */
export interface Scribe {
  /** The exchange's number, from 1, in order of start. */
  readonly number: number
  /** Writes what happened; the caller relays it after this returns. */
  take(input: RecordInput): void
}

/** All scribes of one recording. */
export interface Scribes {
  /** Starts an exchange; undefined when the recording has failed. */
  begin(): Scribe | undefined
  /** Stops the recording with this error; only the first counts. */
  fail(error: WiretapeError): void
  /** Why the recording stopped, if it did. */
  readonly failure: WiretapeError | undefined
  /** Never resolves; rejects with the same. */
  readonly failed: Promise<never>
}

/**
 * @param now - Milliseconds since the recording began.
 */
export function createScribes(journal: Journal, redactor: Redactor, now: () => Instant): Scribes {
  let failure: WiretapeError | undefined
  let reject: ((error: WiretapeError) => void) | undefined
  const failed = new Promise<never>((_, rejects) => {
    reject = rejects
  })
  // Whoever wants to know listens; nobody has to.
  failed.catch(() => undefined)

  function fail(error: WiretapeError): void {
    if (failure !== undefined) return
    failure = error
    reject?.(error)
  }

  function attempt<Result>(write: () => Result): Result | undefined {
    if (failure !== undefined) return undefined
    try {
      return write()
    } catch (cause) {
      if (!WiretapeError.is(cause)) throw cause
      fail(cause)
      return undefined
    }
  }

  function begin(): Scribe | undefined {
    const log = attempt(() => journal.open())
    if (log === undefined) return undefined
    const observer = createObserver(redactor)
    return {
      number: log.number,
      take(input) {
        attempt(() => {
          for (const command of observer.observe(input, now())) {
            if (command.type === 'refuse') throw secretFound(command.kind, command.where, log.number)
            log.append(command.records)
          }
        })
        if (input.type === 'end') log.close()
      },
    }
  }

  return {
    begin,
    fail,
    failed,
    get failure() {
      return failure
    },
  }
}

function secretFound(kind: string, where: string, number: number): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_SECRET',
    `A secret (${kind}) in ${where} of exchange ${number} can't be replaced, so the recording was stopped.`,
    {
      hint: 'Keep the secret out of what the app sends or gets. `wiretape recover` saves what was recorded before it.',
      details: { kind, where, exchange: number },
    },
  )
}
