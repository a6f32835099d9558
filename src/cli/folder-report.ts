/**
 * What a person reads at the end of a replayed folder: how each replay went, and what belonged to none.
 *
 * Room: cli.
 */
import type { RunReport } from '../serve/folder-run.ts'
import type { FolderReport } from '../serve/replay-folder.ts'
import { verdictOf } from '../serve/verdict.ts'
import { count, type Paint } from './output.ts'
import { block, isFaithful } from './report.ts'

/** A line for each replay that went well, all that is known of each that did not, and the sum of it. */
export function folderReport(report: FolderReport, paint: Paint): string {
  const { cassettes, replays, failures } = report
  const named = new Set(replays.flatMap(replay => replay.failures))
  const strays = failures.filter(failure => !named.has(failure))
  const failed = replays.filter(replay => !isFaithful(replay))
  const blocks = [
    replays
      .filter(isFaithful)
      .map(replay => faithfulText(replay, paint))
      .join(''),
    ...failed.map(replay => failedText(replay, paint)),
    ...strays.map(({ code, message }) => block(code, message, paint)),
  ].filter(text => text !== '')
  // Part of a suite may run, and so this is no failure; but it is hardly ever meant.
  if (report.replays.length === 0 && strays.length === 0)
    blocks.push('No cassette was used. Did the tests get WIRETAPE_URL?\n')
  const used = new Set(replays.map(({ file }) => file)).size
  const parts = [`${used} of ${count(cassettes, 'cassette')} used`, count(replays.length, 'replay')]
  if (failed.length > 0) parts.push(`${failed.length} failed`)
  if (strays.length > 0) parts.push(`${count(strays.length, 'request')} for no cassette`)
  const verdict = isFaithful(report) ? paint('green', 'Replayed') : paint('red', 'FAILED')
  return [...blocks, `${verdict}: ${parts.join(', ')}.\n`].join('\n')
}

function faithfulText({ name, played, exchanges, notes }: RunReport, paint: Paint): string {
  return `${paint('green', 'ok')}  ${name}: ${played} of ${count(exchanges, 'exchange')} played\n${remarks(notes)}`
}

function failedText(replay: RunReport, paint: Paint): string {
  const error = verdictOf(replay)
  const why = error === undefined ? '' : block(error.code, error.message, paint)
  return `${paint('red', 'FAILED')}  ${replay.name}\n${why}${remarks(replay.notes)}`
}

function remarks(notes: readonly string[]): string {
  return notes.map(note => `  note: ${note}\n`).join('')
}
