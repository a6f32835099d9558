/**
 * A cassette and its blobs as one file, and back.
 *
 * The cassette's text stands in it as it is, between a comment that says what the file is and a document
 * that holds the blobs as base64. So both directions are text, and nothing is spelled anew.
 *
 * Room: cassette.
 */
import { titleOf } from '../dialect/digest.ts'
import { encodeBase64 } from '../wire/base64.ts'
import type { Cassette } from './model.ts'
import { PACKED } from './parse-packed.ts'
import { scalar } from './render-scalar.ts'

/** What is to be packed. */
export interface Packable {
  readonly cassette: Cassette
  readonly text: string
  readonly blobs: ReadonlyMap<string, Uint8Array>
  /** The name that the packed file will have, for its comment. */
  readonly name: string
}

/** The first line of every packed cassette. */
const FIRST = '# A cassette of Wiretape, packed: everything is in this one file.'
/** Where the packed document begins, in a text with any line ends. */
const DOCUMENT = /^---[ \t]*\r?\npacked:/gm
/** How many exchanges the comment names. */
const MOST_TITLES = 5
/** Characters of base64 in a line: with its indentation the line has 80. */
const LINE = 76
const MARK = '\ufeff'

/** The text of the packed cassette. */
export function packedText({ cassette, text, blobs, name }: Packable): string {
  // A byte order mark stands at the very start of a file or is a character of it.
  const mark = text.startsWith(MARK) ? MARK : ''
  const body = text.slice(mark.length)
  const added = body.endsWith('\n') ? '' : '\n'
  return [
    mark,
    comment(cassette, blobs, name),
    '\n',
    body,
    added,
    '---\n',
    `packed: ${PACKED}\n`,
    added === '' ? '' : 'added: line-feed\n',
    blobs.size === 0 ? 'blobs: {}\n' : 'blobs:\n',
    ...[...blobs].flatMap(([blob, bytes]) => blobLines(blob, bytes)),
    'end: {}\n',
  ].join('')
}

/** The cassette's own text in a packed one, byte for byte; its comment counts only as it was written. */
export function unpackedText(packed: string): string {
  const mark = packed.startsWith(MARK) ? MARK : ''
  const start = packed.slice(mark.length)
  const head = start.startsWith(FIRST) ? (/^(?:#.*\r?\n)+\r?\n/.exec(start)?.[0].length ?? 0) : 0
  const document = [...packed.matchAll(DOCUMENT)].at(-1)
  const end = document?.index ?? packed.length
  const text = packed.slice(mark.length + head, end)
  const added = /^added:/m.test(packed.slice(end))
  return mark + (added ? text.replace(/\r?\n$/, '') : text)
}

function comment(cassette: Cassette, blobs: ReadonlyMap<string, Uint8Array>, name: string): string {
  const exchanges = cassette.documents.flatMap(document =>
    document.type === 'exchange' ? [document.exchange] : [],
  )
  const titles = exchanges.map(({ exchange, name: own, request }) =>
    [own, titleOf(exchange, request.method, request.url)].filter(word => word !== undefined).join(': '),
  )
  const more = titles.length - MOST_TITLES
  const shown = name.replaceAll(/[^\p{L}\p{N}._-]/gu, '_')
  return [
    FIRST,
    '#',
    `# ${contents(exchanges.length, blobs)}`,
    ...titles
      .slice(0, MOST_TITLES)
      .map((title, index) => `#   ${index + 1}  ${title.replaceAll(/[\s\p{C}]+/gu, ' ')}`),
    ...(more > 0 ? [`#   and ${more} more`] : []),
    '#',
    '# To play it to an app, offline and without a key:',
    `#   npx wiretape replay ${shown} -- COMMAND`,
    `# To read it: npx wiretape show ${shown}`,
    '# To take it apart, and have sound and pictures as files:',
    `#   npx wiretape unpack ${shown}`,
    '',
  ].join('\n')
}

function contents(exchanges: number, blobs: ReadonlyMap<string, Uint8Array>): string {
  const bytes = [...blobs.values()].reduce((sum, { length }) => sum + length, 0)
  const told = `${exchanges} exchange${exchanges === 1 ? '' : 's'}`
  if (blobs.size === 0) return `It holds ${told}.`
  const files = `${blobs.size} ${blobs.size === 1 ? 'file' : 'files'} of sound or pictures`
  return `It holds ${told} and ${files}, ${bytes} bytes, as base64 at its end.`
}

function blobLines(name: string, bytes: Uint8Array): readonly string[] {
  const key = scalar(name, 'block')
  const base64 = encodeBase64(bytes)
  if (base64 === '') return [`  ${key}: ""\n`]
  const lines: string[] = []
  for (let at = 0; at < base64.length; at += LINE) lines.push(`    ${base64.slice(at, at + LINE)}\n`)
  return [`  ${key}: |\n`, ...lines]
}
