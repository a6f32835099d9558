/**
 * From the journal of a recording to its cassette: composed, rendered, read back, held against the
 * journal, and only then put in place.
 *
 * The same at the end of a recording and after a crash, and repeatable at every step: until the cassette
 * is in place nothing that was there before is touched, and only then the journal goes.
 *
 * Room: store.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { composeExchange } from '../cassette/compose.ts'
import { FORMAT, type CassetteDocument, type Exchange, type Header } from '../cassette/model.ts'
import { parseCassette } from '../cassette/parse.ts'
import { playExchange } from '../cassette/play.ts'
import { renderCassette } from '../cassette/render.ts'
import { firstDifference } from '../cassette/verify.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { clientOf } from '../dialect/headers.ts'
import { operationOf } from '../dialect/operation.ts'
import { KEY_RULES } from '../dialect/secrets.ts'
import { WiretapeError } from '../errors.ts'
import { readJournal } from '../record/journal.ts'
import { settle } from '../record/settle.ts'
import { transcribe } from '../record/transcribe.ts'
import { createRedactor } from '../redact/redactor.ts'
import type { WireExchange } from '../wire/exchange.ts'
import { placeCassette } from './files.ts'
import { removeJournal, takeJournal, type Journal, type Session } from './journal.ts'
import { logsMissing, readLogs } from './logs.ts'
import { journalFolder } from './paths.ts'

/** What a recording came to. */
export interface RecordSummary {
  /** The cassette. */
  readonly file: string
  /** How many it holds. */
  readonly exchanges: number
  /** Events and raw pieces of streamed answers. */
  readonly events: number
  /** Bytes of the answers' bodies. */
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
 * Where nothing was recorded, a cassette that is there already stays as it is.
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
function finish(file: string, session: Session, count?: number): RecordSummary {
  const recorded = readRecorded(file)
  if (count !== undefined && recorded.logs < count) throw logsMissing(file, count - recorded.logs, count)
  const blobs = new Map<string, Uint8Array>()
  const documents = recorded.exchanges.map((exchange): Exchange => {
    const composed = composeExchange(exchange, dialectOf(exchange), nameBlob)
    for (const { name, bytes } of composed.blobs) blobs.set(name, bytes)
    return composed.exchange
  })
  if (recorded.exchanges.length > 0 || !existsSync(file)) {
    const text = renderCassette([
      { type: 'header', header: headerOf(session, recorded.exchanges) },
      ...documents.map((exchange): CassetteDocument => ({ type: 'exchange', exchange })),
    ])
    refuseKeys(file, text)
    verify(file, text, recorded.exchanges, blobs)
    placeCassette(file, { text, blobs })
  }
  removeJournal(file)
  return {
    file,
    exchanges: documents.length,
    events: documents.reduce((sum, { response }) => sum + (response?.events?.length ?? 0), 0),
    bytes: recorded.exchanges.reduce((sum, exchange) => sum + bodySize(exchange), 0),
    blobs: blobs.size,
    truncated: documents.filter(({ end }) => end.how === 'truncated').length,
    lost: recorded.lost,
  }
}

interface Recorded {
  readonly exchanges: readonly WireExchange[]
  readonly lost: number
  readonly logs: number
}

function readRecorded(file: string): Recorded {
  const exchanges: WireExchange[] = []
  let lost = 0
  let logs = 0
  for (const { path, bytes } of readLogs(file)) {
    logs += 1
    const transcript = transcribe(readJournal(bytes, path).records)
    if (transcript === undefined) continue
    exchanges.push(settle(transcript.exchange))
    lost += transcript.lost
  }
  return { exchanges, lost, logs }
}

function headerOf({ recorded, by, note }: Session, exchanges: readonly WireExchange[]): Header {
  const client = exchanges.map(({ request }) => clientOf(request.headers)).find(name => name !== undefined)
  return { cassette: FORMAT, recorded, by, client, note }
}

function dialectOf({ request }: WireExchange): Dialect {
  return operationOf(request).dialect
}

function bodySize({ response }: WireExchange): number {
  return response?.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0
}

/** What is spelled in escapes is not seen as a key when it comes by, but a value is written in plain. */
function refuseKeys(file: string, text: string): void {
  const look = createRedactor(KEY_RULES).body()
  const bytes = Buffer.from(text)
  const [found] = [...look.push(bytes).replaced, ...look.end().replaced]
  if (found === undefined) return
  const exchange = bytes.toString('latin1', 0, found.at).split('\n---\n').length - 1
  throw new WiretapeError(
    'WIRETAPE_SECRET',
    `A key in exchange ${exchange} is spelled so that it can't be replaced (in escapes): ${file} was not written.`,
    {
      hint: `Keep the key out of what the app sends or gets, remove ${journalFolder(file)}, which holds it, and record again.`,
      details: { file, exchange },
    },
  )
}

/** What will be read is what was recorded, or nothing is written. */
function verify(
  file: string,
  text: string,
  recorded: readonly WireExchange[],
  blobs: ReadonlyMap<string, Uint8Array>,
): void {
  const read = parseCassette(text, { file }).documents.flatMap(document =>
    document.type === 'exchange' ? [document.exchange] : [],
  )
  if (read.length !== recorded.length) throw unfaithful(file, `${read.length} exchanges are read back`)
  for (const [index, exchange] of recorded.entries()) {
    const document = read[index]
    if (document === undefined) continue
    const played = playExchange(document, dialectOf(exchange), name => blobs.get(name))
    const difference = firstDifference(exchange, played)
    if (difference !== undefined) throw unfaithful(file, `in exchange ${index + 1}, ${difference}`)
  }
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

/** A name from the content: the same media has the same file, and no name ever stands for other bytes. */
function nameBlob(bytes: Uint8Array, mimeType: string): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.${extensionOf(mimeType)}`
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/l16', 'pcm'],
  ['image/jpeg', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['text/plain', 'txt'],
  ['application/octet-stream', 'bin'],
])

/** So that a double click opens it: the subtype, where it is one word, is what most tools go by. */
function extensionOf(mimeType: string): string {
  const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? ''
  const subtype = type.split('/')[1]?.replace(/^x-/, '') ?? ''
  return EXTENSIONS.get(type) ?? (/^[a-z0-9]{1,8}$/.test(subtype) ? subtype : 'bin')
}
