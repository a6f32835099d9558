/**
 * The log of one exchange, which is a file of the journal: records as bytes, and bytes back into records.
 *
 * A record is a line of JSON and, where it says `bytes`, that many raw bytes and a line feed. It counts
 * when its last line feed is there: a recorder that is killed leaves a torn tail, never a torn record in
 * the middle. What the records mean is in `observe.ts` and `transcribe.ts`.
 *
 * Room: record.
 */
import type { Instant } from '../clock.ts'
import { WiretapeError } from '../errors.ts'
import type { EndKind } from '../wire/exchange.ts'
import { END_KINDS } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'
import { isJsonObject, parseJson } from '../wire/json.ts'
import { decodeUtf8, encodeUtf8 } from '../wire/text.ts'

/** The journal layout that this version writes and reads. */
export const JOURNAL_FORMAT = 1

/** A stretch that was redacted: `[offset in the original, length there, length of its placeholder]`, in bytes. */
export type ReplacedStretch = readonly [at: number, was: number, is: number]

/** The first record: the request's head. `at` counts from the start of the recording, every other `at` from here. */
export interface HeadLine {
  readonly journal: typeof JOURNAL_FORMAT
  readonly at: Instant
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
}

/** A piece of the request's body, by its own size, or its end. Its bytes may come with a later record. */
export interface SentLine {
  readonly at: Instant
  readonly sent: number | 'end'
  readonly replaced?: readonly ReplacedStretch[] | undefined
}

/** The head of the answer. */
export interface ResponseLine {
  readonly at: Instant
  readonly status: number
  readonly reason: string
  readonly headers: HeaderList
}

/** A chunk of the answer's body. `chunk` is its own size on the wire; its bytes may come with a later record. */
export interface ChunkLine {
  readonly at: Instant
  readonly chunk: number
  readonly replaced?: readonly ReplacedStretch[] | undefined
}

/** The end of the exchange, with the bytes of the answer that were still held back. */
export interface EndLine {
  readonly at: Instant
  readonly end: 'complete' | EndKind
  readonly trailers: HeaderList
  readonly replaced?: readonly ReplacedStretch[] | undefined
}

/** What a record says. Told apart by the keys that only one of them has. */
export type JournalLine = HeadLine | SentLine | ResponseLine | ChunkLine | EndLine

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
  return records.flatMap(({ line, bytes }) =>
    bytes === undefined || bytes.length === 0
      ? [encodeUtf8(`${JSON.stringify(line)}\n`)]
      : [encodeUtf8(`${JSON.stringify({ ...line, bytes: bytes.length })}\n`), bytes, LINE_FEED],
  )
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
  while (start < log.length) {
    const lineEnd = log.indexOf(LF, start)
    if (lineEnd === -1) break
    const read = readLine(log.subarray(start, lineEnd))
    if (read === undefined || 'journal' in read.line !== (records.length === 0)) throw damaged(file, start)
    if (read.bytes === 0) {
      records.push({ line: read.line })
      start = lineEnd + 1
      continue
    }
    const end = lineEnd + 1 + read.bytes
    if (end >= log.length) break
    if (log[end] !== LF) throw damaged(file, start)
    records.push({ line: read.line, bytes: log.subarray(lineEnd + 1, end) })
    start = end + 1
  }
  return { records, torn: log.length - start }
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

type Fields = Readonly<Record<string, unknown>>

function isJournalLine(line: Fields): line is Fields & JournalLine {
  if (!isTime(line['at'])) return false
  if ('journal' in line) {
    return (
      line['journal'] === JOURNAL_FORMAT &&
      typeof line['method'] === 'string' &&
      typeof line['url'] === 'string' &&
      isHeaderList(line['headers'])
    )
  }
  if ('status' in line) {
    return isCount(line['status']) && typeof line['reason'] === 'string' && isHeaderList(line['headers'])
  }
  const { replaced = [] } = line
  if (!Array.isArray(replaced) || !replaced.every(isStretch)) return false
  if ('sent' in line) return line['sent'] === 'end' || isCount(line['sent'])
  if ('chunk' in line) return isCount(line['chunk'])
  return isEnd(line['end']) && isHeaderList(line['trailers'])
}

function isEnd(value: unknown): boolean {
  return value === 'complete' || END_KINDS.some(kind => kind === value)
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isStretch(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every(isCount)
}

function isHeaderList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      pair => Array.isArray(pair) && pair.length === 2 && pair.every(part => typeof part === 'string'),
    )
  )
}
