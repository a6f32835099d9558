/**
 * Packs a cassette and its blobs into one file, and takes it apart again.
 *
 * What goes out is redacted once more, and is read back before it is kept.
 *
 * Room: store.
 */
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { commandWord } from '../cassette/command-word.ts'
import type { Cassette } from '../cassette/model.ts'
import { packedText, unpackedText } from '../cassette/pack.ts'
import { parseCassette } from '../cassette/parse.ts'
import { cassetteText } from '../cassette/parse-text.ts'
import { findSecrets, redactCassette, type FoundSecret } from '../cassette/secrets.ts'
import { WiretapeError } from '../errors.ts'
import { equalBytes } from '../wire/text.ts'
import { stageCassette } from './files.ts'
import { openBlobs, readCassetteBytes } from './load.ts'

/** How to pack or unpack. */
export interface PackOptions {
  /** The file to write; undefined: named after the other one. */
  readonly output?: string | undefined
  readonly existing: 'refuse' | 'overwrite'
}

/** What was written. */
export interface PackSummary {
  readonly file: string
  readonly exchanges: number
  readonly blobs: number
  /** Of the blobs together. */
  readonly bytes: number
  /** How many secrets were replaced on the way. */
  readonly secrets: number
}

/**
 * Packs a cassette.
 *
 * @throws WIRETAPE_USAGE where it is packed already or the output exists; WIRETAPE_SECRET where a secret is
 * in it that can't be replaced; WIRETAPE_WRITE, and what `loadCassette` throws.
 */
export async function packCassette(file: string, options: PackOptions): Promise<PackSummary> {
  const { cassette, text } = await read(file)
  if (cassette.blobs !== undefined) {
    throw new WiretapeError('WIRETAPE_USAGE', `${file} is packed already.`, {
      hint: `To take it apart: wiretape unpack ${commandWord(file)}`,
    })
  }
  const output = outputOf(
    file,
    options,
    file.replace(/(?:\.cassette)?\.ya?ml$/, '') + '.packed.cassette.yaml',
  )
  const blobs = wholeBlobs(cassette)
  const safe = redacted(cassette, text, blobs)
  const packed = packedText({ ...safe, blobs, name: basename(output) })
  prove(output, packed, safe.text, blobs)
  place(output, packed, new Map())
  return summaryOf(output, safe.cassette, blobs, safe.secrets)
}

/**
 * Takes a packed cassette apart: the cassette as it was, and its folder of blobs.
 *
 * @throws WIRETAPE_USAGE where it is not packed or the output exists; WIRETAPE_WRITE, and what
 * `loadCassette` throws.
 */
export async function unpackCassette(file: string, options: PackOptions): Promise<PackSummary> {
  const { cassette, text } = await read(file)
  const { blobs } = cassette
  if (blobs === undefined) {
    throw new WiretapeError('WIRETAPE_USAGE', `${file} is not packed.`, {
      hint: `To make one file of it and its blobs: wiretape pack ${commandWord(file)}`,
    })
  }
  const plain = file.replace(/\.packed(?=\.cassette\.ya?ml$)/, '')
  const output = outputOf(
    file,
    options,
    plain === file ? file.replace(/(\.ya?ml)?$/, '.unpacked.cassette.yaml') : plain,
  )
  place(output, unpackedText(text), blobs)
  return summaryOf(output, cassette, blobs, 0)
}

async function read(file: string): Promise<{ readonly cassette: Cassette; readonly text: string }> {
  const text = cassetteText(await readCassetteBytes(file), { file })
  return { cassette: parseCassette(text, { file }), text }
}

/** In the place of what is there: the old one or the new one, whole. */
function place(file: string, text: string, blobs: ReadonlyMap<string, Uint8Array>): void {
  const staged = stageCassette(file)
  try {
    for (const [name, bytes] of blobs) staged.keep(name, bytes)
    staged.write(text)
    staged.place()
  } catch (error) {
    staged.discard()
    throw error
  }
}

/** All that its exchanges list. */
function wholeBlobs(cassette: Cassette): ReadonlyMap<string, Uint8Array> {
  const source = openBlobs(cassette)
  return new Map(
    cassette.documents
      .flatMap(document =>
        document.type === 'exchange' ? Object.entries(document.exchange.blobs ?? {}) : [],
      )
      .map(([name, length]) => [name, source(name, 0, length) ?? new Uint8Array()]),
  )
}

function outputOf(file: string, { output, existing }: PackOptions, standard: string): string {
  const path = output ?? standard
  if (resolve(path) === resolve(file)) {
    throw new WiretapeError('WIRETAPE_USAGE', `${path} would replace the file it is made of.`, {
      hint: 'Name another file with -o.',
    })
  }
  if (existing === 'refuse' && existsSync(path)) {
    throw new WiretapeError('WIRETAPE_USAGE', `${path} exists already.`, {
      hint: 'Replace it with --overwrite, or name another file with -o.',
    })
  }
  return path
}

/** The cassette without what was secret in it, and how much that was. */
function redacted(
  cassette: Cassette,
  text: string,
  blobs: ReadonlyMap<string, Uint8Array>,
): { readonly cassette: Cassette; readonly text: string; readonly secrets: number } {
  const before = findSecrets(cassette, text, blobs)
  const [inBlob] = before.filter(({ blob }) => blob !== undefined)
  if (inBlob !== undefined) throw secretError(cassette.file, inBlob)
  const [first] = before
  if (first === undefined) return { cassette, text, secrets: 0 }
  const safe = redactCassette(cassette, text)
  if (safe.refused) throw secretError(cassette.file, first)
  const replaced = parseCassette(safe.text, { file: cassette.file })
  const [left] = findSecrets(replaced, safe.text, blobs)
  if (left !== undefined) throw secretError(cassette.file, left)
  return { cassette: replaced, text: safe.text, secrets: safe.found.length }
}

function secretError(file: string, { kind, line, blob }: FoundSecret): WiretapeError {
  const where = blob === undefined ? `in line ${line ?? 1} of ${file}` : `in the blob ${blob} of ${file}`
  return new WiretapeError(
    'WIRETAPE_SECRET',
    `A secret of the kind '${kind}' is ${where}, where it can't be replaced. Nothing was packed.`,
    { hint: 'Take it out by hand, or record again without it.', details: { file, kind, line, blob } },
  )
}

/** What will be read is what was packed, or nothing is written. */
function prove(file: string, packed: string, text: string, blobs: ReadonlyMap<string, Uint8Array>): void {
  const found = parseCassette(packed, { file }).blobs
  const same =
    unpackedText(packed) === text &&
    found?.size === blobs.size &&
    [...blobs].every(([name, bytes]) => equalBytes(bytes, found.get(name) ?? new Uint8Array()))
  if (same) return
  throw new WiretapeError('WIRETAPE_WRITE', `${file} would not hold what was packed. It was not written.`, {
    hint: 'This is a mistake in Wiretape. Please report it.',
    details: { file },
  })
}

function summaryOf(
  file: string,
  cassette: Cassette,
  blobs: ReadonlyMap<string, Uint8Array>,
  secrets: number,
): PackSummary {
  return {
    file,
    exchanges: cassette.documents.filter(({ type }) => type === 'exchange').length,
    blobs: blobs.size,
    bytes: [...blobs.values()].reduce((sum, { length }) => sum + length, 0),
    secrets,
  }
}
