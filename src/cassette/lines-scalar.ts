/**
 * Single values as we write them, for the reader of lines.
 *
 * Room: cassette.
 */
import { isExpiry } from './expiry.ts'
import type { Limits } from './limits.ts'
import { JSON_NUMBER } from './parse-fields.ts'
import { isPlain, type Style } from './render-scalar.ts'
import type { ScalarNode } from './tree.ts'

/** The text that is read by lines. */
export interface Lines {
  readonly text: string
  /** Where the document ends in it. */
  readonly end: number
  /** See `limits.ts`. */
  readonly limits: Limits
}

/** What the reader of lines does not know for certain. */
export class Declined extends Error {
  override readonly name: string = 'Declined'
}

/** Leaves the document to the YAML reader. */
export function decline(): never {
  throw new Declined('not laid out as it is written')
}

const TAB = 9
const LF = 10
const BLANK = 32

/** Plain texts that were looked at before: a file has few different keys and words, many times. */
const known: Readonly<Record<Style, Set<string>>> = { block: new Set(), flow: new Set() }
const KNOWN_MAX = 2000
const KNOWN_LENGTH = 40

/** The key from `start` to its colon. */
export function plainName(text: string, start: number, colon: number): string {
  const { value } = scalarIn(text, start, colon, 'block')
  return typeof value === 'string' ? value : decline()
}

/** The value that is all of the text from `start` to `end`. */
export function scalarIn(text: string, start: number, end: number, style: Style): ScalarNode {
  const lexeme = text.slice(start, end)
  switch (lexeme[0]) {
    case '"':
      return quoted(start, doubleQuoted(lexeme))
    case "'":
      return quoted(start, singleQuoted(lexeme))
    default:
      return {
        type: 'scalar',
        offset: start,
        value: plain(lexeme, style),
        lexeme,
        style: 'plain',
        commented: false,
      }
  }
}

function quoted(offset: number, value: string): ScalarNode {
  return { type: 'scalar', offset, value, lexeme: value, style: 'quoted', commented: false }
}

/** Every escape of JSON is one of YAML, and means the same. */
function doubleQuoted(lexeme: string): string {
  try {
    const value: unknown = JSON.parse(lexeme)
    if (typeof value === 'string') return value
  } catch {
    // Not JSON: an escape that only YAML has, or more than one text.
  }
  return decline()
}

function singleQuoted(lexeme: string): string {
  const inner = lexeme.slice(1, -1)
  if (lexeme.length < 2 || !lexeme.endsWith("'")) decline()
  if (!inner.includes("'")) return inner
  return inner.replaceAll("''", '').includes("'") ? decline() : inner.replaceAll("''", "'")
}

function plain(lexeme: string, style: Style): ScalarNode['value'] {
  if (known[style].has(lexeme)) return lexeme
  if (JSON_NUMBER.test(lexeme)) return Number(lexeme)
  if (lexeme === 'true') return true
  if (lexeme === 'false') return false
  if (lexeme === 'null') return null
  // A date or a moment is the one plain text of ours that looks like something else.
  if (!isPlain(lexeme, style) && !isExpiry(lexeme)) decline()
  if (lexeme.length <= KNOWN_LENGTH && known[style].size < KNOWN_MAX) known[style].add(lexeme)
  return lexeme
}

const HEADER = /\|(2?)([-+]?)\n/y

/** The literal block whose header is at `start`, and the line after it. Its lines are indented by `indent` blanks. */
export function literalAt(
  { text, end }: Lines,
  start: number,
  indent: number,
): { readonly node: ScalarNode; readonly after: number } {
  HEADER.lastIndex = start
  const [header = decline(), indicator, chomp] = HEADER.exec(text) ?? []
  const parts: string[] = []
  let empty = 0
  let line = start + header.length
  while (line < end) {
    const eol = text.indexOf('\n', line)
    if (eol === line) {
      empty += 1
    } else {
      const first = contentAt(text, line, indent)
      if (first === -1) break
      const isOurs = empty === 0 && (indicator === '') !== (text.charCodeAt(first) === BLANK)
      if (parts.length === 0 && !isOurs) decline()
      for (; empty > 0; empty -= 1) parts.push('')
      parts.push(text.slice(first, eol))
    }
    line = eol + 1
  }
  const [only, second] = parts
  if (only === undefined || (empty > 0 && chomp !== '+')) decline()
  const body = second === undefined ? only : parts.join('\n')
  const value = chomp === '-' ? body : `${body}\n${'\n'.repeat(empty)}`
  const node = {
    type: 'scalar',
    offset: start,
    value,
    lexeme: value,
    style: 'block',
    commented: false,
  } as const
  return { node, after: line }
}

/** Where the content of a line begins; -1 for a line that is less indented. Readers disagree on lines of blanks. */
function contentAt(text: string, line: number, indent: number): number {
  for (let index = line; index < line + indent; index += 1) {
    if (text.charCodeAt(index) === BLANK) continue
    return text.charCodeAt(index) === LF ? decline() : -1
  }
  let index = line + indent
  if (text.charCodeAt(index) === TAB) decline()
  while (text.charCodeAt(index) === BLANK || text.charCodeAt(index) === TAB) index += 1
  return text.charCodeAt(index) === LF ? decline() : line + indent
}
