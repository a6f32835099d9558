/**
 * Reads a cassette from disk. Its blobs must be there, whole; what they hold is read when it is played.
 *
 * Room: store.
 */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { blobsIn } from '../cassette/blobs.ts'
import type { BlobSource, Cassette } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { checkBlobs } from '../cassette/parse-blobs.ts'
import { cassetteText } from '../cassette/parse-text.ts'
import { WiretapeError } from '../errors.ts'
import type { LoadedCassette } from '../replay/recorded.ts'
import { blobFiles, fileLength } from './blob-files.ts'
import { isCode } from './disk-error.ts'
import { missing, type Purpose } from './missing.ts'
import { blobFolder } from './paths.ts'

/**
 * Loads a cassette.
 *
 * @param file - Its path; messages name it so.
 * @throws `WIRETAPE_CASSETTE_MISSING` where there is none, `WIRETAPE_USAGE` for a folder;
 * `WIRETAPE_CASSETTE_INVALID` or `WIRETAPE_CASSETTE_VERSION` with the place, for a blob that is missing or
 * of another length than is listed too.
 */
export async function loadCassette(file: string): Promise<LoadedCassette> {
  const cassette = await readCassetteFile(file, 'play')
  return { cassette, blobs: openBlobs(cassette) }
}

/**
 * The blobs of a cassette: beside it, or from inside the file where it is packed.
 *
 * @throws WiretapeError `WIRETAPE_CASSETTE_INVALID` for one that is missing or of another length than is listed.
 */
export function openBlobs(cassette: Cassette): BlobSource {
  const packed = cassette.blobs
  if (packed !== undefined) {
    checkBlobs(cassette, name => packed.get(name)?.length)
    return blobsIn(packed)
  }
  const folder = blobFolder(cassette.file)
  // The reader refuses names that lead out of the folder; this is the last door.
  const pathOf = (name: string): string | undefined =>
    name === basename(name) ? join(folder, name) : undefined
  checkBlobs(cassette, name => {
    const path = pathOf(name)
    return path === undefined ? undefined : lengthOf(path)
  })
  return blobFiles(pathOf)
}

/**
 * Reads a cassette without its blobs: what it says, not what it plays.
 *
 * @param purpose - For the advice where it is missing.
 * @throws WiretapeError what {@link loadCassette} throws, but for blobs.
 */
export async function readCassetteFile(file: string, purpose: Purpose = 'read'): Promise<Cassette> {
  return parseCassette(cassetteText(await readCassetteBytes(file, purpose), { file }), { file })
}

/** The bytes of a cassette file. Throws `WIRETAPE_CASSETTE_MISSING`, `WIRETAPE_USAGE`. */
export async function readCassetteBytes(file: string, purpose: Purpose = 'read'): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (cause) {
    if (isCode(cause, 'ENOENT') || isCode(cause, 'ENOTDIR')) {
      throw missing(file, purpose, cause)
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

function lengthOf(path: string): number | undefined {
  try {
    return fileLength(path)
  } catch (cause) {
    throw unreadable(path, cause)
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
