/**
 * The journal of one exchange as what it becomes: the text of its document, its blobs, and the check that
 * they play what the journal holds.
 *
 * An answer is read as a whole; a socket message by message, twice: to write it, and to check it.
 *
 * Room: store.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { composeExchange } from '../cassette/compose.ts'
import { DEFAULT_LIMITS } from '../cassette/limits.ts'
import { FORMAT, type BlobSource, type Exchange } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { playExchange } from '../cassette/play.ts'
import { renderDocument } from '../cassette/render.ts'
import { createSideFiles, extensionOf } from '../cassette/side-files.ts'
import { createSocketCheck, createSocketDocument, type SocketHead } from '../cassette/socket-document.ts'
import { firstDifference } from '../cassette/verify.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { SocketDialect } from '../dialect/live-messages.ts'
import { operationOf } from '../dialect/operation.ts'
import { readJournal, type JournalRecord } from '../record/journal.ts'
import type { HeadLine } from '../record/journal-line.ts'
import { settle } from '../record/settle.ts'
import { closeIn, messageIn } from '../record/transcribe-socket.ts'
import { endIn, requestOf, transcribe, type Transcript } from '../record/transcribe.ts'
import type { End, WireClose } from '../wire/exchange.ts'
import { concatBytes, decodeUtf8, encodeUtf8 } from '../wire/text.ts'
import type { StagedCassette } from './files.ts'
import { logPaths, reading } from './logs.ts'
import { readRecords } from './records.ts'

/** The journal of an exchange of which at least the request's head was written. */
export type RecordedLog =
  | { readonly kind: 'answer'; readonly path: string; readonly head: HeadLine }
  | {
      readonly kind: 'socket'
      readonly path: string
      readonly head: HeadLine
      readonly dialect: SocketDialect
    }

/** The same, of a socket that was opened. */
type SocketLog = Extract<RecordedLog, { kind: 'socket' }>

/** A stretch of the cassette's text, in bytes. */
type Stretch = readonly [from: number, to: number]

/** What an exchange came to. */
export interface WrittenExchange {
  /** Events and raw pieces, or messages. */
  readonly events: number
  /** Bytes of them, or of the body. */
  readonly bytes: number
  readonly lost: number
  readonly end: End
  /**
   * Where its text is, in parts that are documents: all that is in several is what comes before and behind a
   * socket's messages.
   */
  readonly parts: readonly (readonly Stretch[])[]
}

/** From this length on the messages of a socket are read back in several parts, in bytes. */
const PART = 8_192

/** The journals of a recording, in order of start. @throws WIRETAPE_JOURNAL_INVALID */
export function recordedLogs(file: string): readonly RecordedLog[] {
  return logPaths(file).flatMap(path => recordedLog(path) ?? [])
}

function recordedLog(path: string): RecordedLog | undefined {
  let head: HeadLine | undefined
  for (const { line } of readRecords(path)) {
    if ('journal' in line) head = line
    else if (!('sent' in line)) {
      const { socket } = head === undefined ? {} : dialectOf(head)
      if (head !== undefined && socket !== undefined && 'open' in line) {
        return { kind: 'socket', path, head, dialect: socket }
      }
      break
    }
  }
  return head && { kind: 'answer', path, head }
}

function dialectOf(request: { readonly method: string; readonly url: string }): Dialect {
  return operationOf(request).dialect
}

/** Writes the document of an exchange from `from` on, and its blobs. */
export function writeExchange(
  log: RecordedLog,
  number: number,
  staged: StagedCassette,
  from: number,
): WrittenExchange {
  return log.kind === 'socket'
    ? writeSocket(log, number, staged, from)
    : writeAnswer(log, number, staged, from)
}

/** What differs first between a journal and what was written, as it is read back; undefined where nothing does. */
export function differenceOf(
  log: RecordedLog,
  { parts }: WrittenExchange,
  staged: StagedCassette,
  file: string,
): string | undefined {
  const documents = readParts(parts, staged, file)
  if (log.kind === 'socket') return socketDifference(log, documents, staged.blobs)
  const { value: document } = documents.next()
  if (document === undefined) return 'nothing is read back'
  return firstDifference(
    transcriptOf(log).exchange,
    playExchange(document, dialectOf(log.head), staged.blobs),
  )
}

