/**
 * A recording that nothing was asked of: mostly since the app has no key, and its SDK stopped before it asked.
 *
 * Room: integrations.
 */
import { existsSync } from 'node:fs'
import { WiretapeError } from '../errors.ts'
import type { Mode } from './mode.ts'

/** What to do about it. */
const HINT = [
  'A recording asks the service, and the app needs a key of its own for that: GEMINI_API_KEY or GOOGLE_API_KEY; on',
  'Vertex AI application default credentials (GOOGLE_APPLICATION_CREDENTIALS) and GOOGLE_CLOUD_PROJECT. Without them an',
  'SDK stops before it asks, with "Could not load the default credentials" or another error of its own.',
  'If the app has them: did it get `tape.client`, `tape.url`, `tape.env` or `tape.fetch`?',
].join('\n')

/** `WIRETAPE_UNFINISHED`, with the file that was recorded and why that may be. */
export function nothingCame(file: string, mode: Mode): WiretapeError {
  const kept = existsSync(file) ? 'It is as it was' : 'It was not written'
  return new WiretapeError(
    'WIRETAPE_UNFINISHED',
    `Nothing reached the service while ${file} was being recorded (mode '${mode}'): no request came. ${kept}.`,
    { hint: HINT, details: { file, mode } },
  )
}
