/**
 * The lines around a mistake, with a caret under it, short enough for a terminal.
 *
 * Room: cassette.
 */

/** The longest excerpt of a line that a message shows, in characters. */
export const MAX_EXCERPT = 120

/** Control characters, which a terminal would obey, and the halves of split characters. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/g

/** Text that can be printed anywhere: one line, {@link MAX_EXCERPT} characters at most. */
export function excerpt(text: string): string {
  const short = text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT - 3)}...` : text
  return printable(short)
}

/**
 * Three lines of a file: the one before, the one with the mistake, a caret under its column, the one after.
 *
 * Long lines are cut to a window around the column.
 *
 * @param lines - The whole file, by line.
 * @param line - Counted from 1.
 * @param column - Counted from 1, in UTF-16 units.
 */
export function codeFrame(lines: readonly string[], line: number, column: number): string {
  const first = Math.max(1, line - 1)
  const last = Math.min(lines.length, line + 1)
  const width = String(last).length
  const start = windowStart(lines[line - 1] ?? '', column)
  const frame: string[] = []
  for (let number = first; number <= last; number += 1) {
    const gutter = `${number === line ? '>' : ' '} ${String(number).padStart(width)} |`
    frame.push(`${gutter} ${clip(lines[number - 1] ?? '', start)}`.trimEnd())
    if (number === line) frame.push(`  ${' '.repeat(width)} | ${' '.repeat(column - 1 - start)}^`)
  }
  return frame.join('\n')
}

/** Where the excerpt of a line begins, so that the column is in it. */
function windowStart(line: string, column: number): number {
  if (line.length <= MAX_EXCERPT || column <= MAX_EXCERPT - 40) return 0
  return column - 41
}

function clip(line: string, start: number): string {
  return printable(line.slice(start, start + MAX_EXCERPT))
}

function printable(text: string): string {
  // Pairs are characters; only what is left over of one is not.
  return text.replaceAll(/[\ud800-\udbff][\udc00-\udfff]|[^]/g, part =>
    part.length === 2 ? part : part.replaceAll('\t', ' ').replaceAll(UNPRINTABLE, '\ufffd'),
  )
}
