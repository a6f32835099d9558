/**
 * Reads a cassette and its blobs from disk, whole: nothing is read while it is replayed.
 *
 * Room: store.
 */
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Cassette } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { checkBlobs } from '../cassette/parse-blobs.ts'
import { cassetteText } from '../cassette/parse-text.ts'
import { WiretapeError } from '../errors.ts'
import type { Tape } from '../replay/recorded.ts'
import { isCode } from './disk-error.ts'
import { blobFolder, journalFolder } from './paths.ts'

/**
 * Loads a cassette.
 *
 * @param file - Its path; messages name it so.
 * @throws `WIRETAPE_CASSETTE_MISSING` where there is none, `WIRETAPE_USAGE` for a folder;
 * `WIRETAPE_CASSETTE_INVALID` or `WIRETAPE_CASSETTE_VERSION` with the place, for a blob that is missing or
 * of another length than is listed too.
 */
export async function loadCassette(file: string): Promise<Tape> {
  const cassette = parseCassette(cassetteText(await readCassette(file), { file }), { file })
  const blobs = await readBlobs(cassette)
  checkBlobs(cassette, name => blobs.get(name)?.length)
  return { cassette, blobs: name => blobs.get(name) }
}

async function readCassette(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (cause) {
    if (isCode(cause, 'ENOENT') || isCode(cause, 'ENOTDIR')) {
      throw new WiretapeError('WIRETAPE_CASSETTE_MISSING', `There is no cassette at ${file}.`, {
        hint: (await isThere(journalFolder(file)))
          ? `A recording of it was not finished: wiretape recover ${file}`
          : `Record it: wiretape record ${file} -- COMMAND`,
        details: { file },
        cause,
      })
    }
    if (isCode(cause, 'EISDIR')) {
      throw new WiretapeError('WIRETAPE_USAGE', `${file} is a folder, not a cassette.`, {
        hint: `Name the cassettes in it: ${join(file, 'NAME.cassette.yaml')}`,
        details: { file },
        cause,
      })
    }
    throw unreadable(file, cause)
  }
}

/** It is there, but the system will not give it: no leave, a broken link or disk, a folder in place of a blob. */
function unreadable(path: string, cause: unknown): WiretapeError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new WiretapeError('WIRETAPE_USAGE', `${path} can't be read: ${reason}`, {
    hint: 'Give leave to read it, or name another cassette.',
    details: { path },
    cause,
  })
}

async function readBlobs({ file, documents }: Cassette): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = blobFolder(file)
  const listed = documents.flatMap(document =>
    document.type === 'exchange' ? Object.keys(document.exchange.blobs ?? {}) : [],
  )
  // The reader refuses names that lead out of the folder; this is the last door.
  const names = [...new Set(listed)].filter(name => name === basename(name))
  const read = names.map(async name => [name, await readBlob(join(folder, name))] as const)
  return new Map(
    (await Promise.all(read)).flatMap(([name, bytes]) => (bytes === undefined ? [] : [[name, bytes]])),
  )
}

/** Undefined where there is no such file. */
async function readBlob(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path)
  } catch (cause) {
    if (isCode(cause, 'ENOENT') || isCode(cause, 'ENOTDIR')) return undefined
    throw unreadable(path, cause)
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
