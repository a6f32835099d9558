/**
 * The last look at a document before it is put in place: no key is spelled out in it.
 *
 * Room: store.
 */
import { KEY_RULES } from '../dialect/secrets.ts'
import { WiretapeError } from '../errors.ts'
import { createRedactor } from '../redact/redactor.ts'
import type { StagedCassette } from './files.ts'
import { journalFolder } from './paths.ts'

/** How much is looked at in one go, in bytes. */
const STEP = 65_536

/**
 * Refuses a document that holds a key. What is spelled in escapes is not seen as a key when it comes by, but
 * a value is written in plain.
 *
 * @param from - Where the document begins in the staged text, in bytes; it goes to the text's end.
 * @throws `WIRETAPE_SECRET`
 */
export function refuseKeys(file: string, number: number, staged: StagedCassette, from: number): void {
  if (!holdsKey(staged, from)) return
  throw new WiretapeError(
    'WIRETAPE_SECRET',
    `A key in exchange ${number} is spelled so that it can't be replaced (in escapes): ${file} was not written.`,
    {
      hint: `Keep the key out of what the app sends or gets, remove ${journalFolder(file)}, which holds it, and record again.`,
      details: { file, exchange: number },
    },
  )
}

/** True where a key is spelled out in what is staged from there on, in bytes. */
function holdsKey(staged: StagedCassette, from: number): boolean {
  const look = createRedactor(KEY_RULES).body()
  const to = staged.write('')
  for (let at = from; at < to; at += STEP) {
    if (look.push(staged.bytes(at, Math.min(to, at + STEP))).replaced.length > 0) return true
  }
  return look.end().replaced.length > 0
}
