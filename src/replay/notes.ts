/**
 * Remarks of a replay: things worth knowing that fail nothing.
 *
 * Room: replay.
 */
import type { EndKind } from '../wire/exchange.ts'
import { concatBytes, equalBytes } from '../wire/text.ts'
import { answers } from './selection.ts'
import { exchangeName, type Recorded } from './recorded.ts'
import type { Playback } from './playback.ts'

const CUTS: Readonly<Record<EndKind, string>> = {
  'client-abort': 'was left by its client on the recording',
  'upstream-reset': 'was cut by the service on the recording',
  'upstream-error': 'got no proper answer on the recording',
  truncated: 'was not finished when the recording stopped',
}

/** Said of an exchange that was played to an end that is none. */
export function cutNote(recorded: Recorded, how: EndKind): string {
  return `${exchangeName(recorded)} ${CUTS[how]}: what there is was played, then the connection was cut`
}

/** Said of a client that left when it was too late to see what it left. */
export function unseenNote(recorded: Recorded): string {
  return `${exchangeName(recorded)}: its client left early, after all was sent; to see what it leaves, set \`hold: true\` on an event or replay at the recorded pace`
}

/**
 * Said where two equal requests that differ in their answers are open at once: recorded order binds, but
 * which of the two came first is chance in the app. Undefined where that is not so.
 */
export function ambiguityNote(open: Playback, { asked, recorded }: Playback): string | undefined {
  if (open.recorded === recorded) return undefined
  if (!answers(open.recorded, asked) || !answers(recorded, open.asked)) return undefined
  if (isSameAnswer(open.recorded, recorded)) return undefined
  return `ambiguous: ${exchangeName(open.recorded)} and ${exchangeName(recorded)} answer the same request differently, and both were asked for at once`
}

/** True if both answer with the same bytes; their times and edges do not count. */
function isSameAnswer(one: Recorded, other: Recorded): boolean {
  return headText(one) === headText(other) && equalBytes(bodyBytes(one), bodyBytes(other))
}

function headText({ exchange: { response, end } }: Recorded): string {
  return JSON.stringify([response?.status, response?.headers, response?.trailers, end.how])
}

function bodyBytes(recorded: Recorded): Uint8Array {
  return concatBytes(recorded.chunks().map(({ bytes }) => bytes))
}
