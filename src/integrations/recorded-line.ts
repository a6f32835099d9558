/**
 * The line that says that a test has recorded: what it asked of the service is a new file, to be committed.
 *
 * Room: integrations.
 */
import { relative } from 'node:path'
import { counted } from '../replay/report.ts'

const told = new Set<string>()

/** Says on stderr that a cassette was recorded: once, however many tests of the process record it. */
export function tellRecorded(file: string, exchanges: number): void {
  const path = relative(process.cwd(), file)
  if (told.has(path)) return
  told.add(path)
  process.stderr.write(`Recorded ${path}: ${counted(exchanges, 'exchange')}.\n`)
}
