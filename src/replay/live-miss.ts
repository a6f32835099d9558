/**
 * Why no recorded connection answers a socket: which of them begin most like it, and where they differ.
 *
 * Room: replay.
 */
import { type Cause, cause } from '../dialect/cause.ts'
import type { ClientInput, SocketDialect } from '../dialect/live-messages.ts'
import { shorten } from './difference.ts'
import type { Comparers } from './live-comparers.ts'
import type { InputDifference } from './live-difference.ts'
import {
  differenceLines,
  ignoreHint,
  labelOf,
  otherRecording,
  type Refusal,
  refusal,
} from './live-failure.ts'
import type { ShelfEntry } from './live-shelf.ts'
import { causesText } from './miss.ts'
import { nearestOf, USED } from './nearest.ts'
import { distance, partings } from './parting.ts'

/** A recorded connection that begins nearly as a socket does. */
export interface NearConnection {
  readonly entry: ShelfEntry
  /** Why it is not the one; never empty. */
  readonly causes: readonly Cause[]
  /** Where its first message differs; undefined where that is not what is wrong. */
  readonly difference: InputDifference | undefined
}

/** Why a first message found nothing. */
export interface NoChoice {
  readonly why: string
  /** Nearest first. */
  readonly near: readonly NearConnection[]
}

/** What it counts that a connection begins with another kind of message. */
const OTHER_KIND = 10

/** An entry of the shelf with what it begins with. */
export interface Opening {
  readonly entry: ShelfEntry
  /** The first thing that the client said. */
  readonly first: ClientInput
  readonly state: 'open' | 'used' | 'too early'
  /** True if it begins as the socket does, but for its turn. */
  readonly fits: boolean
}

/** The connections that begin most like `received`, nearest first. */
export function nearConnections(
  openings: readonly Opening[],
  received: ClientInput,
  comparers: Comparers,
  dialect: SocketDialect,
): readonly NearConnection[] {
  return nearestOf(openings, opening => farness(opening, received)).map(opening =>
    near(opening, received, comparers, dialect),
  )
}

function farness({ first, state, fits }: Opening, received: ClientInput): number {
  if (fits) return 0
  const used = state === 'used' ? USED : 0
  if (first.type === 'media' || received.type === 'media' || first.type !== received.type) {
    return OTHER_KIND + used
  }
  return distance(partings(first.value, received.value)) + used
}

function near(
  { entry, first, state, fits }: Opening,
  received: ClientInput,
  comparers: Comparers,
  dialect: SocketDialect,
): NearConnection {
  if (fits) {
    const why =
      state === 'used'
        ? cause('same-request-again', 'it is the same connection again')
        : cause('out-of-order', 'it is asked out of order')
    return { entry, causes: [why], difference: undefined }
  }
  if (first.type === 'media' || received.type === 'media') {
    const words = `it begins with ${labelOf(received)}, recorded with ${labelOf(first)}`
    return { entry, causes: [cause('message-kind-changed', words)], difference: undefined }
  }
  const causes = dialect.explain(first, received)
  if (causes.length > 0) return { entry, causes, difference: comparers.exact.difference(first, received) }
  return {
    entry,
    causes: [cause('session-handle-changed', 'it resumes another session')],
    difference: handleDifference(handleOf(first), handleOf(received)),
  }
}

/** No recorded connection begins as this one does. `file`: a cassette with sockets, if there is one. */
export function unmatchedConnection(
  operation: string,
  input: ClientInput,
  { why, near: [nearest, ...others] }: NoChoice,
  file: string | undefined,
  redact: (text: string) => string,
): Refusal {
  const difference = nearest?.difference
  const causes = nearest === undefined ? why : causesText(nearest.causes, redact)
  return refusal(
    'WIRETAPE_NO_MATCH',
    [
      `No recorded connection begins as this one of ${shorten(operation, 100)} does: ${causes}.`,
      ...(nearest === undefined ? [] : [`  nearest:    ${placeOf(nearest)}`]),
      ...(difference === undefined ? [] : differenceLines(difference)),
      ...others.map(other => `  or:         ${placeOf(other)}: ${causesText(other.causes, redact)}`),
      ...(nearest === undefined ? [] : adviceOn(nearest)),
      otherRecording(nearest?.entry.source.file ?? file),
    ],
    difference === undefined
      ? why
      : `${difference.path}: recorded ${difference.recorded}, received ${difference.received}`,
    {
      operation,
      cause: nearest?.causes[0]?.name ?? 'operation-unknown',
      input: labelOf(input),
      why,
      ...difference,
      nearMisses: [...(nearest === undefined ? [] : [nearest]), ...others].map(one => factsOf(one, redact)),
    },
  )
}

function adviceOn({ entry, causes: [first], difference }: NearConnection): readonly string[] {
  if (first?.name === 'same-request-again') {
    return [
      `If the client may connect that often, set \`repeat: ${entry.uses + 1}\` (or \`always\`) on that exchange.`,
    ]
  }
  if (first?.advice !== undefined) return [first.advice]
  return difference === undefined ? [] : ignoreHint(difference)
}

function placeOf({ entry }: NearConnection): string {
  return `${entry.script.name}, ${entry.uses === 0 ? 'not asked for yet' : 'had its turn'}`
}

function factsOf({ entry, causes, difference }: NearConnection, redact: (text: string) => string): object {
  const { file, number, exchange } = entry.source
  return {
    file,
    exchange: number,
    line: exchange.line,
    uses: entry.uses,
    cause: causes[0]?.name,
    words: causes.map(({ words }) => redact(words)),
    ...(difference === undefined ? {} : { difference }),
  }
}

function handleOf(input: ClientInput): string | undefined {
  return input.type === 'discrete' ? input.resumes : undefined
}

/** Handles are credentials: which one it is, is not shown. */
function handleDifference(recorded: string | undefined, received: string | undefined): InputDifference {
  return {
    path: 'the handle it resumes',
    pointer: undefined,
    plain: false,
    differences: 1,
    recorded: recorded === undefined ? 'none' : 'one',
    received: received === undefined ? 'none' : 'another',
  }
}
