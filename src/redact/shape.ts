/**
 * Finds secrets by their shape: a prefix, a run of characters, and edges on both sides.
 *
 * Room: redact.
 */
import { HEAD_LENGTH, MORE, NO, undecided, type Needle } from './needle.ts'
import { startOfUnit, unitAt, type Ending } from './percent.ts'
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

      const run = runOf(text, start, shape, ending)
      if (run === 'more') return MORE
      let { end, characters: rest } = run
      if (rest.length > max) return NO
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
      while (rest.endsWith('.')) {
        end = startOfUnit(text, end)
        rest = rest.slice(0, -1)
      }
      if (rest.length < (cutOff ? Math.min(min, CUT_OFF_MIN) : min)) return NO

      if (vault.isPlaceholder(rest) || accept?.(prefix + rest) === false) return NO
      return shape.keeps === 'prefix'
        ? { type: 'secret', start, end, placeholder: vault.placeholder(rest, shape.kind) }
        : { type: 'secret', start: at, end, placeholder: vault.placeholder(prefix + rest, shape.kind) }
    },
  }
}

/**
 * The characters of a shape's body from `start` on, however they are spelled: one more than it may have at
 * most. At the end of a body that cuts one off in its spelling, that goes with them.
 */
function runOf(
  text: string,
  start: number,
  { body, max }: SecretShape,
  ending: Ending,
): { readonly characters: string; readonly end: number } | 'more' {
  let characters = ''
  let end = start
  while (end < text.length && characters.length <= max) {
    const unit = unitAt(text, end, ending)
    if (unit === 'more') {
      if (ending === 'open') return 'more'
      return { characters, end: characters.endsWith('.') ? end : text.length }
    }
    if (!body(unit.character)) break
    characters += unit.character
    end = unit.end
  }
  return { characters, end }
}
