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
import { commandWord } from '../cassette/command-word.ts'
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
    hint: `Take it apart first: wiretape unpack ${commandWord(file)}`,
    details: { file },
  })
}

/** What a recording came to, in numbers. */
const COUNTS = ['events', 'bytes', 'blobs', 'truncated', 'lost'] as const
/** See `RecordSummary`. */
export type RecordCounts = Readonly<Record<(typeof COUNTS)[number], number>>

const PLACING = 'placing.json'

/** Notes, before the last step, which text is in place after it and what the recording came to. */
export function notePlacing(file: string, text: Uint8Array, counts: RecordCounts): void {
  const path = join(journalFolder(file), PLACING)
  guarded(path, () => {
    writeFileSync(`${path}.tmp`, JSON.stringify({ sha256: hashOf(text), counts }), {
      mode: 0o600,
      flush: true,
    })
    renameSync(`${path}.tmp`, path)
  })
}

/** What a recording came to that was put in place before its recorder was killed; undefined for any other. */
export function placed(file: string): RecordCounts | undefined {
  const path = join(journalFolder(file), PLACING)
  if (!existsSync(path) || !existsSync(file)) return undefined
  const placing: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return isPlacing(placing) && placing.sha256 === hashOf(readFileSync(file)) ? placing.counts : undefined
}

/** It is renamed into place whole, but a person may have been at it. */
function isPlacing(value: unknown): value is { readonly sha256: string; readonly counts: RecordCounts } {
  if (typeof value !== 'object' || value === null || !('sha256' in value) || !('counts' in value))
    return false
  const counts: unknown = value.counts
  if (typeof counts !== 'object' || counts === null) return false
  const known = new Map(Object.entries(counts))
  return COUNTS.every(name => typeof known.get(name) === 'number')
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
