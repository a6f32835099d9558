/**
 * Strings as YAML scalars that every reader takes for the same text, spelled as formatters would leave them.
 *
 * Plain where no reader of YAML 1.1 or 1.2 sees anything but text in it, quoted as Prettier chooses the
 * quotes, and a literal block only where no reader, editor or formatter would change a character.
 *
 * Room: cassette.
 */

/** Where a scalar stands: inside `{}` or `[]`, or not. */
export type Style = 'block' | 'flow'

/** Words that some reader takes for a boolean or nothing; and `[DONE]` is refused, for it is a list. */
const WORD = /^(?:null|true|false|yes|no|on|off|y|n|done)$/i
/** What may be a number, a date or a time to some reader: YAML 1.1 has `1_000`, `1:30` and `2001-12-14`. */
const NUMBER_LIKE = /^\d[\d_.,:abcdefoxtz +-]*$/i
/** What a plain scalar of ours begins with; every sign that means something to YAML is left out. */
const PLAIN_START = /^[\w/$(\u00a1-\uffff]/
/** What ends a plain scalar, or is trimmed from it, or is a blank of another kind. */
const PLAIN_STOP = /: |:$| #| $|[^\S ]/
/** The same in a flow; PyYAML reads no question mark there, and oxfmt no dash before the bracket. */
const FLOW_STOP = /[,[\]{}?]| -$/
/** What only an escape can carry: controls, line ends of YAML 1.1, byte order marks, half surrogate pairs. */
const ESCAPED = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u
const EACH_ESCAPED = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff"\\]/gu
/** What a literal block can't keep: blanks at a line's end, a tab at its start, an empty first line. */
const NOT_LITERAL = /^\n|[^\S\n](?:\n|$)|(?:^|\n)\t/
/** What makes a literal block unreadable for some reader; line feeds and inner tabs are fine. */
const NEVER_LITERAL = /[^\P{Cc}\n\t]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** A string on one line: plain where that is safe, else quoted. */
export function scalar(text: string, style: Style): string {
  return isPlain(text, style) ? text : quoted(text)
}

/**
 * A string as a literal block, header included, its lines indented by `indent` blanks: undefined where a
 * reader would not get the very text back.
 */
export function literal(text: string, indent: number): string | undefined {
  if (text === '' || NOT_LITERAL.test(text) || NEVER_LITERAL.test(text)) return undefined
  const body = text.endsWith('\n') ? text.slice(0, -1) : text
  const chomp = body === text ? '-' : body.endsWith('\n') ? '+' : ''
  // Blanks at the start of the first line would be taken for indentation.
  const header = `|${text.startsWith(' ') ? '2' : ''}${chomp}`
  const pad = ' '.repeat(indent)
  return `${header}\n${pad}${body.replaceAll(/\n(?!\n|$)/g, `\n${pad}`)}`
}

/** True for a text that needs no quotes: every reader takes it for that very text. */
export function isPlain(text: string, style: Style): boolean {
  return (
    PLAIN_START.test(text) &&
    !PLAIN_STOP.test(text) &&
    !(style === 'flow' && FLOW_STOP.test(text)) &&
    !ESCAPED.test(text) &&
    !WORD.test(text) &&
    !NUMBER_LIKE.test(text)
  )
}

/** Single quotes where the text has double ones and needs no escape, as Prettier does; double quotes else. */
function quoted(text: string): string {
  if (ESCAPED.test(text)) return `"${text.replaceAll(EACH_ESCAPED, escaped)}"`
  if (text.includes('"')) return `'${text.replaceAll("'", "''")}'`
  return `"${text.replaceAll('\\', '\\\\')}"`
}

function escaped(character: string): string {
  return (
    SHORT_ESCAPES.get(character) ??
    `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  )
}
