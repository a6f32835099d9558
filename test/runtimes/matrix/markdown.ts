/** Markdown that is generated: the same input gives the same text, and lines are as long as a person's. */

const WIDTH = 140
/** Code is one word, whatever blanks are in it. */
const WORDS = /(?:[^\s`]|`[^`]*`)+/g

/** A table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A paragraph, or an item of a list, broken into lines; the later ones stand under the text of the first. */
export function paragraph(text: string, first = ''): string {
  const lines: string[] = []
  const later = ' '.repeat(first.length)
  let line = first
  for (const word of text.match(WORDS) ?? []) {
    const isEmpty = line === first || line === later
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = later + word
    } else line += isEmpty ? word : ` ${word}`
  }
  return [...lines, line].join('\n')
}

/** Code in a line. */
export function code(text: string): string {
  return `\`${text}\``
}

function marksOf(name: string): readonly [begin: string, end: string] {
  return [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
}

/** The marks between which {@link between} writes. */
export function placeOf(name: string): string {
  return marksOf(name).join('\n')
}

/** The text with what stands between two marks replaced; undefined where it has no such place. */
export function between(whole: string, name: string, inside: string): string | undefined {
  const [begin, end] = marksOf(name)
  const [before, rest = '', ...more] = whole.split(begin)
  const [, after] = rest.split(end)
  if (before === undefined || after === undefined || more.length > 0) return undefined
  return `${before}${begin}\n\n${inside.trim()}\n\n${end}${after}`
}
