/**
 * Whatever no dialect knows: recorded and replayed like the rest, with nothing folded.
 *
 * Room: dialect.
 */
import { explainAnything } from './cause-fields.ts'
import type { Dialect } from './dialect.ts'
import { foldText } from './fold.ts'
import { spellCompact } from './spelling.ts'

/** Owns every request. Its streams end their lines with CRLF unless an exchange says otherwise. */
export const unknown: Dialect = {
  name: 'unknown',
  eol: 'crlf',
  owns: () => true,
  spell: spellCompact,
  spellEvent: spellCompact,
  isEndMark: event => event.data === '[DONE]',
  fold: foldText,
  explain: explainAnything,
}
