/**
 * The text of a cassette while it is read, and the errors that point into it.
 *
 * Room: cassette.
 */
import { WiretapeError } from '../errors.ts'
import { codeFrame } from './code-frame.ts'

/** A file's text with its lines, which are parted when they are needed. Offsets are in UTF-16 units of `text`. */
export interface Source {
  /** The path, as it is named in messages. */
  readonly file: string
  /** Without a byte order mark, every line end a line feed. */
  readonly text: string
  readonly lines: readonly string[]
  /** The offset at which each line begins. */
  readonly starts: readonly number[]
  /** The line of an offset, from 1. Quick where offsets come in order. */
  lineAt(offset: number): number
}

/** One thing that is wrong, and where. */
export interface Mistake {
  readonly offset: number
  /** What is wrong, to which thing; the message begins with it. */
  readonly what: string
  /** What would have been right. */
  readonly expected?: string | undefined
  /** What to do next, in the imperative. */
  readonly hint?: string | undefined
}

/** A place for people: line and column from 1, the column in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Makes a source of a file's text. A byte order mark is dropped and CRLF read as LF: YAML reads both the same. */
export function sourceOf(text: string, file: string): Source {
  const plain = text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  let lines: readonly string[] | undefined
  let starts: readonly number[] | undefined
  let counted = { offset: 0, line: 1 }
  return {
    file,
    text: plain,
    get lines() {
      return (lines ??= plain.split('\n'))
    },
    get starts() {
      return (starts ??= startsOf(plain))
    },
    lineAt(offset) {
      let { offset: from, line } = offset < counted.offset ? { offset: 0, line: 1 } : counted
      for (let end = plain.indexOf('\n', from); end !== -1 && end < offset; end = plain.indexOf('\n', from)) {
        from = end + 1
        line += 1
      }
      counted = { offset: from, line }
      return line
    },
  }
}

function startsOf(text: string): readonly number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}

/** The line and column of an offset. */
export function positionOf(source: Source, offset: number): Position {
  let low = 0
  let high = source.starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((source.starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (source.starts[low] ?? 0) + 1 }
}

/**
 * The error for a mistake: position, what is wrong, three lines of the file, what was expected, what to do.
 *
 * Its code is `WIRETAPE_CASSETTE_INVALID`; `details` has `file`, `line`, `column`, `reason` and, where there is one, `expected`.
 */
export function invalid(source: Source, mistake: Mistake): WiretapeError {
  const { line, column } = positionOf(source, mistake.offset)
  const parts = [
    `${source.file}:${line}:${column}: ${mistake.what}`,
    codeFrame(source.lines, line, column),
    ...(mistake.expected === undefined ? [] : [`Expected ${mistake.expected}.`]),
  ]
  return new WiretapeError('WIRETAPE_CASSETTE_INVALID', parts.join('\n'), {
    hint: mistake.hint,
    details: {
      file: source.file,
      line,
      column,
      reason: mistake.what,
      ...(mistake.expected === undefined ? {} : { expected: mistake.expected }),
    },
  })
}
