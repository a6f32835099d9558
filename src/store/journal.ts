/**
 * The journal of a recording: a folder with a log per exchange, written before anything is relayed.
 *
 * Writes are synchronous on purpose: what has been relayed must be in the file, also for a process that is
 * killed the moment after. One record batch is one `writev`.
 *
 * Room: store.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writevSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { commandWord } from '../cassette/command-word.ts'
import { WiretapeError } from '../errors.ts'
import { encodeRecords, type JournalRecord } from '../record/journal.ts'
import { guarded, isCode } from './disk-error.ts'
import { takeLock, type Lock } from './lock.ts'
import { logPaths } from './logs.ts'
import { makeFolders, removeMadeFolders } from './made-folders.ts'
import { journalFolder } from './paths.ts'

/** What is known of a recording as a whole; it becomes the cassette's header. */
export interface Session {
  /** RFC 3339, UTC, in seconds. */
  readonly recorded: string
  readonly by?: string | undefined
  readonly note?: string | undefined
  /** It goes behind what the cassette has already; the names are those of the blobs that were there before. */
  readonly append?: readonly string[] | undefined
}

/** The log of one exchange: its file in the journal. */
export interface ExchangeLog {
  /** Its number, from 1, in order of start. */
  readonly number: number
  /** Writes a batch of records. @throws `WIRETAPE_WRITE` */
  append(records: readonly JournalRecord[]): void
  /** Nothing is appended after this. */
  close(): void
}

/** The journal folder of a recording that is under way. */
export interface Journal {
  readonly session: Session
  /** Starts the log of the next exchange. @throws `WIRETAPE_WRITE` */
  open(): ExchangeLog
  /** How many logs were started. */
  readonly count: number
  /** Lets another process go on with the folder, which stays: for `wiretape recover`. */
  release(): void
  /** Removes the folder, and those above it that were made for it, if they are empty: the recording never began. */
  discard(): void
}

/** Written before anything is relayed, removed first of all: a folder without it holds nothing worth keeping. */
const SESSION = 'session.json'
const LOCK = 'lock'

/**
 * Makes the journal folder of a new recording.
 *
 * @param file - The cassette that it will become.
 * @throws `WIRETAPE_CASSETTE_LOCKED` while another process records it, `WIRETAPE_USAGE` where a journal was
 * left by a recorder that was killed, `WIRETAPE_WRITE` where the folder can't be made.
 */
export function createJournal(file: string, session: Session): Journal {
  const folder = journalFolder(file)
  const lock = guarded(folder, () => {
    makeFolder(folder)
    return takeLock(join(folder, LOCK), file)
  })
  try {
    // One that nothing was recorded into has nothing to recover.
    if (existsSync(join(folder, SESSION)) && logPaths(file).length > 0) throw leftBehind(file, folder)
    guarded(folder, () => {
      removeRest(folder)
      const beside = join(folder, `${SESSION}.tmp`)
      writeFileSync(beside, `${JSON.stringify(session)}\n`, { mode: 0o600 })
      renameSync(beside, join(folder, SESSION))
    })
  } catch (cause) {
    lock.release()
    throw cause
  }
  let count = 0
  return {
    session,
    open() {
      count += 1
      return openLog(folder, count)
    },
    get count() {
      return count
    },
    release() {
      guarded(folder, () => lock.release())
      // Nothing was recorded, and so nothing is there.
      removeMadeFolders(dirname(folder))
    },
    discard() {
      removeJournal(file)
      lock.release()
      removeMadeFolders(dirname(folder))
    },
  }
}

/** A journal folder that was left behind, and the lock on it. */
export interface LeftJournal {
  readonly session: Session
  readonly lock: Lock
}

/**
 * Takes over the journal folder of a recording that has stopped.
 *
 * @throws `WIRETAPE_CASSETTE_LOCKED` while it is being recorded, `WIRETAPE_USAGE` where there is none.
 */
export function takeJournal(file: string): LeftJournal {
  const folder = journalFolder(file)
  if (!existsSync(join(folder, SESSION))) throw nothingLeft(file, folder)
  const lock = guarded(folder, () => takeLock(join(folder, LOCK), file))
  return { session: readSession(join(folder, SESSION)), lock }
}

/** Removes the folder, once the cassette is in place. Killed in the middle, it leaves nothing to recover. */
export function removeJournal(file: string): void {
  const folder = journalFolder(file)
  guarded(folder, () => {
    rmSync(join(folder, SESSION), { force: true })
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Private, for what is in it is not yet looked over by anyone; its parents are as folders usually are. */
function makeFolder(folder: string): void {
  makeFolders(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    if (!isCode(cause, 'EEXIST')) throw cause
  }
}

/** What a journal without its session file has left, but for locks: another recorder may be about to take one. */
function removeRest(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(LOCK)) rmSync(join(folder, name), { force: true })
  }
}

function nothingLeft(file: string, folder: string): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_USAGE',
    `There is nothing to recover for ${file}: no journal in ${folder}.`,
    {
      hint: 'Name the cassette that was being recorded, e.g. `wiretape recover session.cassette.yaml`.',
      details: { file },
    },
  )
}

function leftBehind(file: string, folder: string): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_USAGE',
    `A recording of ${file} was cut short and is not finished yet.`,
    {
      hint: `Run \`wiretape recover ${commandWord(file)}\` to make a cassette of it, or remove ${folder}.`,
      details: { file, journal: folder },
    },
  )
}

function readSession(path: string): Session {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw invalidSession(path, cause)
  }
  if (isSession(value)) return value
  throw invalidSession(path, undefined)
}

function invalidSession(path: string, cause: unknown): WiretapeError {
  return new WiretapeError('WIRETAPE_JOURNAL_INVALID', `The journal's ${path} can't be read.`, {
    hint: 'It was changed after it was written. Put `{"recorded":"2026-01-31T12:00:00Z"}` into it to go on.',
    details: { path },
    cause,
  })
}

function isSession(value: unknown): value is Session {
  return (
    typeof value === 'object' && value !== null && 'recorded' in value && typeof value.recorded === 'string'
  )
}

function openLog(folder: string, number: number): ExchangeLog {
  const path = join(folder, `${String(number).padStart(4, '0')}.log`)
  const descriptor = guarded(path, () => openSync(path, 'ax', 0o600))
  let open = true
  return {
    number,
    append(records) {
      guarded(path, () => {
        writeAll(descriptor, encodeRecords(records))
      })
    },
    close() {
      if (open) closeSync(descriptor)
      open = false
    },
  }
}

/** One `writev`; only where the system took less than all of it, another for the rest. */
function writeAll(descriptor: number, pieces: readonly Uint8Array[]): void {
  let rest = pieces
  while (rest.length > 0) {
    let written = writevSync(descriptor, rest)
    rest = rest.flatMap(piece => {
      const taken = Math.min(written, piece.length)
      written -= taken
      return taken === piece.length ? [] : [piece.subarray(taken)]
    })
  }
}
