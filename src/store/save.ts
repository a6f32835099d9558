/**
 * Saves a cassette that a program has made: text and blobs, whole or not at all.
 *
 * Room: store.
 */
import { existsSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
import type { BlobSource, Cassette } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { renderCassette } from '../cassette/render.ts'
import { findSecrets } from '../cassette/secrets.ts'
import { WiretapeError } from '../errors.ts'
import { stageCassette } from './files.ts'
import { CASSETTE_SUFFIX } from './find.ts'

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
  // In memory, until it is known that it may be written.
  const text = renderCassette(cassette.documents)
  const kept = new Map(
    [...blobsOf(cassette)].map(([name, length]) => [name, blobs(name, 0, length) ?? new Uint8Array()]),
  )
  refuseCredentials(file, text, kept)
  // Tests that run at once may save the same one.
  const staged = stageCassette(file, undefined, `.${process.pid}-${threadId}`)
  try {
    staged.write(text)
    for (const [name, bytes] of kept) staged.keep(name, bytes)
    staged.place()
  } catch (cause) {
    staged.discard()
    throw cause
  }
}

/** What the recorder would replace, and yet opens nothing: names that may be made up. */
const NAMES: ReadonlySet<string> = new Set(['project', 'session-handle', 'service-account'])

/** Looks at all of it as `wiretape lint` does, as it will be read. */
function refuseCredentials(file: string, text: string, blobs: ReadonlyMap<string, Uint8Array>): void {
  const secrets = findSecrets(parseCassette(text, { file }), text, blobs)
  const found = secrets.find(({ kind }) => !NAMES.has(kind))
  if (found === undefined) return
  const { kind, line = 1, blob } = found
  const where = blob === undefined ? `in line ${line} of ${file}` : `in the blob ${blob} of ${file}`
  throw new WiretapeError('WIRETAPE_SECRET', `A secret (${kind}) is ${where}: it was not written.`, {
    hint:
      blob === undefined
        ? `Put a placeholder in its place, e.g. \`redacted-${kind}-1\`.`
        : 'Take it out of what the blob is made of.',
    details: { file, kind, line: found.line, blob },
  })
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
