/**
 * The list of blobs of an exchange, and the check that they are there and whole.
 *
 * Room: cassette.
 */
import { WiretapeError } from '../errors.ts'
import { excerpt } from './code-frame.ts'
import type { Cassette } from './model.ts'
import { countAt, fail, mapAt } from './parse-fields.ts'
import { invalid, type Mistake, type Source } from './source.ts'
import type { FieldNode } from './tree.ts'

/** A name of one file: nothing that could lead out of its folder. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/

/** Where the names of a list were read, by the list that the model has. Only errors ask. */
const places = new WeakMap<
  object,
  { readonly source: Source; readonly offsets: ReadonlyMap<string, number> }
>()

/** The name of a field that is one of a blob: nothing that could lead out of its folder. */
export function blobNameAt(source: Source, { name, offset }: FieldNode): string {
  if (NAME.test(name)) return name
  return fail(source, offset, {
    what: `\`${excerpt(name)}\` is not the name of a blob`,
    expected: 'the name of a file, of letters, digits, dots, dashes and underscores',
  })
}

/** The names and lengths in `blobs`. */
export function blobsAt(source: Source, field: FieldNode): Readonly<Record<string, number>> {
  const { fields } = mapAt(source, field.value, '`blobs`')
  const entries = fields.map(blob => [blobNameAt(source, blob), countAt(source, blob, 0)] as const)
  const blobs: Readonly<Record<string, number>> = Object.fromEntries(entries)
  places.set(blobs, { source, offsets: new Map(fields.map(blob => [blob.name, blob.offset])) })
  return blobs
}

/**
 * Throws where a listed blob is missing or has another length than is listed.
 *
 * @param lengths - The length in bytes of the file with this name; undefined where there is none.
 * @throws WiretapeError `WIRETAPE_CASSETTE_INVALID`, at the place of the blob in the cassette.
 */
export function checkBlobs(cassette: Cassette, lengths: (name: string) => number | undefined): void {
  for (const document of cassette.documents) {
    if (document.type !== 'exchange') continue
    const { blobs = {}, line } = document.exchange
    for (const [name, listed] of Object.entries(blobs)) {
      const found = lengths(name)
      if (found !== listed) throw blobError(cassette, { blobs, line, name, listed, found })
    }
  }
}

interface WrongBlob {
  readonly blobs: object
  readonly line: number
  readonly name: string
  readonly listed: number
  readonly found: number | undefined
}

function blobError(cassette: Cassette, wrong: WrongBlob): WiretapeError {
  const mistake = mistakeOf(wrong)
  const place = places.get(wrong.blobs)
  const offset = place?.offsets.get(wrong.name)
  if (place !== undefined && offset !== undefined) return invalid(place.source, { ...mistake, offset })
  // A cassette that was not read from text has no better place than its document's.
  const { line } = wrong
  return new WiretapeError('WIRETAPE_CASSETTE_INVALID', `${cassette.file}:${line}:1: ${mistake.what}`, {
    hint: mistake.hint,
    details: { file: cassette.file, line, column: 1, reason: mistake.what },
  })
}

function mistakeOf({ name, listed, found }: WrongBlob): Omit<Mistake, 'offset'> {
  if (found === undefined) {
    return {
      what: `the blob \`${excerpt(name)}\` is missing`,
      expected: `a file of ${listed} bytes in the cassette's \`.blobs\` folder`,
      hint: 'Take the `.blobs` folder along with the cassette. It lies beside it, under the same name.',
    }
  }
  return {
    what: `the blob \`${excerpt(name)}\` is ${found} bytes long`,
    expected: `${listed} bytes`,
    hint:
      found < 200 && listed > 200
        ? 'It may be the pointer of Git LFS: run `git lfs pull`.'
        : 'Git may have changed its line ends: add `**/*.cassette.blobs/** -text` to .gitattributes and check it out again.',
  }
}
