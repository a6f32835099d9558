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

/** The upgrade succeeded: what follows are messages. */
export interface OpenLine {
  readonly at: Instant
  readonly open: true
}

/** One message of a socket, whole; its bytes, redacted, come with it. */
export interface MessageLine {
  readonly at: Instant
  readonly from: 'client' | 'server'
  readonly op: 'text' | 'binary'
}

/** The first close frame. `code` is left out where it had none. */
export interface CloseLine {
  readonly at: Instant
  readonly close: {
    readonly by: 'client' | 'server'
    readonly code?: number | undefined
    readonly reason: string
  }
}

/** The end of the exchange, with the bytes of the answer that were still held back. */
export interface EndLine {
  readonly at: Instant
  readonly end: 'complete' | EndKind
  readonly trailers: HeaderList
  readonly replaced?: readonly ReplacedStretch[] | undefined
}

/** What a record says. Told apart by the keys that only one of them has. */
export type JournalLine =
  | HeadLine
  | SentLine
  | ResponseLine
  | ChunkLine
  | OpenLine
  | MessageLine
  | CloseLine
  | EndLine

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
  if ('open' in line) return line['open'] === true
  if ('from' in line) return isSide(line['from']) && (line['op'] === 'text' || line['op'] === 'binary')
  if ('close' in line) return isClose(line['close'])
  const { replaced = [] } = line
  if (!Array.isArray(replaced) || !replaced.every(isStretch)) return false
  if ('sent' in line) return line['sent'] === 'end' || isCount(line['sent'])
  if ('chunk' in line) return isCount(line['chunk'])
  return isEnd(line['end']) && isHeaderList(line['trailers'])
}

function isEnd(value: unknown): boolean {
  return value === 'complete' || END_KINDS.some(kind => kind === value)
}

function isSide(value: unknown): boolean {
  return value === 'client' || value === 'server'
}

function isClose(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    'by' in value &&
    isSide(value.by) &&
    (!('code' in value) || isCount(value.code)) &&
    'reason' in value &&
    typeof value.reason === 'string'
  )
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
