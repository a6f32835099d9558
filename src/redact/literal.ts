/**
 * Finds secrets that are known by value: what stood in a header or a URL of this recording before.
 *
 * Room: redact.
 */
import { HEAD_LENGTH, MORE, NO, undecided, type Needle } from './needle.ts'
import { decodePercent } from './percent.ts'
import { characterBefore, endOfSpelled } from './spelled.ts'

/** From this length on a value is one wherever it stands; a shorter one only as a whole word. */
const UNMISTAKABLE = 20

const WORD = /[\w-]/

/** Looks for one value, in any spelling: what looks percent-encoded in it is decoded, as it is in the text. */
export function literalNeedle(value: string, placeholder: string): Needle {
  const secret = decodePercent(value)
  const needsEdges = secret.length < UNMISTAKABLE

  return {
    heads: [secret.slice(0, HEAD_LENGTH)],
    spelling: 'text',
    find(text, at, ending) {
      const before = needsEdges ? characterBefore(text, at) : undefined
      if (before !== undefined && WORD.test(before)) return NO
      const end = endOfSpelled(text, at, secret)
      if (end === 'more') return undecided(ending)
      if (end === 'no') return NO
      if (needsEdges) {
        const next = text[end]
        if (next === undefined && ending === 'open') return MORE
        if (next !== undefined && WORD.test(next)) return NO
      }
      return { type: 'secret', start: at, end, placeholder }
    },
  }
}
