/**
 * Which mode a cassette is used in: what the call says, else `WIRETAPE_MODE`, else `replay` where `CI` is set, else
 * `once`.
 *
 * The call comes first on purpose: a cassette that is written by hand says `mode: 'replay'`, and is then safe from a
 * `WIRETAPE_MODE=all` for the whole suite.
 *
 * Room: integrations.
 */
import { didYouMean } from '../cli/nearest.ts'
import { WiretapeError } from '../errors.ts'

/** Every {@link Mode}. */
export const MODES = ['replay', 'once', 'new-episodes', 'all', 'passthrough'] as const

/**
 * What becomes of requests. `replay`: only what is recorded is answered. `once`: the same where there is a cassette,
 * else it is recorded. `new-episodes`: what is recorded is answered, all else asks the service and is appended. `all`:
 * everything asks the service and is recorded again. `passthrough`: everything asks the service, nothing is recorded.
 */
export type Mode = (typeof MODES)[number]

/** A mode, and what it was that said so. */
export interface DecidedMode {
  readonly mode: Mode
  readonly by: 'option' | 'WIRETAPE_MODE' | 'CI' | 'default'
}

/**
 * Decides.
 *
 * @param option - What the call says.
 * @throws `WIRETAPE_USAGE` for a word that is no mode.
 */
export function decideMode(option: string | undefined, env: NodeJS.ProcessEnv): DecidedMode {
  if (option !== undefined) return { mode: modeOf(option, 'The option `mode`'), by: 'option' }
  const { WIRETAPE_MODE: variable = '' } = env
  if (variable !== '') return { mode: modeOf(variable, 'WIRETAPE_MODE'), by: 'WIRETAPE_MODE' }
  return isCi(env) ? { mode: 'replay', by: 'CI' } : { mode: 'once', by: 'default' }
}

/** `CI=false` and `CI=0` are how people say that it is none. */
function isCi({ CI: value = '' }: NodeJS.ProcessEnv): boolean {
  return value !== '' && value !== '0' && value.toLowerCase() !== 'false'
}

function modeOf(text: string, name: string): Mode {
  const mode = MODES.find(known => known === text)
  if (mode !== undefined) return mode
  // VCR's word for it.
  const nearest = text === 'none' ? 'replay' : text
  const allowed = MODES.map(one => `'${one}'`).join(', ')
  throw new WiretapeError('WIRETAPE_USAGE', `${name} is ${JSON.stringify(text)}, which is no mode.`, {
    hint: `It is one of ${allowed}. ${didYouMean(nearest, MODES)}`,
    details: { option: 'mode', value: text, allowed: MODES },
  })
}
