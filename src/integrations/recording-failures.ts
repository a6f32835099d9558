/**
 * What keeps a recording from its place: the service was not reached, somebody else was faster, nothing came.
 *
 * Room: integrations.
 */
import { existsSync } from 'node:fs'
import { BY } from '../cli/version.ts'
import { WiretapeError } from '../errors.ts'
import type { RecordServerOptions } from '../serve/record-server.ts'
import type { FinishedExchange } from '../serve/recorder.ts'

/** Requests that never reached the service. */
export interface Unreached {
  /** What the recorder is to be told, so that they are seen. */
  readonly options: Pick<RecordServerOptions, 'file' | 'by' | 'onExchange'>
  /** `WIRETAPE_UPSTREAM` with the first of them; undefined where there is none. */
  failure(): WiretapeError | undefined
}

/** Watches for requests that never reached the service. A recording with one of them would replay a cut connection for ever. */
export function createUnreached(file: string): Unreached {
  const unreached: FinishedExchange[] = []
  return {
    options: {
      file,
      by: BY,
      onExchange(finished) {
        if (finished.outcome === 'upstream-error' && finished.status === undefined) unreached.push(finished)
      },
    },
    failure() {
      const [first] = unreached
      if (first === undefined) return undefined
      const { operation, cause = 'it gave no answer' } = first
      const kept = existsSync(file) ? 'is as it was' : 'was not written'
      return new WiretapeError(
        'WIRETAPE_UPSTREAM',
        `The service was not reached, so ${file} ${kept}.\n  ${operation}: ${cause}`,
        {
          hint: 'Look at the network, at the key, and at the proxies in the environment.',
          details: { file, operation, unreached: unreached.length },
        },
      )
    },
  }
}

/** `WIRETAPE_USAGE`: `once` overwrites nothing, also not what came into being meanwhile. */
export function appeared(file: string, existing: 'refuse' | 'overwrite'): WiretapeError | undefined {
  if (existing === 'overwrite' || !existsSync(file)) return undefined
  return new WiretapeError(
    'WIRETAPE_USAGE',
    `${file} has come into being while it was recorded. It stays as it is.`,
    {
      hint: 'Run the test again to replay it, or record it again with WIRETAPE_MODE=all.',
      details: { file },
    },
  )
}

/** `WIRETAPE_UNFINISHED`: no request came at all. */
export function nothingCame(file: string): WiretapeError {
  const kept = existsSync(file) ? 'It is as it was' : 'It was not written'
  return new WiretapeError(
    'WIRETAPE_UNFINISHED',
    `Nothing was recorded for ${file}: no request came. ${kept}.`,
    {
      hint: 'Did the app get `tape.client`, `tape.url`, `tape.env` or `tape.fetch`?',
      details: { file },
    },
  )
}
