/**
 * A literal in text that may spell its characters as URLs do (`%2F`), some of them as JSON does (`\/`,
 * `\u003d`), or both; or in base64 that is broken into lines.
 *
 * Room: redact.
 */
import { decodePercent, LONGEST_UNIT, startOfUnit, unitAt } from './percent.ts'

/** What the text around a literal is: `base64` may have line breaks between any two characters. */
export type Spelling = 'text' | 'base64'

/** The characters that encoders of JSON escape and that stand in secrets. */
const ESCAPED = '/+=:&@|~'

/** How many characters a character is spelled with at most in JSON: `\u002f`. */
const LONGEST_ESCAPE = 6

/** How long a character may be spelled, with a line break before it: without percent-encoding, and with it. */
export const LONGEST_PLAIN: number = LONGEST_ESCAPE * 2
export const LONGEST_ENCODED: number = (LONGEST_ESCAPE + 4) * LONGEST_UNIT

/** How much of the text before something tells whether it begins there: an escape, a group of base64. */
export const LOOK_BACK: number = LONGEST_ESCAPE * LONGEST_UNIT

/** Where the literal that begins at `at` ends; `no`: it does not stand there; `more`: the text ends within it. */
export function endOfSpelled(
  text: string,
  at: number,
  literal: string,
  spelling: Spelling = 'text',
): number | 'no' | 'more' {
  let index = at
  for (let next = 0; next < literal.length; next += 1) {
    if (spelling === 'base64' && index > at) {
      const after = afterBreaks(text, index)
      if (after === 'more') return 'more'
      index = after
    }
    const end = endOfCharacter(text, index, literal.charAt(next))
    if (end === 'no' || end === 'more') return end
    index = end
  }
  return index
}

function endOfCharacter(text: string, at: number, character: string): number | 'no' | 'more' {
  const raw = text[at]
  if (raw === undefined) return 'more'
  if (raw !== '%') {
    // In forms a plus is a blank.
    if (raw === character || (raw === '+' && character === ' ')) return at + 1
    if (raw !== '\\') return 'no'
  }
  const unit = unitAt(text, at, 'open')
  if (unit === 'more') return 'more'
  if (unit.character === character) return unit.end
  if (unit.character !== '\\' || !ESCAPED.includes(character)) return 'no'
  const [short, long] = escapesOf(character)
  for (const escape of [short, long]) {
    const end = endOfEscape(text, unit.end, escape)
    if (end !== 'no') return end
  }
  return 'no'
}

/** What follows the backslash. */
function escapesOf(character: string): readonly [string, string] {
  return [character, `u00${character.charCodeAt(0).toString(16)}`]
}

function endOfEscape(text: string, at: number, escape: string): number | 'no' | 'more' {
  let index = at
  for (const wanted of escape) {
    if (index >= text.length) return 'more'
    const unit = unitAt(text, index, 'open')
    if (unit === 'more') return 'more'
    // The hex digits count in either case.
    const same = unit.character === wanted || (index > at && unit.character.toLowerCase() === wanted)
    if (!same) return 'no'
    index = unit.end
  }
  return index
}

/** The offset after the line breaks at `at`, raw ones and those that JSON or URLs spell; `more`: one may go on. */
export function afterBreaks(text: string, at: number): number | 'more' {
  let index = at
  while (index < text.length) {
    const raw = text.charAt(index)
    if (raw !== '%' && raw !== '\\' && raw !== '\n' && raw !== '\r') return index
    const unit = unitAt(text, index, 'open')
    if (unit === 'more') return 'more'
    if (unit.character === '\n' || unit.character === '\r') index = unit.end
    else if (unit.character === '\\') {
      const name = unit.end < text.length ? unitAt(text, unit.end, 'open') : 'more'
      if (name === 'more') return 'more'
      if (name.character !== 'n' && name.character !== 'r') return index
      index = name.end
    } else return index
  }
  return index
}

/** The source of an expression for a literal, in any spelling but percent-encoding. */
export function spelledPattern(literal: string, spelling: Spelling): string {
  const characters = literal.split('').map(character => {
    const forms = [character]
    if (character === ' ') forms.push('+')
    if (ESCAPED.includes(character)) {
      const [short, long] = escapesOf(character)
      forms.push(`\\${short}`, `\\${long}`, `\\u${long.slice(1).toUpperCase()}`)
    }
    const all = forms.map(form => form.replace(/[^\w%]/g, '\\$&'))
    return all.length === 1 ? all.join('') : `(?:${all.join('|')})`
  })
  return characters.join(spelling === 'base64' ? '(?:[\\r\\n]|\\\\[rn])*' : '')
}

const ESCAPE_BEFORE = /\\(?:[bfnrt]|u[0-9a-fA-F]{4})$/

/**
 * The character before `at`, as far as it can be part of what begins there; undefined at the start, where it
 * is the end of an escape, such as the `n` of `\n`, and where it is percent-encoded and a mark.
 */
export function characterBefore(text: string, at: number): string | undefined {
  if (at === 0) return undefined
  const before = text.slice(Math.max(0, at - LOOK_BACK), at)
  if (!before.includes('%')) return ESCAPE_BEFORE.test(before) ? undefined : text[at - 1]
  if (ESCAPE_BEFORE.test(decodePercent(before))) return undefined
  const start = startOfUnit(text, at)
  const character = decodePercent(text.slice(start, at))
  return start === at - 1 || /[\w-]/.test(character) ? character : undefined
}
