/**
 * Text for a terminal: how wide it is, what must not be printed, where a line is broken or cut.
 *
 * Room: view.
 */

/** What a stretch of text looks like; what that is on a screen is the command's business. */
export type Tone = 'plain' | 'dim' | 'strong' | 'thought' | 'call' | 'good' | 'bad'

/** A stretch of text in one tone. */
export interface Span {
  readonly tone: Tone
  readonly text: string
  /** It is not broken where it fits into a line. */
  readonly solid?: true | undefined
}

/** Characters that a terminal shows in two columns: East Asian wide ones and emoji (Unicode TR 11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
/** Those that it shows in none. */
const NARROW = /[\p{Mn}\p{Me}\u200b\u200c\u200e\u200f\u2060]|\u200d/u
/** What it would obey, and what changes the direction of the text around it. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** How many columns a text takes. */
export function widthOf(text: string): number {
  // oxlint-disable-next-line no-control-regex -- ASCII is measured at once
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) width += NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

/** Text that may be printed anywhere: what a terminal would obey is spelled out. Line feeds stay. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, character => {
    if (character === '\n') return character
    if (character === '\t') return '  '
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}

/** The longest beginning of a text that fits, cut at a blank where there is one after `least` of it. */
function fitting(text: string, width: number, least: number): string {
  let used = 0
  let end = 0
  for (const character of text) {
    used += widthOf(character)
    if (used > width) break
    end += character.length
  }
  if (end === text.length) return text
  const blank = text.slice(0, end + 1).lastIndexOf(' ')
  return text.slice(0, blank > end * least ? blank : end)
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0x20)
}

/** Spans broken into lines of a width. A line feed in a text begins a new line. */
export function wrap(spans: readonly Span[], width: number): readonly (readonly Span[])[] {
  const lines: Span[][] = [[]]
  let left = width
  const newLine = () => {
    lines.push([])
    left = width
  }
  for (const { tone, text, solid } of spans) {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) newLine()
      let rest = piece
      while (rest !== '') {
        const begun = left < width
        // A word that does not fit behind others goes to the next line, whole.
        const word = solid === true ? rest : (/^\s*\S*/.exec(rest.slice(0, 2 * width + 2))?.[0] ?? rest)
        const fits = widthOf(word.trimEnd()) <= left
        if (begun && !fits && (widthOf(word.trim()) <= width || widthOf(firstOf(rest)) > left)) {
          newLine()
          rest = rest.trimStart()
          continue
        }
        // At least one character, so that what is wider than a line comes out too.
        const part = fitting(rest, left, begun ? 0 : 1 / 2) || firstOf(rest)
        lines.at(-1)?.push({ tone, text: part })
        left -= widthOf(part)
        rest = rest.slice(part.length)
        // What fits no more, or blanks at the end of a line.
        if (rest.trimStart() === '') break
        rest = rest.trimStart()
        newLine()
      }
    }
  }
  return lines
}

/** The first lines; what is left out shows in the last. */
export function clip(
  lines: readonly (readonly Span[])[],
  most: number,
  width: number,
): readonly (readonly Span[])[] {
  if (lines.length <= most) return lines
  const kept = lines.slice(0, most)
  const last = kept.at(-1) ?? []
  return [...kept.slice(0, -1), shortened(last, width)]
}

function shortened(line: readonly Span[], width: number): readonly Span[] {
  const last = line.at(-1)
  if (last === undefined) return [{ tone: 'dim', text: '…' }]
  const before = line.slice(0, -1)
  const used = before.reduce((sum, { text }) => sum + widthOf(text), 0)
  const room = Math.max(1, width - used - 1)
  const text = widthOf(last.text) > room ? fitting(last.text, room, 1 / 2) : last.text
  return [...before, { tone: last.tone, text: text.trimEnd() }, { tone: 'dim', text: '…' }]
}
