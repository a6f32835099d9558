/**
 * Finds secrets by their shape: a prefix, a run of characters, and edges on both sides.
 *
 * Room: redact.
 */
import { HEAD_LENGTH, MORE, NO, undecided, type Needle } from './needle.ts'
import type { SecretShape } from './rules.ts'
import { characterBefore, endOfSpelled } from './spelled.ts'
import type { Vault } from './vault.ts'

/** What the end of a body leaves of a secret that was cut off is one from this many characters on. */
export const CUT_OFF_MIN = 8

/** Looks for secrets of one shape. */
export function shapeNeedle(shape: SecretShape, vault: Vault): Needle {
  const { prefix, body, min, max, after, accept } = shape
  const edge = shape.edge ?? (character => body(character) || character === '+' || character === '/')

  return {
    heads: [prefix.slice(0, HEAD_LENGTH)],
    spelling: 'text',
    find(text, at, ending) {
      const before = characterBefore(text, at)
      if (before !== undefined && edge(before)) return NO
      const start = endOfSpelled(text, at, prefix)
      if (start === 'more') return undecided(ending)
      if (start === 'no') return NO

      let end = start
      while (end < text.length && end - start <= max && body(text.charAt(end))) end += 1
      if (end - start > max) return NO
      const next = text[end]
      if (next === undefined && ending === 'open') return MORE

      if (after !== undefined) {
        const follows = endOfSpelled(text, end, after)
        if (follows === 'more') return undecided(ending)
        if (follows === 'no') return NO
      } else if (next !== undefined && (edge(next) || (shape.edge === undefined && next === '='))) {
        return NO
      }
      const cutOff = next === undefined && after === undefined && accept === undefined
      // The dot after a token that ends a sentence is not the token's.
      while (end > start && text[end - 1] === '.') end -= 1
      if (end - start < (cutOff ? Math.min(min, CUT_OFF_MIN) : min)) return NO

      const rest = text.slice(start, end)
      if (vault.isPlaceholder(rest) || accept?.(prefix + rest) === false) return NO
      return shape.keeps === 'prefix'
        ? { type: 'secret', start, end, placeholder: vault.placeholder(rest, shape.kind) }
        : { type: 'secret', start: at, end, placeholder: vault.placeholder(prefix + rest, shape.kind) }
    },
  }
}
