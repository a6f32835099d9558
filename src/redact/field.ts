/**
 * Finds secrets by their JSON key: the whole string value, whatever it looks like.
 *
 * Also in JSON that stands in a string of other JSON (a file's content, a tool's answer), where each quote
 * has a backslash before it; and in percent-encoded JSON, where each quote is encoded too.
 *
 * Room: redact.
 */
import { HEAD_LENGTH, MORE, NO, undecided, type Finding, type Needle } from './needle.ts'
import { decodePercent, startOfUnit, unitAt } from './percent.ts'
import type { SecretField } from './rules.ts'
import { endOfSpelled } from './spelled.ts'
import type { Vault } from './vault.ts'

/**
 * How long a value may be, in characters: longer than any key file. What is longer stops the recording,
 * unless the key may also stand before other things.
 */
const MAX_VALUE = 65_536

/** The same for one that is percent-encoded. */
const MAX_ENCODED = MAX_VALUE * 3

/** What may close a value: in JSON, and where percent-encoding began before the value. */
const QUOTE = /"/g
const ANY_QUOTE = /"|%(?:25){0,2}22/g

/** Looks for the values of one key. */
export function fieldNeedle(field: SecretField, vault: Vault): Needle {
  const opening = `"${field.key}`
  const tooLong = (start: number): Finding =>
    field.accept === undefined ? { type: 'refused', start, kind: field.kind } : NO

  return {
    heads: [opening.slice(0, HEAD_LENGTH)],
    spelling: 'text',
    find(text, at, ending) {
      const quote = isBackslash(text, startOfUnit(text, at)) ? '\\"' : '"'
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
      const encoded = text.slice(at, start).includes('%')
      const found = endOfString(text, start, quote, encoded ? ANY_QUOTE : QUOTE)
      const end = found ?? text.length
      if (end - start > (encoded ? MAX_ENCODED : MAX_VALUE)) return tooLong(start)
      if (found === undefined && ending === 'open') return MORE

      const spelled = text.slice(start, end)
      const value = decoded(encoded ? decodePercent(spelled) : spelled)
      if (value.trim() === '' || vault.isPlaceholder(value) || !accepts(field, value)) return NO
      return { type: 'secret', start, end, placeholder: vault.value(value, field.kind) }
    },
  }
}

/** Also of a value that alone is percent-encoded. */
function accepts({ accept }: SecretField, value: string): boolean {
  return accept === undefined || accept(value) || accept(decodePercent(value))
}

function afterBlanks(text: string, at: number): number {
  let index = at
  while (index < text.length) {
    const unit = unitAt(text, index, 'open')
    if (unit === 'more' || !/[\s+]/.test(unit.character)) break
    index = unit.end
  }
  return index
}

function isBackslash(text: string, at: number): boolean {
  if (at < 0) return false
  const unit = unitAt(text, at, 'closed')
  return unit !== 'more' && unit.character === '\\'
}

/**
 * Where the string ends that begins at `start`: before its closing quote. In a string inside a string the quote that closes it has one backslash; three are a quote
 * of its own, an even number closes the outer one.
 */
function endOfString(text: string, start: number, quote: string, quotes: RegExp): number | undefined {
  quotes.lastIndex = start
  for (let match = quotes.exec(text); match !== null; match = quotes.exec(text)) {
    const at = match.index
    let backslashes = 0
    let last = at
    for (let before = at; before > start; backslashes += 1) {
      before = startOfUnit(text, before)
      if (before < start || !isBackslash(text, before)) break
      if (backslashes === 0) last = before
    }
    if (backslashes % 2 === 0) return at
    if (quote !== '"' && backslashes % 4 === 1) return last
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
