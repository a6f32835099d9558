/**
 * A literal in text that may spell some of its characters as JSON or URLs do (`\/`, `\u003d`, `%2F`), or
 * in base64 that is broken into lines.
 *
 * Room: redact.
 */

/** Whether more text may follow: `open` while a body streams by, `closed` at its end. */
export type Ending = 'open' | 'closed'

/** What the text around a literal is: `base64` may have line breaks between any two characters. */
export type Spelling = 'text' | 'base64'

/** The characters that encoders escape and that stand in secrets. */
const ESCAPED = '/+=:&@|~'

const forms = new Map(ESCAPED.split('').map(character => [character, escapesOf(character)]))

function escapesOf(character: string): readonly string[] {
  const hex = character.charCodeAt(0).toString(16)
  const upper = hex.toUpperCase()
  return [`\\${character}`, `\\u00${hex}`, `\\u00${upper}`, `%${hex}`, `%${upper}`]
}

/** Where the literal that begins at `at` ends; `no`: it does not stand there; `more`: the text ends within it. */
export function endOfSpelled(
  text: string,
  at: number,
  literal: string,
  spelling: Spelling = 'text',
): number | 'no' | 'more' {
  let index = at
  for (let next = 0; next < literal.length; next += 1) {
    const character = literal.charAt(next)
    if (spelling === 'base64' && index > at) index = afterBreaks(text, index)
    if (index >= text.length) return 'more'
    if (text[index] === character) {
      index += 1
      continue
    }
    const start = index
    const escapes = forms.get(character) ?? []
    const form = escapes.find(escape => text.startsWith(escape, start))
    if (form === undefined) {
      if (text.length - start >= 6) return 'no'
      const rest = text.slice(start)
      const begins = spelling === 'base64' && index > at ? ['\\n', ...escapes] : escapes
      return begins.some(escape => escape.startsWith(rest)) ? 'more' : 'no'
    }
    index += form.length
  }
  return index
}

/** The offset after the line breaks at `at`, raw ones and those that JSON spells. */
export function afterBreaks(text: string, at: number): number {
  let index = at
  for (;;) {
    const character = text[index]
    const next = text[index + 1]
    if (character === '\n' || character === '\r') index += 1
    else if (character === '\\' && (next === 'n' || next === 'r')) index += 2
    else return index
  }
}

/** The source of an expression for a literal, in any of its spellings. */
export function spelledPattern(literal: string, spelling: Spelling): string {
  const characters = literal.split('').map(character => {
    const all = [character, ...(forms.get(character) ?? [])].map(form => form.replace(/[^\w%]/g, '\\$&'))
    return all.length === 1 ? all.join('') : `(?:${all.join('|')})`
  })
  return characters.join(spelling === 'base64' ? '(?:[\\r\\n]|\\\\[rn])*' : '')
}

const ESCAPE_BEFORE = /(?:\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})$/

/**
 * The character before `at`, as far as it can be part of what begins there; undefined at the start, and
 * where it is the end of an escape, such as the `n` of `\n`.
 */
export function characterBefore(text: string, at: number): string | undefined {
  if (at === 0 || ESCAPE_BEFORE.test(text.slice(Math.max(0, at - 6), at))) return undefined
  return text[at - 1]
}
