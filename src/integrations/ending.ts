/**
 * The end of a tape: what is said of a recording, and what is thrown at whoever used it.
 *
 * Room: integrations.
 */
import { relative } from 'node:path'
import { WiretapeError } from '../errors.ts'
import { counted } from '../replay/report.ts'
import { withForgotten } from '../serve/forgotten-steps.ts'
import type { StartedTape } from './start-tape.ts'
import type { TapeReport } from './tape.ts'
import type { MadeCassette } from './use-cassette.ts'

/** The report of a tape that has ended; says what was recorded. Throws the verdict where there is one. */
export function judged(
  file: string | MadeCassette,
  { isRecording, verdictOf }: Pick<StartedTape, 'isRecording' | 'verdictOf'>,
  report: TapeReport,
): TapeReport {
  // A recording that was placed is there, whatever else was wrong. Only what has a path is ever recorded.
  if (isRecording && typeof file === 'string' && report.recorded > 0) tellRecorded(file, report.recorded)
  const verdict = withForgotten(verdictOf(report), report.notes)
  if (verdict !== undefined) throw verdict
  return report
}

/** Without frames, which are all of this package: inside a `SuppressedError` they would be most of what is shown. */
export function rethrowBare(error: unknown): never {
  if (WiretapeError.is(error)) {
    const value = `${error.name}: ${error.message}`
    Object.defineProperty(error, 'stack', { value, configurable: true, writable: true })
  }
  throw error
}

const told = new Set<string>()

/** Says on stderr that a cassette was recorded: once, however many tests of the process record it. */
function tellRecorded(file: string, exchanges: number): void {
  const path = relative(process.cwd(), file)
  if (told.has(path)) return
  told.add(path)
  process.stderr.write(`Recorded ${path}: ${counted(exchanges, 'exchange')}.\n`)
}