/** What makes a cassette of a part. */
const HEADER = encodeUtf8(`cassette: ${FORMAT}\n---\n`)
/** Each value is looked at once. */
const READ_BACK = { ...DEFAULT_LIMITS, kept: 0 }

function* readParts(
  parts: WrittenExchange['parts'],
  staged: StagedCassette,
  file: string,
): Generator<Exchange, undefined> {
  for (const stretches of parts) {
    const text =
      decodeUtf8(concatBytes([HEADER, ...stretches.map(([from, to]) => staged.bytes(from, to))])) ?? ''
    const [, document, other] = parseCassette(text, { file, limits: READ_BACK }).documents
    if (document?.type !== 'exchange' || other !== undefined) return undefined
    yield document.exchange
  }
  return undefined
}

function writeAnswer(
  log: RecordedLog,
  number: number,
  staged: StagedCassette,
  from: number,
): WrittenExchange {
  const { exchange, lost } = transcriptOf(log)
  const composed = composeExchange(exchange, dialectOf(log.head), nameBlob, number)
  for (const { name, bytes } of composed.blobs) staged.keep(name, bytes)
  const to = staged.write(renderDocument({ type: 'exchange', exchange: composed.exchange }))
  const bytes = exchange.response?.chunks.reduce((total, chunk) => total + chunk.bytes.length, 0) ?? 0
  const events = composed.exchange.response?.events?.length ?? 0
  return { events, bytes, lost, end: exchange.end, parts: [[[from, to]]] }
}

function transcriptOf({ path, head }: RecordedLog): Transcript {
  const transcript = transcribe(
    readJournal(
      reading(path, () => readFileSync(path)),
      path,
    ).records,
  )
  // It had a head a moment ago.
  if (transcript === undefined) throw new Error(`The journal ${path} of ${head.url} has changed.`)
  return { ...transcript, exchange: settle(transcript.exchange) }
}

/** Its media is appended to files of its own as it is read. */
function writeSocket(log: SocketLog, number: number, staged: StagedCassette, from: number): WrittenExchange {
  const files = createSideFiles(
    number,
    name => staged.isTaken(name),
    (name, bytes) => staged.append(name, bytes),
  )
  const document = createSocketDocument(headOf(log), log.dialect, files)
  const first = staged.write(document.start)
  const pages: Stretch[] = []
  let events = 0
  let bytes = 0
  let begin = first
  let at = first
  let last: JournalRecord | undefined
  for (const record of readRecords(log.path)) {
    last = record
    const message = messageIn(record)
    const close = closeIn(record)
    if (close !== undefined) at = staged.write(document.close(close))
    if (message === undefined) continue
    if (at - begin >= PART) {
      pages.push([begin, at])
      begin = at
    }
    at = staged.write(document.message(message))
    events += 1
    bytes += message.bytes.length
  }
  pages.push([begin, at])
  const end = endIn(last)
  const rest: Stretch = [at, staged.write(document.rest(end))]
  staged.settle()
  // The first page begins with the key of the list.
  const key: Stretch = [first, first + document.key.length]
  const parts = pages.map(
    (page, index) => [[from, first], ...(index === 0 ? [] : [key]), page, rest] as const,
  )
  return { events, bytes, lost: 0, end, parts }
}

function socketDifference(
  log: SocketLog,
  documents: Iterator<Exchange, undefined>,
  blobs: BlobSource,
): string | undefined {
  const check = createSocketCheck(headOf(log), log.dialect, documents, blobs)
  let close: WireClose | undefined
  let last: JournalRecord | undefined
  for (const record of readRecords(log.path)) {
    last = record
    const message = messageIn(record)
    close ??= closeIn(record)
    const difference = message && check.message(message)
    if (difference !== undefined) return difference
  }
  return check.rest(close, endIn(last))
}

function headOf({ head }: SocketLog): SocketHead {
  return { at: head.at, request: requestOf(head, undefined) }
}

/** A name from the content: the same media has the same file, and no name ever stands for other bytes. */
function nameBlob(bytes: Uint8Array, mimeType: string): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${extensionOf(mimeType)}`
}
