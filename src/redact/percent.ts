/**
 * Percent-encoding (RFC 3986, section 2.1), as one more spelling of any character of a text: of all, of some,
 * in either case, and again in itself (`%2B`, `%252b`), as a URL has it that stands in another.
 *
 * Room: redact.
 */

/** Whether more text may follow: `open` while a body streams by, `closed` at its end. */
export type Ending = 'open' | 'closed'

/** How long one character may be spelled: encoded three times. What is deeper is taken for what it looks like. */
export const LONGEST_UNIT = 7

/** One character as a text spells it, and the offset after it. */
export interface Unit {
  readonly character: string
  readonly end: number
}

/** A percent-encoded text read as plain. */
export interface Plain {
  readonly text: string
  /** Where in the original each character of `text` is spelled, and at last the original's length. */
  readonly offsets: Uint32Array
}

const UNIT = /%(?:25){0,2}([0-9a-fA-F]{2})/y
const UNFINISHED = /%[0-9a-fA-F]?$/y
/** What more text may make another character of: `%25` of `%2541`. */
const UNDECIDED = /%(?:25){0,2}[0-9a-fA-F]?$/y
/** By their codes: looked up, since a secret that is held back is read again with each piece. */
const CHARACTERS: string = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('')

const EVERY = /%(?:25){0,2}([0-9a-fA-F]{2})/g
const LAST = /%(?:25){0,2}[0-9a-fA-F]{2}$/

/** The character at an offset, which is within the text; `more`: the text ends before it is complete. */
export function unitAt(text: string, at: number, ending: Ending): Unit | 'more' {
  const raw = text.charAt(at)
  if (raw !== '%') return { character: raw, end: at + 1 }
  if (text.length - at < LONGEST_UNIT) {
    const cut = ending === 'open' ? UNDECIDED : UNFINISHED
    cut.lastIndex = at
    if (cut.test(text)) return 'more'
  }
  UNIT.lastIndex = at
  const hex = UNIT.exec(text)?.[1]
  return hex === undefined
    ? { character: raw, end: at + 1 }
    : { character: characterOf(hex), end: UNIT.lastIndex }
}

/** Where the character begins that ends before `at`. */
export function startOfUnit(text: string, at: number): number {
  const encoded = LAST.exec(text.slice(Math.max(0, at - LONGEST_UNIT), at))?.[0]
  return at - (encoded?.length ?? 1)
}

/** A text without percent-encoding. What is no encoding stays. */
export function decodePercent(text: string): string {
  return text.replace(EVERY, (_all, hex: string) => characterOf(hex))
}

/** The same, with the place of each character; undefined where nothing is encoded. */
export function plainOf(text: string): Plain | undefined {
  if (!text.includes('%')) return undefined
  const offsets = new Uint32Array(text.length + 1)
  let plain = ''
  let done = 0
  for (const match of text.matchAll(EVERY)) {
    for (let at = done; at <= match.index; at += 1) offsets[plain.length + at - done] = at
    plain += text.slice(done, match.index) + characterOf(match[1] ?? '')
    done = match.index + match[0].length
  }
  if (done === 0) return undefined
  for (let at = done; at <= text.length; at += 1) offsets[plain.length + at - done] = at
  plain += text.slice(done)
  return { text: plain, offsets: offsets.subarray(0, plain.length + 1) }
}

function characterOf(hex: string): string {
  return CHARACTERS.charAt(Number.parseInt(hex, 16))
}
