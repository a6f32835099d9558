/**
 * Saves a cassette that a program has made: text and blobs, whole or not at all.
 *
 * Room: store.
 */
import { existsSync } from 'node:fs'
import type { BlobSource, Cassette, CassetteDocument } from '../cassette/model.ts'
import { renderDocument } from '../cassette/render.ts'
import { WiretapeError } from '../errors.ts'
import { stageCassette, type StagedCassette } from './files.ts'
import { CASSETTE_SUFFIX } from './find.ts'
import { holdsKey } from './written-keys.ts'

/** What happens to a cassette that is there already. */
export type Existing = 'refuse' | 'overwrite'

/**
 * Writes a cassette to its place, its blobs beside it.
 *
 * @throws `WIRETAPE_USAGE` for a name that is no cassette's, or where one is and must stay; `WIRETAPE_SECRET` for
 * one that holds a key; `WIRETAPE_WRITE`. What was there is untouched then.
 */
export function saveCassette(file: string, cassette: Cassette, blobs: BlobSource, existing: Existing): void {
  if (!file.endsWith(CASSETTE_SUFFIX)) throw misnamed(file)
  if (existing === 'refuse' && existsSync(file)) throw alreadyThere(file)
  const staged = stageCassette(file)
  try {
    cassette.documents.forEach((document, index) => saveDocument(file, document, index, staged))
    for (const [name, length] of blobsOf(cassette)) {
      const bytes = blobs(name, 0, length)
      if (bytes !== undefined) staged.keep(name, bytes)
    }
    staged.place()
  } catch (cause) {
    staged.discard()
    throw cause
  }
}

function saveDocument(file: string, document: CassetteDocument, index: number, staged: StagedCassette): void {
  const from = staged.write(index === 0 ? '' : '---\n')
  staged.write(renderDocument(document))
  if (!holdsKey(staged, from)) return
  throw new WiretapeError(
    'WIRETAPE_SECRET',
    `A key is in document ${index + 1} of ${file}: it was not written.`,
    {
      hint: 'Put a placeholder in its place, e.g. `redacted-api-key-1`.',
      details: { file, document: index + 1 },
    },
  )
}

/** The blobs that it lists, with their lengths in bytes. */
function blobsOf({ documents }: Cassette): ReadonlyMap<string, number> {
  return new Map(
    documents.flatMap(document =>
      document.type === 'exchange' ? Object.entries(document.exchange.blobs ?? {}) : [],
    ),
  )
}

function misnamed(file: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', `${file} is no name of a cassette.`, {
    hint: `Cassettes are named *${CASSETTE_SUFFIX}: so their blobs, and whoever looks for cassettes, find them.`,
    details: { file },
  })
}

function alreadyThere(file: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', `The cassette ${file} is there already.`, {
    hint: "Save under another name, or with `existing: 'overwrite'`.",
    details: { file },
  })
}
