/**
 * What the lines of a journal say, and how one is told from a line of anything else.
 *
 * Room: record.
 */
import type { Instant } from '../clock.ts'
import type { EndKind } from '../wire/exchange.ts'
import { END_KINDS } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'

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

/** The fields of a line. */
type Fields = Readonly<Record<string, unknown>>

/** True for the fields of a line that this version writes; `bytes` aside. */
export function isJournalLine(line: Fields): line is Fields & JournalLine {
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

/** True for a whole number, 0 or more. */
export function isCount(value: unknown): value is number {
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
