/**
 * Options that are lists.
 *
 * Room: replay.
 */
import { WiretapeError } from '../errors.ts'

/**
 * An option that is a list of texts, as TypeScript knows and JavaScript does not.
 *
 * @throws `WIRETAPE_USAGE`
 */
export function checkList(option: string, value: readonly string[]): readonly string[] {
  const list: unknown = value
  if (Array.isArray(list) && list.every(item => typeof item === 'string')) return value
  throw new WiretapeError('WIRETAPE_USAGE', `The option \`${option}\` is no list of texts.`, {
    hint:
      typeof list === 'string'
        ? `Write \`${option}: [${JSON.stringify(list)}]\`.`
        : `Write \`${option}: ['...']\`.`,
    details: { option },
  })
}
