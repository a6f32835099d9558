/**
 * From the journal of a recording to its cassette: composed, rendered, read back, held against the
 * journal, and only then put in place.
 *
 * The same at the end of a recording and after a crash, and repeatable at every step: until the cassette
 * is in place nothing that was there before is touched, and only then the journal goes.
 *
 * Room: store.
 */
import { FORMAT, type Header } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { cassetteText } from '../cassette/parse-text.ts'
import { renderCassette } from '../cassette/render.ts'
import { clientOf } from '../dialect/headers.ts'
import { WiretapeError } from '../errors.ts'
import { baseOf, notePlacing, placed, type Base, type RecordCounts } from './episodes.ts'
import { stageCassette, type StagedCassette } from './files.ts'
import { removeJournal, takeJournal, type Journal, type Session } from './journal.ts'
import { logPaths, logsMissing } from './logs.ts'
import { differenceOf, recordedLogs, writeExchange, type RecordedLog } from './recorded-log.ts'
import { refuseKeys } from './written-keys.ts'

const LF = 10

/** What a recording came to. */
export interface RecordSummary {
  /** The cassette. */
  readonly file: string
  /** How many it holds. */
  readonly exchanges: number
  /** Events and raw pieces of streamed answers, and messages of sockets. */
  readonly events: number
  /** Bytes of the answers' bodies, and of messages, both ways. */
  readonly bytes: number
  /** Files with media beside it. */
  readonly blobs: number
  /** Exchanges that the end of the recording cut short. */
  readonly truncated: number
  /** Bytes of bodies that were relayed but held back from the journal when the recorder was killed; else 0. */
  readonly lost: number
}

/**
 * Makes the cassette of a recording that is over, and removes its journal.
 *
 * Where nothing was recorded nothing is written, and a cassette that is there already stays as it is.
 *
 * @throws `WIRETAPE_WRITE`, `WIRETAPE_JOURNAL_INVALID`, `WIRETAPE_SECRET`; the journal stays, for {@link recover}.
 */
export function finishRecording(file: string, journal: Journal): RecordSummary {
  try {
    return finish(file, journal.session, journal.count)
  } finally {
    journal.release()
  }
}

/**
 * Makes the cassette of a recording that was cut short, from the journal that it left.
 *
 * @param options - `by`: who recovers, for the header, where the journal does not say who recorded.
 * @throws `WIRETAPE_USAGE` where there is no journal, `WIRETAPE_CASSETTE_LOCKED` while it is being recorded,
 * `WIRETAPE_JOURNAL_INVALID`, `WIRETAPE_SECRET`, `WIRETAPE_WRITE`.
 */
export function recover(
  file: string,
  options: { readonly by?: string | undefined } = {},
): Promise<RecordSummary> {
  // A promise that rejects, whatever is wrong.
  return Promise.resolve().then(() => {
    const { session, lock } = takeJournal(file)
    try {
      return finish(file, { ...session, by: session.by ?? options.by })
    } finally {
      lock.release()
    }
  })
}

/** @param count - How many logs there must be, where that is known. */
function finish(file: string, session: Session, count = 0): RecordSummary {
  const found = logPaths(file).length
  if (found < count) throw logsMissing(file, count - found, count)
  const logs = recordedLogs(file)
  const counts =
    logs.length > 0
      ? (placed(file) ?? writeCassette(file, session, logs))
      : { events: 0, bytes: 0, blobs: 0, truncated: 0, lost: 0 }
  removeJournal(file)
  return { file, exchanges: logs.length, ...counts }
}

/** Exchange by exchange, so that no more than one is in memory; of a socket no more than a message. */
function writeCassette(file: string, session: Session, logs: readonly RecordedLog[]): RecordCounts {
  const base = baseOf(file, session)
  const staged = stageCassette(file, base?.blobs)
  try {
    writeHeader(file, headerOf(session, logs), staged, base)
    const written = logs.map((log, index) => {
      const number = (base?.exchanges ?? 0) + index + 1
      const from = staged.write('---\n')
      const exchange = writeExchange(log, number, staged, from)
      refuseKeys(file, number, staged, from)
      const difference = differenceOf(log, exchange, staged, file)
      if (difference !== undefined) throw unfaithful(file, `in exchange ${number}, ${difference}`)
      return exchange
    })
    const counts = {
      events: sum(written.map(({ events }) => events)),
      bytes: sum(written.map(({ bytes }) => bytes)),
      blobs: staged.names.size,
      truncated: written.filter(({ end }) => end.how === 'truncated').length,
      lost: sum(written.map(({ lost }) => lost)),
    }
    if (base !== undefined) notePlacing(file, staged.bytes(0, staged.write('')), counts)
    staged.place()
    return counts
  } catch (cause) {
    staged.discard()
    throw cause
  }
}

/** What is there already and the header behind it, read back together: nothing of the one may run into the other. */
function writeHeader(file: string, header: Header, staged: StagedCassette, base: Base | undefined): void {
  if (base !== undefined) {
    staged.write(base.bytes)
    staged.write(base.bytes.at(-1) === LF ? '---\n' : '\n---\n')
  }
  const to = staged.write(renderCassette([{ type: 'header', header }]))
  const { documents } = parseCassette(cassetteText(staged.bytes(0, to), { file }), { file })
  const expected = (base?.documents ?? 0) + 1
  if (documents.length === expected) return
  throw unfaithful(file, `${documents.length} documents are read back, not ${expected}`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function headerOf({ recorded, by, note }: Session, logs: readonly RecordedLog[]): Header {
  const client = logs.map(({ head }) => clientOf(head.headers)).find(name => name !== undefined)
  return { cassette: FORMAT, recorded, by, client, note }
}

function unfaithful(file: string, difference: string): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_WRITE',
    `The cassette ${file} would not play what was recorded: ${difference}. It was not written.`,
    {
      hint: 'This is a mistake in Wiretape. The journal is kept: please report it, with what kind of answer it was.',
      details: { file, difference },
    },
  )
}
