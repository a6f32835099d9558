/**
 * The places of a text in which something may stand, told by an expression: as it is, and percent-decoded.
 *
 * Room: redact.
 */
import { plainOf } from './percent.ts'

/** The places in one text. */
export interface Places {
  /** The first place from `from` on, which is never less than before; infinity where there is none. */
  next(from: number): number
}

/** @param pattern - What stands there, global. Percent-encoding is none of its business. */
export function createPlaces(text: string, pattern: RegExp): Places {
  const plain = plainOf(text)
  let raw = -1
  let encoded = plain === undefined ? Number.POSITIVE_INFINITY : -1
  let read = 0

  function nextIn(searched: string, from: number): number {
    pattern.lastIndex = from
    return pattern.exec(searched)?.index ?? Number.POSITIVE_INFINITY
  }

  return {
    next(from) {
      if (raw < from) raw = nextIn(text, from)
      if (plain !== undefined && encoded < from) {
        while ((plain.offsets[read] ?? from) < from) read += 1
        const found = nextIn(plain.text, read)
        encoded = plain.offsets[found] ?? Number.POSITIVE_INFINITY
      }
      return Math.min(raw, encoded)
    },
  }
}
