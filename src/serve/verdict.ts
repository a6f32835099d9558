/**
 * The error that a replay's report amounts to, for whoever wants a replay to fail by throwing.
 *
 * Room: serve.
 */
import { type ErrorCode, WiretapeError } from '../errors.ts'
import { type Leftover, LEFTOVER_KINDS, type LeftoverKind } from '../replay/report.ts'

/** What a verdict is made of: a report has it. */
export interface Judged {
  readonly requests: number
  readonly failures: readonly { readonly code: ErrorCode; readonly message: string }[]
  readonly leftovers: readonly Leftover[]
}

/** How many leftovers a message lists. */
const LISTED = 3

/** The first failure's code, or `WIRETAPE_UNFINISHED`, with all that the report says; undefined if all went well. */
export function verdictOf(report: Judged): WiretapeError | undefined {
  const { failures, leftovers } = report
  const details = { failures, leftovers }
  const [first] = failures
  if (first !== undefined) {
    const left = leftovers.length === 0 ? [] : [leftoverText(report, LISTED)]
    const message = [...failures.map(failure => failure.message), ...left].join('\n\n')
    return new WiretapeError(first.code, message, { details })
  }
  if (leftovers.length === 0) return undefined
  return new WiretapeError('WIRETAPE_UNFINISHED', leftoverText(report, LISTED), {
    hint: leftoverHint(report),
    details,
  })
}

/** What to do about leftovers where no request was refused. */
export function leftoverHint({ requests }: Pick<Judged, 'requests'>): string {
  return requests === 0
    ? 'Did the app use what it was given, e.g. the base URL?'
    : 'If the app is right to ask for less, record again.'
}

/** What a replay has left over: how many of each kind, then the first `most` things, a line for each. */
export function leftoverText({ leftovers }: Pick<Judged, 'leftovers'>, most: number): string {
  return [
    `The recording was not used up: ${kindsText(leftovers)}. Left are:`,
    ...leftovers.slice(0, most).map(({ message }) => `  ${message}`),
    ...(leftovers.length > most ? [`  and ${leftovers.length - most} more`] : []),
  ].join('\n')
}

/** How each kind of leftover is told, of one and of several. */
const KINDS: Readonly<Record<LeftoverKind, readonly [one: string, several: string]>> = {
  'never-asked': ['exchange was never asked for', 'exchanges were never asked for'],
  abandoned: ['stream was abandoned', 'streams were abandoned'],
  'never-reached': ['socket was left before its end', 'sockets were left before their end'],
  'never-sent': ['socket was left with something unsent', 'sockets were left with something unsent'],
}

function kindsText(leftovers: readonly Leftover[]): string {
  return LEFTOVER_KINDS.flatMap(kind => {
    const count = leftovers.filter(left => left.kind === kind).length
    return count === 0 ? [] : [`${count} ${KINDS[kind][count === 1 ? 0 : 1]}`]
  }).join(', ')
}
