/**
 * From text to YAML documents, each on its own: a broken one can't reach into the next.
 *
 * A line that begins with `---` always begins a document here, since a cassette's own texts are quoted or
 * indented. So the file is cut there first, and what is torn stays in its piece.
 *
 * Room: cassette.
 */
import { Composer, Parser, isMap, isScalar, visit, type Document, type ParsedNode } from 'yaml'
import { excerpt } from './code-frame.ts'
import type { Limits } from './limits.ts'
import { invalid, type Source } from './source.ts'

/** One piece of the stream, composed. */
export interface YamlDocument {
  /** Where its piece of the text begins; the offsets of its nodes count from here. */
  readonly start: number
  readonly text: string
  readonly document: Document.Parsed
}

/** The line that begins a document, or what is left of it at the end of a file that was cut off. */
const DOCUMENT = /^---(?=[ \t\n]|$)|^--?$(?![^])/gm

/** Where each document begins and ends; pieces without content before the first one are left out. */
export function documentRanges(source: Source, limits: Limits): readonly (readonly [number, number])[] {
  const starts = [0]
  for (const { index } of source.text.matchAll(DOCUMENT)) {
    if (index > 0) starts.push(index)
  }
  const ranges = starts.map((start, index) => [start, starts[index + 1] ?? source.text.length] as const)
  checkDirective(source, starts[1] ?? source.text.length)
  if (ranges.length > 1 && isBlank(source.text.slice(0, starts[1]))) ranges.shift()
  const over = ranges[limits.documents]
  if (over === undefined) return ranges
  throw invalid(source, {
    offset: over[0],
    what: `more than ${limits.documents} documents in one cassette`,
    hint: 'Split the cassette.',
  })
}

/** A directive could make the file another version of YAML, in which `no` is false and `1:30` is 90. */
function checkDirective(source: Source, end: number): void {
  const directive = /^(?:#.*\n|[ \t]*\n)*%/.exec(source.text.slice(0, end))
  if (directive === null) return
  throw invalid(source, {
    offset: directive[0].length - 1,
    what: 'a YAML directive',
    hint: 'Remove it: a cassette is YAML 1.2 and needs none.',
  })
}

/** True for text that has nothing but comments and blank lines. */
export function isBlank(text: string): boolean {
  return /^(?:[ \t]*(?:#.*)?\n)*[ \t]*(?:#.*)?$/.test(text)
}

/** Composes one piece. Throws where it is nested too deeply; its mistakes in syntax are in `document.errors`. */
export function composeDocument(
  source: Source,
  [start, end]: readonly [number, number],
  limits: Limits,
): YamlDocument {
  const text = source.text.slice(start, end)
  const tokens = [...new Parser().parse(text)]
  checkDepth(tokens, start, source, limits)
  const composer = new Composer({ uniqueKeys: false, version: '1.2', schema: 'core', prettyErrors: false })
  const [document, extra] = [...composer.compose(tokens, true, text.length)]
  if (document === undefined || extra !== undefined) {
    throw invalid(source, {
      offset: start + (extra?.range[0] ?? 0),
      what: 'a document ends with `...` and another follows',
      hint: 'Begin each document with a line `---`.',
    })
  }
  return { start, text, document }
}

/** Composing is recursive: what is nested thousands deep must be found before. */
function checkDepth(tokens: readonly unknown[], start: number, source: Source, limits: Limits): void {
  const open: { token: unknown; depth: number }[] = tokens.map(token => ({ token, depth: 0 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (typeof token !== 'object' || token === null) continue
    if ('items' in token && Array.isArray(token.items)) {
      if (depth >= limits.depth) {
        throw invalid(source, {
          offset: start + ('offset' in token && typeof token.offset === 'number' ? token.offset : 0),
          what: `nested more than ${limits.depth} deep`,
          hint: 'Write a payload that is nested so deeply as text.',
        })
      }
      for (const item of token.items) open.push({ token: item, depth: depth + 1 })
      continue
    }
    if ('key' in token) open.push({ token: token.key, depth })
    if ('value' in token) open.push({ token: token.value, depth })
  }
}

/** Throws the first mistake in syntax, if there is one. */
export function checkSyntax(source: Source, { start, document }: YamlDocument): void {
  const [error] = document.errors
  if (error === undefined) return
  throw invalid(source, {
    offset: start + error.pos[0],
    what: `this is not valid YAML: ${excerpt(error.message)}`,
    hint: 'Check quotes, brackets and indentation here and in the line before. A text with a `: `, a ` #`, a bracket or a quote at its start must be quoted.',
  })
}

/**
 * Where a quote begins that is never closed, in a document whose `end` it has swallowed; else undefined.
 * That is a slip of a hand: what was cut off in a quote has no `end` behind it.
 */
export function unclosedQuote({ start, text, document }: YamlDocument): number | undefined {
  if (!document.errors.some(({ code, message }) => code === 'MISSING_CHAR' && message.endsWith('quote')))
    return undefined
  if (!/^end:/m.test(text)) return undefined
  let last = 0
  visit(document, {
    Scalar: (_, { range }) => {
      last = range?.[0] ?? last
    },
  })
  return start + last
}

/**
 * True if the document has its last key, whole: `end` is what the writer writes last. Without it the
 * document was cut off, wherever else its text may be wrong.
 */
export function isCommitted({ text, document }: YamlDocument): boolean {
  const { contents, errors } = document
  if (errors.length === 0) {
    return isMap(contents) && contents.items.some(({ key, value }) => isNamed(key, 'end') && !isEmpty(value))
  }
  const ends = [...text.matchAll(/^["']?end["']?:(?:[ \t]+\S|[ \t]*\n[ \t]+\S)/gm)]
  const last = ends.at(-1)
  return last !== undefined && errors.every(error => error.pos[0] < last.index)
}

/** True if the document says that it is a header, and not an exchange too. */
export function isHeader({ document }: YamlDocument): boolean {
  const { contents } = document
  return isMap(contents) && contents.items.some(({ key }) => isNamed(key, 'cassette'))
}

/** True for the value of a key with nothing behind its colon. */
function isEmpty(value: ParsedNode | null): boolean {
  return value === null || (isScalar(value) && value.source === '' && value.type === 'PLAIN')
}

function isNamed(key: ParsedNode | null, name: string): boolean {
  return isScalar(key) && key.value === name
}
