/**
 * The error that a replay's report amounts to, for whoever wants a replay to fail by throwing.
 *
 * Room: serve.
 */
import { WiretapeError } from '../errors.ts'
import type { ReplayReport } from '../replay/report.ts'

/** How many leftovers a message lists. */
const LISTED = 3

/** `WIRETAPE_NO_MATCH` or `WIRETAPE_UNFINISHED`, with all that the report says; undefined if all went well. */
export function verdictOf(report: ReplayReport): WiretapeError | undefined {
  const { failures, leftovers, exchanges } = report
  const details = { failures, leftovers }
  if (failures.length > 0) {
    const left = leftovers.length === 0 ? [] : [leftOver(report)]
    return new WiretapeError(
      'WIRETAPE_NO_MATCH',
      [...failures.map(({ message }) => message), ...left].join('\n\n'),
      { details },
    )
  }
  if (leftovers.length === 0) return undefined
  return new WiretapeError('WIRETAPE_UNFINISHED', leftOver(report), {
    hint:
      exchanges === leftovers.length
        ? 'Did the app reach the server at all? Look at the base URL that it was given.'
        : 'If the app is right not to ask for them, record again.',
    details,
  })
}

function leftOver({ leftovers, exchanges }: ReplayReport): string {
  const more = leftovers.length > LISTED ? [`  and ${leftovers.length - LISTED} more`] : []
  return [
    `The recording was not used up: ${leftovers.length} of ${exchanges} exchanges are left.`,
    ...leftovers.slice(0, LISTED).map(({ message }) => `  ${message}`),
    ...more,
  ].join('\n')
}
