/**
 * The names of options, as TypeScript knows and JavaScript does not: one that is misspelled would do nothing, in silence.
 *
 * Room: replay.
 */
import { didYouMean, oneOf } from '../cassette/suggest.ts'
import { WiretapeError } from '../errors.ts'

/** All options that something takes; complete, or it does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/**
 * Checks that there are no others.
 *
 * @param taker - Who takes them, for the message, e.g. `` `useCassette` ``.
 * @throws `WIRETAPE_USAGE` for an option that there is not, with those that there are and the nearest; and for what
 * is no object.
 */
export function checkOptions<Options extends object>(
  taker: string,
  options: Options,
  names: OptionNames<Options>,
): void {
  const given: unknown = options
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new WiretapeError('WIRETAPE_USAGE', `${taker} takes its options as an object.`, {
      hint: `It may have ${oneOf(Object.keys(names))}.`,
    })
  }
  const allowed = Object.keys(names)
  const option = Object.keys(given).find(name => !allowed.includes(name))
  if (option === undefined) return
  throw new WiretapeError('WIRETAPE_USAGE', `${taker} has no option \`${option}\`.`, {
    hint: [`It has ${oneOf(allowed)}.`, didYouMean(option, allowed) ?? ''].join(' ').trim(),
    details: { option, allowed },
  })
}
