/**
 * What another day's recording is appended to, and how it is known that this was done.
 *
 * Writing a whole cassette twice gives the same file; appending twice does not. So just before the new text is put
 * in its place the journal notes what it is: whoever finishes after a crash sees whether that was the last step.
 *
 * Room: store.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCassette } from '../cassette/parse.ts'
import { cassetteText } from '../cassette/parse-text.ts'
import { WiretapeError } from '../errors.ts'
import { guarded } from './disk-error.ts'
import type { Session } from './journal.ts'
import { blobFolder, journalFolder } from './paths.ts'

/** What is there already. It stays, byte for byte. */
export interface Base {
  readonly bytes: Uint8Array
  /** How many exchanges it has. */
  readonly exchanges: number
  /** How many documents. */
  readonly documents: number
  /** The files in its blob folder that are to stay. */
  readonly blobs: ReadonlySet<string>
}

/** The files in the blob folder of a cassette: what a recording that is appended must leave there. */
export function blobsBeside(file: string): readonly string[] {
  const folder = blobFolder(file)
  return existsSync(folder) ? readdirSync(folder) : []
}

/**
 * What a recording is appended to; undefined where it is not, or where there is nothing.
 *
 * @throws `WIRETAPE_CASSETTE_INVALID`, `WIRETAPE_CASSETTE_VERSION` where it can't be read; `WIRETAPE_USAGE` where
 * it is packed: its blobs are its last document.
 */
export function baseOf(file: string, { append }: Session): Base | undefined {
  if (append === undefined || !existsSync(file)) return undefined
  const bytes = guarded(file, () => readFileSync(file))
  const { documents, blobs } = parseCassette(cassetteText(bytes, { file }), { file })
  if (blobs !== undefined) throw packed(file)
  const exchanges = documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
  return {
    bytes,
    exchanges: exchanges.length,
    documents: documents.length,
    blobs: new Set([...append, ...exchanges.flatMap(exchange => Object.keys(exchange.blobs ?? {}))]),
  }
}

/** The error for a packed cassette that is to be appended to. */
export function packed(file: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', `${file} is packed, so nothing can be appended to it.`, {
    hint: `Take it apart first: wiretape unpack ${file}`,
    details: { file },
  })
}

/** What the journal notes before the last step: the text that is then in place, and what it came to. */
interface Placing<Summary> {
  readonly sha256: string
  readonly summary: Summary
}

const PLACING = 'placing.json'

/** Notes that a text is about to be put in place. */
export function notePlacing<Summary>(file: string, text: Uint8Array, summary: Summary): void {
  const path = join(journalFolder(file), PLACING)
  const placing: Placing<Summary> = { sha256: hashOf(text), summary }
  guarded(path, () => {
    writeFileSync(`${path}.tmp`, JSON.stringify(placing), { mode: 0o600, flush: true })
    renameSync(`${path}.tmp`, path)
  })
}

/** What a recording came to that was put in place before its recorder was killed; undefined for any other. */
export function placed<Summary>(file: string): Summary | undefined {
  const path = join(journalFolder(file), PLACING)
  if (!existsSync(path) || !existsSync(file)) return undefined
  // It is ours, and renamed into place whole.
  const placing = JSON.parse(readFileSync(path, 'utf8')) as Placing<Summary>
  return placing.sha256 === hashOf(readFileSync(file)) ? placing.summary : undefined
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
