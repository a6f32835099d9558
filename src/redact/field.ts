/**
 * Finds secrets by their JSON key: the whole string value, whatever it looks like.
 *
 * Also in JSON that stands in a string of other JSON (a file's content, a tool's answer), where each quote
 * has a backslash before it.
 *
 * Room: redact.
 */
import { HEAD_LENGTH, MORE, NO, undecided, type Finding, type Needle } from './needle.ts'
import type { SecretField } from './rules.ts'
import { endOfSpelled } from './spelled.ts'
import type { Vault } from './vault.ts'

/**
 * How long a value may be, in characters: longer than any key file. What is longer stops the recording,
 * unless the key may also stand before other things.
 */
const MAX_VALUE = 65_536

/** Looks for the values of one key. */
export function fieldNeedle(field: SecretField, vault: Vault): Needle {
  const opening = `"${field.key}`
  const tooLong = (start: number): Finding =>
    field.accept === undefined ? { type: 'refused', start, kind: field.kind } : NO

  return {
    heads: [opening.slice(0, HEAD_LENGTH)],
    spelling: 'text',
    find(text, at, ending) {
      const quote = text[at - 1] === '\\' ? '\\"' : '"'
      let index = at
      for (const token of [opening, quote, ':', quote]) {
        if (token !== opening && index !== at) index = afterBlanks(text, index)
        if (index - at > MAX_VALUE) return tooLong(at)
        const end = endOfSpelled(text, index, token)
        if (end === 'more') return undecided(ending)
        if (end === 'no') return NO
        index = end
      }
      const start = index
      const found = endOfString(text, start, quote)
      const end = found ?? text.length
      if (end - start > MAX_VALUE) return tooLong(start)
      if (found === undefined && ending === 'open') return MORE

      const value = decoded(text.slice(start, end))
      if (value.trim() === '' || vault.isPlaceholder(value) || field.accept?.(value) === false) return NO
      return { type: 'secret', start, end, placeholder: vault.value(value, field.kind) }
    },
  }
}

function afterBlanks(text: string, at: number): number {
  let index = at
  while (/\s/.test(text.charAt(index))) index += 1
  return index
}

/**
 * Where the string ends that begins at `start`: before its closing quote. In a string inside a string the
 * quote that closes it has one backslash; three are a quote of its own, an even number closes the outer one.
 */
function endOfString(text: string, start: number, quote: string): number | undefined {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (at - backslashes > start && text[at - backslashes - 1] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at
    if (quote !== '"' && backslashes % 4 === 1) return at - 1
  }
  return undefined
}

/** The value that a JSON string spells; the text itself where it is none. */
function decoded(text: string): string {
  if (!text.includes('\\')) return text
  try {
    const value: unknown = JSON.parse(`"${text}"`)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}
