/**
 * Reads a cassette and its blobs from disk, whole: nothing is read while it is replayed.
 *
 * Room: store.
 */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { blobsIn } from '../cassette/blobs.ts'
import type { Cassette } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { checkBlobs } from '../cassette/parse-blobs.ts'
import { cassetteText } from '../cassette/parse-text.ts'
import { WiretapeError } from '../errors.ts'
import type { Tape } from '../replay/recorded.ts'
import { blobFolder } from './paths.ts'

/**
 * Loads a cassette.
 *
 * @param file - Its path; messages name it so.
 * @throws WiretapeError `WIRETAPE_CASSETTE_MISSING` where there is none, `WIRETAPE_USAGE` for a folder;
 * `WIRETAPE_CASSETTE_INVALID` or `WIRETAPE_CASSETTE_VERSION` with the place, for a blob that is missing or
 * of another length than is listed too.
 */
export async function loadCassette(file: string): Promise<Tape> {
  const cassette = await readCassetteFile(file)
  return { cassette, blobs: blobsIn(await readBlobs(cassette)) }
}

/**
 * Reads a cassette without its blobs: what it says, not what it plays.
 *
 * @throws WiretapeError what {@link loadCassette} throws, but for blobs.
 */
export async function readCassetteFile(file: string): Promise<Cassette> {
  return parseCassette(cassetteText(await readCassetteBytes(file), { file }), { file })
}

/** The bytes of a cassette file. Throws `WIRETAPE_CASSETTE_MISSING`, `WIRETAPE_USAGE`. */
export async function readCassetteBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (cause) {
    if (isFileError(cause, 'ENOENT')) {
      throw new WiretapeError('WIRETAPE_CASSETTE_MISSING', `There is no cassette at ${file}.`, {
        hint: `Record it: wiretape record ${file} -- COMMAND`,
        details: { file },
        cause,
      })
    }
    if (isFileError(cause, 'EISDIR')) {
      throw new WiretapeError('WIRETAPE_USAGE', `${file} is a folder, not a cassette.`, {
        hint: `Name the cassettes in it: ${join(file, 'NAME.cassette.yaml')}`,
        details: { file },
        cause,
      })
    }
    throw cause
  }
}

/**
 * The blobs of a cassette, from inside the file where it is packed.
 *
 * @throws WiretapeError `WIRETAPE_CASSETTE_INVALID` for one that is missing or of another length than is listed.
 */
export async function readBlobs(cassette: Cassette): Promise<ReadonlyMap<string, Uint8Array>> {
  const blobs = cassette.blobs ?? (await readBlobFolder(cassette))
  checkBlobs(cassette, name => blobs.get(name)?.length)
  return blobs
}

async function readBlobFolder({ file, documents }: Cassette): Promise<ReadonlyMap<string, Uint8Array>> {
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
    if (isFileError(cause, 'ENOENT') || isFileError(cause, 'ENOTDIR')) return undefined
    throw cause
  }
}

function isFileError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
