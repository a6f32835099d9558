/**
 * Reads a cassette, strictly: what it gives back is what the file says, or an error that says where not.
 *
 * The way of a text: `parse-text` (size, characters), `parse-yaml` (documents, syntax, depth),
 * `parse-tree` (YAML's traps), or `lines` for what is laid out as we write it, then `parse-header` and `parse-exchange` by key.
 *
 * Room: cassette.
 */
import { WiretapeError } from '../errors.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { Declined } from './lines-scalar.ts'
import { readLines } from './lines.ts'
import type { Cassette, CassetteDocument } from './model.ts'
import { exchangeAt, EXCHANGE_KEYS } from './parse-exchange.ts'
import { fail, mapAt } from './parse-fields.ts'
import { headerAt } from './parse-header.ts'
import { failAfterPacked, packedBlobsAt } from './parse-packed.ts'
import { openText, type ParseOptions } from './parse-text.ts'
import { treeOf } from './parse-tree.ts'
import {
  checkSyntax,
  isBlank,
  composeDocument,
  documentRanges,
  isCommitted,
  isHeader,
  unclosedQuote,
  type YamlDocument,
} from './parse-yaml.ts'
import { invalid, type Source } from './source.ts'
import { didYouMean } from './suggest.ts'
import type { MapNode } from './tree.ts'

/** What is whole in a file that was perhaps cut off. */
export interface CommittedCassette {
  /** Every document before the torn one. */
  readonly cassette: Cassette
  /** Why the rest was not read; undefined where nothing is torn. Its code is `WIRETAPE_CASSETTE_INVALID`. */
  readonly torn: WiretapeError | undefined
}

/**
 * Reads a cassette.
 *
 * A document without `end` is torn, and a torn document is an error here: a cassette that lost its last
 * exchange must not pass for one that never had it. See {@link parseCommitted} for what is left of it.
 *
 * @throws WiretapeError `WIRETAPE_CASSETTE_INVALID` with file, line, column and three lines of the file,
 * or `WIRETAPE_CASSETTE_VERSION` for a format of a newer version.
 *
 * @example
 * ```ts
 * const cassette = parseCassette(text, { file: 'cassettes/chat.cassette.yaml' })
 * ```
 */
export function parseCassette(text: string, options: ParseOptions): Cassette {
  const { cassette, torn } = parseCommitted(text, options)
  if (torn !== undefined) throw torn
  return cassette
}

/**
 * Reads a cassette up to its first torn document, and says what is wrong with that one.
 *
 * A torn document is never half read. Any other mistake is thrown as {@link parseCassette} throws it.
 *
 * @throws WiretapeError `WIRETAPE_CASSETTE_INVALID`, `WIRETAPE_CASSETTE_VERSION`.
 */
export function parseCommitted(text: string, options: ParseOptions): CommittedCassette {
  const limits = options.limits ?? DEFAULT_LIMITS
  const source = openText(text, options)
  const documents: CassetteDocument[] = []
  let blobs: Cassette['blobs']
  for (const range of documentRanges(source, limits)) {
    const quick = blobs === undefined ? quickDocument(source, range, limits) : undefined
    if (quick !== undefined && (documents.length > 0 || quick.type === 'header')) {
      documents.push(quick)
      continue
    }
    const yaml = composeDocument(source, range, limits)
    if (documents.length === 0) checkFirst(source, yaml)
    else if (!isHeader(yaml) && !isCommitted(yaml)) {
      const number = documents.filter(document => document.type === 'exchange').length + 1
      return { cassette: { file: options.file, documents }, torn: tornError(source, yaml, number) }
    }
    checkSyntax(source, yaml)
    const node = mapAt(source, treeOf(source, yaml, limits), 'this document')
    if (blobs !== undefined) failAfterPacked(source, node)
    blobs = packedBlobsAt(source, node)
    if (blobs === undefined) documents.push(documentOf(source, node))
  }
  return { cassette: { file: options.file, documents, blobs }, torn: undefined }
}

/**
 * A document that is laid out as we write it; undefined for any other, and for one with a mistake: the YAML
 * reader says what is wrong, and where.
 */
function quickDocument(
  source: Source,
  range: readonly [number, number],
  limits: Limits,
): CassetteDocument | undefined {
  try {
    return documentOf(source, readLines(source.text, range, limits))
  } catch (error) {
    if (!(error instanceof Declined) && !WiretapeError.is(error)) throw error
    return undefined
  }
}

/** A file that does not begin with a header is told what it is, rather than which key is wrong. */
function checkFirst(source: Source, yaml: YamlDocument): void {
  if (isHeader(yaml)) return
  const { start, text } = yaml
  const offset = start + (/^(?:[ \t]*(?:#.*)?\n|---[ \t]*\n)*/.exec(text)?.[0].length ?? 0)
  if (/^["']?exchange["']?:/m.test(text)) {
    fail(source, offset, {
      what: 'this cassette has no header',
      expected: '`cassette: 1` at the start of the file',
      hint: 'Put two lines before it: `cassette: 1` and `---`.',
    })
  }
  const blank = isBlank(source.text)
  fail(source, offset, {
    what: blank ? 'there is nothing in this file' : 'this is not a cassette',
    expected: 'a header, `cassette: 1`, at the start of the file',
    hint: blank
      ? 'Record it once more, or take it from where it came.'
      : 'Is it the right file? A cassette is named `*.cassette.yaml` and begins with `cassette: 1`.',
  })
}

function tornError(source: Source, yaml: YamlDocument, number: number): WiretapeError {
  const { start, text } = yaml
  const quote = unclosedQuote(yaml)
  if (quote !== undefined) {
    return invalid(source, {
      offset: quote,
      what: 'this quote is never closed',
      hint: "Close it. A quote in a text in double quotes is spelled `\\\"`, one in single quotes `''`.",
    })
  }
  const offset = start + (/^---[ \t]*\n(?:[ \t]*(?:#.*)?\n)*/.exec(text)?.[0].length ?? 0)
  return invalid(source, {
    offset,
    what: `${/^packed:/m.test(text) ? 'this packed cassette' : `exchange ${number}`} is torn: it does not reach its \`end\``,
    expected: '`end` as the last key of every exchange; it says that everything before it is there',
    hint: 'If you wrote it by hand, add `end: {}` as its last line. If not, the file was cut off: take it once more from where it came.',
  })
}

function documentOf(source: Source, node: MapNode): CassetteDocument {
  const header = node.fields.find(field => field.name === 'cassette')
  const exchange = node.fields.find(field => field.name === 'exchange')
  if (header !== undefined && exchange !== undefined) {
    const second = header.offset < exchange.offset ? exchange : header
    fail(source, second.offset, {
      what: 'a header and an exchange in one document: `---` is missing',
      hint: `Put a line \`---\` before \`${second.name}\`.`,
    })
  }
  if (header !== undefined) return { type: 'header', header: headerAt(source, node) }
  if (exchange !== undefined) return { type: 'exchange', exchange: exchangeAt(source, node) }
  return failNeither(source, node)
}

function failNeither(source: Source, node: MapNode): never {
  const stranger = node.fields.find(field => !EXCHANGE_KEYS.includes(field.name))
  return fail(source, stranger?.offset ?? node.offset, {
    what: 'this document is neither a header nor an exchange',
    expected: '`exchange`, with the name of an API',
    hint: stranger === undefined ? 'Add `exchange`.' : didYouMean(stranger.name, ['exchange']),
  })
}
