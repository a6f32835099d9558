/**
 * Two tests whose names make the same cassette: each would replay, or replace, what the other has recorded.
 *
 * Room: integrations.
 */
import { WiretapeError } from '../errors.ts'

/**
 * The error for the second of them.
 *
 * @param names - How the two are called, suites in front.
 * @param naming - How a cassette is named in this runner.
 */
export function sharedName(path: string, names: readonly string[], naming: string): WiretapeError {
  const both = names.map(name => JSON.stringify(name)).join(' and ')
  return new WiretapeError('WIRETAPE_USAGE', `Two tests have the same cassette, ${path}: ${both}.`, {
    hint: `Rename one of them, or name its cassette: ${naming}`,
    details: { file: path },
  })
}
