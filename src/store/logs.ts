/**
 * Reads the logs of a journal back, and says when some are gone.
 *
 * Room: store.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandWord } from '../cassette/command-word.ts'
import { WiretapeError } from '../errors.ts'
import { journalFolder } from './paths.ts'

const LOG = /^(\d+)\.log$/

/** The paths of the logs in the journal of a cassette, in order of start. */
export function logPaths(file: string): readonly string[] {
  const folder = journalFolder(file)
  return reading(folder, () => readdirSync(folder))
    .flatMap(name => LOG.exec(name)?.[1] ?? [])
    .toSorted((left, right) => Number(left) - Number(right))
    .map(number => join(folder, `${number}.log`))
}

/** Runs what reads a journal. @throws `WIRETAPE_JOURNAL_INVALID` where it can't be read. */
export function reading<Result>(path: string, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WiretapeError('WIRETAPE_JOURNAL_INVALID', `The journal can't be read: ${reason}`, {
      hint: 'It was removed or made unreadable while it was recorded. Put it back and run `wiretape recover`, or record again.',
      details: { path },
      cause,
    })
  }
}

/** The error for a journal of which logs are gone. */
export function logsMissing(file: string, missing: number, count: number): WiretapeError {
  const folder = journalFolder(file)
  return new WiretapeError(
    'WIRETAPE_JOURNAL_INVALID',
    `Of ${count} exchanges in the journal ${folder} ${missing} are missing: something has removed them.`,
    {
      hint: `Put them back, or go without: \`wiretape recover ${commandWord(file)}\` makes a cassette of the others.`,
      details: { file, missing, exchanges: count },
    },
  )
}
