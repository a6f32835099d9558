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
import type { BlobSource, Exchange } from '../cassette/model.ts'
import { playExchange } from '../cassette/play.ts'
import { renderDocument } from '../cassette/render.ts'
import { createSideFiles, extensionOf } from '../cassette/side-files.ts'
import { createSocketCheck, createSocketDocument, type SocketHead } from '../cassette/socket-document.ts'
import { firstDifference } from '../cassette/verify.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { SocketDialect } from '../dialect/live-messages.ts'
import { operationOf } from '../dialect/operation.ts'
import { readJournal, type HeadLine, type JournalRecord } from '../record/journal.ts'
import { settle } from '../record/settle.ts'
import { closeIn, messageIn } from '../record/transcribe-socket.ts'
import { endIn, requestOf, transcribe, type Transcript } from '../record/transcribe.ts'
import type { End, WireClose } from '../wire/exchange.ts'
import type { StagedCassette } from './files.ts'
import { logPaths } from './journal.ts'
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

/** What an exchange came to. */
export interface WrittenExchange {
  /** Events and raw pieces, or messages. */
  readonly events: number
  /** Bytes of them, or of the body. */
  readonly bytes: number
  readonly lost: number
  readonly end: End
}

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

/** Writes the document of an answer, and its blobs. */
export function writeAnswer(log: RecordedLog, number: number, staged: StagedCassette): WrittenExchange {
  const { exchange, lost } = transcriptOf(log)
  const composed = composeExchange(exchange, dialectOf(log.head), nameBlob, number)
  for (const { name, bytes } of composed.blobs) staged.keep(name, bytes)
  staged.write(renderDocument({ type: 'exchange', exchange: composed.exchange }))
  const bytes = exchange.response?.chunks.reduce((total, chunk) => total + chunk.bytes.length, 0) ?? 0
  return { events: composed.exchange.response?.events?.length ?? 0, bytes, lost, end: exchange.end }
}

/** What differs first between a journal and its document as it was read back; undefined where nothing does. */
export function answerDifference(
  log: RecordedLog,
  document: Exchange,
  blobs: BlobSource,
): string | undefined {
  return firstDifference(transcriptOf(log).exchange, playExchange(document, dialectOf(log.head), blobs))
}

function transcriptOf({ path, head }: RecordedLog): Transcript {
  const transcript = transcribe(readJournal(readFileSync(path), path).records)
  // It had a head a moment ago.
  if (transcript === undefined) throw new Error(`The journal ${path} of ${head.url} has changed.`)
  return { ...transcript, exchange: settle(transcript.exchange) }
}

/** Writes the document of a socket, and appends its media to files of its own. */
export function writeSocket(log: SocketLog, number: number, staged: StagedCassette): WrittenExchange {
  const files = createSideFiles(number, staged.isTaken, staged.append)
  const document = createSocketDocument(headOf(log), log.dialect, files)
  let events = 0
  let bytes = 0
  let last: JournalRecord | undefined
  staged.write(document.start)
  for (const record of readRecords(log.path)) {
    last = record
    const message = messageIn(record)
    const close = closeIn(record)
    if (close !== undefined) staged.write(document.close(close))
    if (message === undefined) continue
    staged.write(document.message(message))
    events += 1
    bytes += message.bytes.length
  }
  const end = endIn(last)
  staged.write(document.rest(end))
  staged.settle()
  return { events, bytes, lost: 0, end }
}

/** The same as {@link answerDifference}, for a socket. */
export function socketDifference(log: SocketLog, document: Exchange, blobs: BlobSource): string | undefined {
  const check = createSocketCheck(headOf(log), log.dialect, document, blobs)
  let close: WireClose | undefined
  let last: JournalRecord | undefined
  let difference = check.start()
  for (const record of readRecords(log.path)) {
    if (difference !== undefined) return difference
    last = record
    const message = messageIn(record)
    close ??= closeIn(record)
    if (message !== undefined) difference = check.message(message)
  }
  return difference ?? check.rest(close, endIn(last))
}

function headOf({ head }: SocketLog): SocketHead {
  return { at: head.at, request: requestOf(head, undefined) }
}

/** A name from the content: the same media has the same file, and no name ever stands for other bytes. */
function nameBlob(bytes: Uint8Array, mimeType: string): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${extensionOf(mimeType)}`
}
