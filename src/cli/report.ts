/**
 * What a person reads: a line for each exchange, and at the end what was recorded, or what was played and
 * where the app differed.
 *
 * Room: cli.
 */
import type { WiretapeError } from '../errors.ts'
import type { PlayedExchange } from '../replay/http.ts'
import type { ReplayReport } from '../replay/report.ts'
import type { RecordServer } from '../serve/record-server.ts'
import type { FolderProgress } from '../serve/folder-runs.ts'
import type { ReplayProgress } from '../serve/replay-session.ts'
import type { FinishedExchange } from '../serve/recorder.ts'
import { leftoverHint, leftoverText } from '../serve/verdict.ts'
import type { RecordSummary } from '../store/finish.ts'
import { byteSize, count, type Paint } from './output.ts'

/** An exchange that has just been recorded. */
export function recordedLine(
  { operation, status, bytes, ms, outcome, cause }: FinishedExchange,
  paint: Paint,
): string {
  const facts = [status ?? 'no answer', byteSize(bytes), `${Math.round(ms)} ms`]
  return line(operation, facts, outcome, paint) + (cause === undefined ? '' : `  ${cause}\n`)
}

/** An exchange that has just been played. */
export function playedLine({ operation, status, bytes, outcome }: PlayedExchange, paint: Paint): string {
  return line(operation, [status ?? 'no answer', byteSize(bytes)], outcome, paint)
}

function line(operation: string, facts: readonly (string | number)[], outcome: string, paint: Paint): string {
  const end = outcome === 'complete' ? '' : `  ${paint('red', outcome)}`
  return `${operation}  ${paint('dim', facts.join('  '))}${end}\n`
}

/** What a recorder is doing now. */
export function recordStatus({ open, finished, bytes }: ReturnType<RecordServer['progress']>): string {
  return `recording: ${open} open, ${finished} finished, ${byteSize(bytes)}`
}

/** What a replay server is doing now. */
export function replayStatus({ exchanges, played, failures }: ReplayProgress | FolderProgress): string {
  return [`replaying: ${played} of ${count(exchanges, 'exchange')} played`, ...failedParts(failures)].join(
    ', ',
  )
}

/** What is now in the cassette. */
export function recordReport(verb: 'Recorded' | 'Recovered', summary: RecordSummary, paint: Paint): string {
  const { file, exchanges, events, bytes, blobs, truncated, lost } = summary
  const parts = [count(exchanges, 'exchange'), count(events, 'event'), byteSize(bytes)]
  if (blobs > 0) parts.push(count(blobs, 'blob'))
  if (truncated > 0) parts.push(`${truncated} cut short by the end of the recording`)
  if (lost > 0) parts.push(`${count(lost, 'byte')} lost that might have been the beginning of a secret`)
  return `${paint('green', verb)} ${file}: ${parts.join(', ')}.\n`
}

/** True if the app did exactly what it did on the recording. */
export function isFaithful({
  failures,
  leftovers,
}: {
  readonly failures: readonly unknown[]
  readonly leftovers: readonly unknown[]
}): boolean {
  return failures.length === 0 && leftovers.length === 0
}

/** Each failure and each leftover with all that is known of it, then what was played. */
export function replayReport(report: ReplayReport, paint: Paint): string {
  const { exchanges, played, failures, leftovers, notes } = report
  const verdict = isFaithful(report) ? paint('green', 'Replayed') : paint('red', 'FAILED')
  const parts = [`${played} of ${count(exchanges, 'exchange')} played`]
  parts.push(...failedParts(failures))
  if (leftovers.length > 0) parts.push(`${leftovers.length} left over`)
  const blocks = [
    ...failures.map(({ code, message }) => block(code, message, paint)),
    ...(leftovers.length === 0 ? [] : [block('WIRETAPE_UNFINISHED', unfinished(report), paint)]),
    ...notes.map(note => `note: ${note}\n`),
  ]
  // Each block ends with a line feed, so a blank line stands between any two, and above the first.
  return [...(blocks.length === 0 ? [] : ['']), ...blocks, `${verdict}: ${parts.join(', ')}.\n`].join('\n')
}

/** How many failures there are of each kind; none where there is none. */
function failedParts(failures: FolderProgress['failures']): readonly string[] {
  const stalls = failures.filter(({ code }) => code === 'WIRETAPE_STALL').length
  const misses = failures.length - stalls
  return [
    ...(misses > 0 ? [`${count(misses, 'request')} without a match`] : []),
    ...(stalls > 0 ? [count(stalls, 'stall')] : []),
  ]
}

/** What is left over, and what to do about it; beside a refused request that says so already. */
function unfinished(report: ReplayReport): string {
  const { failures, leftovers } = report
  const text = leftoverText(report, leftovers.length)
  return failures.length > 0 ? text : `${text}\n\n${leftoverHint(report)}`
}

/** An error: its code where that has a section in the docs, what happened, what to do next. */
export function errorReport(error: WiretapeError, paint: Paint): string {
  return error.code === 'WIRETAPE_USAGE'
    ? `wiretape: ${error.message}\n`
    : block(error.code, error.message, paint)
}

/** A code, and indented below it what is to say. */
export function block(code: string, message: string, paint: Paint): string {
  return `${paint('red', code)}\n${message.trimEnd().replaceAll(/^(?=.)/gm, '  ')}\n`
}
