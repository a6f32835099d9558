/**
 * Reads a cassette from disk. Its blobs must be there, whole; what they hold is read when it is played.
 *
 * Room: store.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseCassette } from '../cassette/parse.ts'
import { checkBlobs } from '../cassette/parse-blobs.ts'
import { cassetteText } from '../cassette/parse-text.ts'
import { WiretapeError } from '../errors.ts'
import type { Tape } from '../replay/recorded.ts'
import { blobFiles, fileLength } from './blob-files.ts'
import { blobFolder, journalFolder } from './paths.ts'

/**
 * Loads a cassette.
 *
 * @param file - Its path; messages name it so.
 * @throws WiretapeError `WIRETAPE_CASSETTE_MISSING` where there is none, `WIRETAPE_USAGE` for a folder;
 * `WIRETAPE_CASSETTE_INVALID` or `WIRETAPE_CASSETTE_VERSION` with the place, for a blob that is missing or
 * of another length than is listed too.
 */
export async function loadCassette(file: string): Promise<Tape> {
  const cassette = parseCassette(cassetteText(await readCassette(file), { file }), { file })
  const folder = blobFolder(file)
  // The reader refuses names that lead out of the folder; this is the last door.
  const pathOf = (name: string): string | undefined =>
    name === basename(name) ? join(folder, name) : undefined
  checkBlobs(cassette, name => {
    const path = pathOf(name)
    return path === undefined ? undefined : fileLength(path)
  })
  return { cassette, blobs: blobFiles(pathOf) }
}

async function readCassette(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (cause) {
    if (isFileError(cause, 'ENOENT')) {
      throw new WiretapeError('WIRETAPE_CASSETTE_MISSING', `There is no cassette at ${file}.`, {
        hint: existsSync(journalFolder(file))
          ? `A recording of it was not finished: wiretape recover ${file}`
          : `Record it: wiretape record ${file} -- COMMAND`,
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

function isFileError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
