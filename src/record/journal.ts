/**
 * The log of one exchange, which is a file of the journal: records as bytes, and bytes back into records.
 *
 * A record is a line of JSON and, where it says `bytes`, that many raw bytes and a line feed. It counts
 * when its last line feed is there: a recorder that is killed leaves a torn tail, never a torn record in
 * the middle. What the records mean is in `observe.ts` and `transcribe.ts`.
 *
 * Room: record.
 */
import { WiretapeError } from '../errors.ts'
import { isJsonObject, parseJson } from '../wire/json.ts'
import { decodeUtf8, encodeUtf8 } from '../wire/text.ts'
import { isCount, isJournalLine, type JournalLine } from './journal-line.ts'

/** One journal record: its line, and the raw bytes that belong to it. */
export interface JournalRecord {
  readonly line: JournalLine
  readonly bytes?: Uint8Array | undefined
}

/** A log as far as it was written. */
export interface JournalReading {
  readonly records: readonly JournalRecord[]
  /** Bytes of a record whose end is missing; 0 for a log that was not cut. */
  readonly torn: number
}

const LF = 0x0a
const LINE_FEED = Uint8Array.of(LF)

/** The pieces to write for these records, in order, in one `writev`. */
export function encodeRecords(records: readonly JournalRecord[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (const { line, bytes } of records) {
    const text = JSON.stringify(line)
    if (bytes === undefined || bytes.length === 0) pieces.push(encodeUtf8(`${text}\n`))
    // Put into the text: a copy of the line with one more key takes longer than all the rest.
    else pieces.push(encodeUtf8(`${text.slice(0, -1)},"bytes":${bytes.length}}\n`), bytes, LINE_FEED)
  }
  return pieces
}

/**
 * Reads a log back, up to its last whole record.
 *
 * @param file - How messages name the log.
 * @throws `WIRETAPE_JOURNAL_INVALID` where something is wrong that a cut can't explain.
 */
export function readJournal(log: Uint8Array, file: string): JournalReading {
  const records: JournalRecord[] = []
  let start = 0
  for (;;) {
    const read = readRecord(log, start, { file, offset: 0, isFirst: start === 0 })
    if (read === undefined) return { records, torn: log.length - start }
    records.push(read.record)
    start = read.end
  }
}

/** Where a stretch of a log comes from. */
export interface JournalPlace {
  /** How messages name the log. */
  readonly file: string
  /** How many bytes of it come before the stretch. */
  readonly offset: number
  /** True for the first record of the log, which is the head. */
  readonly isFirst: boolean
}

/**
 * Reads the record that begins at `start` of a stretch of a log; undefined where its end is not in it.
 *
 * Its bytes are those of the stretch, not a copy.
 *
 * @throws `WIRETAPE_JOURNAL_INVALID` where something is wrong that a cut can't explain.
 */
export function readRecord(
  stretch: Uint8Array,
  start: number,
  { file, offset, isFirst }: JournalPlace,
): { readonly record: JournalRecord; readonly end: number } | undefined {
  const lineEnd = stretch.indexOf(LF, start)
  if (lineEnd === -1) return undefined
  const read = readLine(stretch.subarray(start, lineEnd))
  if (read === undefined || 'journal' in read.line !== isFirst) throw damaged(file, offset + start)
  if (read.bytes === 0) return { record: { line: read.line }, end: lineEnd + 1 }
  const end = lineEnd + 1 + read.bytes
  if (end >= stretch.length) return undefined
  if (stretch[end] !== LF) throw damaged(file, offset + start)
  return { record: { line: read.line, bytes: stretch.subarray(lineEnd + 1, end) }, end: end + 1 }
}

function damaged(file: string, offset: number): WiretapeError {
  return new WiretapeError('WIRETAPE_JOURNAL_INVALID', `The journal ${file} is damaged at byte ${offset}.`, {
    hint: 'It was changed after it was written. Restore it, or remove it and run `wiretape recover` for the other exchanges.',
    details: { file, offset },
  })
}

function readLine(bytes: Uint8Array): { line: JournalLine; bytes: number } | undefined {
  const text = decodeUtf8(bytes)
  if (text === undefined) return undefined
  const value = parseJson(text)
  if (!isJsonObject(value)) return undefined
  const { bytes: size = 0, ...line } = value
  return isJournalLine(line) && isCount(size) ? { line, bytes: size } : undefined
}
