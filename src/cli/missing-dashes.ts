/**
 * Finds a command that was put behind cassettes without the `--` that belongs before it.
 *
 * Room: cli.
 */
import { existsSync } from 'node:fs'
import { WiretapeError } from '../errors.ts'
import { isCommand } from './child.ts'

/**
 * Throws `WIRETAPE_USAGE` where a word after the first can only be meant as a command: it is not named as a
 * cassette is, and there is no such file, or it is one that can be run.
 */
export function checkDashes(files: readonly string[], env: NodeJS.ProcessEnv): void {
  const at = files.findIndex(
    (file, index) => index > 0 && !/\.ya?ml$/.test(file) && (!existsSync(file) || isCommand(file, env)),
  )
  if (at === -1) return
  const words = [...files.slice(0, at), '--', ...files.slice(at)]
  throw new WiretapeError('WIRETAPE_USAGE', `There is no cassette at ${files[at]}.`, {
    hint: `To run a command of yours, put '--' before it: wiretape replay ${words.join(' ')}`,
  })
}
