/**
 * Lints cassettes on disk, with the blobs that lie beside them.
 *
 * Room: store.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lintCassette, type Finding } from '../cassette/lint.ts'
import type { Cassette } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { cassetteText } from '../cassette/parse-text.ts'
import { WiretapeError } from '../errors.ts'
import { readCassetteBytes } from './load.ts'
import { blobFolder } from './paths.ts'

/** What is wrong with one cassette, and where it can't be read what its reader says, in full. */
export interface LintedFile {
  readonly file: string
  readonly findings: readonly Finding[]
  /** The reader's message with the lines around the mistake. */
  readonly unreadable: string | undefined
}

/** Lints one cassette. */
export async function lintFile(file: string): Promise<LintedFile> {
  const bytes = await readCassetteBytes(file)
  let text: string
  let cassette: Cassette
  try {
    text = cassetteText(bytes, { file })
    cassette = parseCassette(text, { file })
  } catch (error) {
    if (!WiretapeError.is(error)) throw error
    return unreadable(file, error)
  }
  return { file, findings: lintCassette({ cassette, text, blobs: blobsOf(cassette) }), unreadable: undefined }
}

function unreadable(file: string, { message, details }: WiretapeError): LintedFile {
  const line = typeof details['line'] === 'number' ? details['line'] : 1
  const reason = typeof details['reason'] === 'string' ? details['reason'] : message
  return { file, findings: [{ check: 'format', file, line, message: reason }], unreadable: message }
}

/** Everything in the blob folder; of a packed cassette what is in it. */
function blobsOf({ file, blobs }: Cassette): ReadonlyMap<string, Uint8Array> {
  if (blobs !== undefined) return blobs
  const folder = blobFolder(file)
  if (!existsSync(folder)) return new Map()
  return new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name))]),
  )
}
