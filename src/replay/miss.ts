/**
 * Says why a request has no answer: the likely cause, what came, what is recorded, where they differ, what to
 * do next. Thirty lines at most, however large the bodies are.
 *
 * Room: replay.
 */
import { type Cause, cause } from '../dialect/cause.ts'
import type { Asked } from './asked.ts'
import { type FoundDifference, oneLine, shorten } from './difference.ts'
import type { Failure } from './http.ts'
import { adviceOn } from './miss-advice.ts'
import { factsOf } from './miss-facts.ts'
import { type NearMiss, nearMisses, operationsNear } from './near-miss.ts'
import { MOST_PARTINGS } from './parting.ts'
import { exchangeName, type Recorded } from './recorded.ts'
import { counted } from './report.ts'
import { answers, type Selection } from './selection.ts'

/** What is known of a request without a match. */
export interface Miss {
  readonly asked: Asked
  /** The likeliest causes, the first one first; never empty. */
  readonly causes: readonly Cause[]
  /** Nearest first; none where nothing on the recording is like it. */
  readonly near: readonly NearMiss[]
  /** What must be asked for before the nearest one; undefined where order is not what is wrong. */
  readonly first: Recorded | undefined
  /** The recorded operations, nearest first; only where there are no near misses. */
  readonly operations: readonly string[]
}

/** How many lines a message has at most. */
const MOST_LINES = 30

/** How many other places or operations a message lists. */
const LISTED = 5
/** How long a line may be, in characters. */
const LINE = 400
/** How many causes the first line names. */
const NAMED = 2

/**
 * Describes a miss, for the client and for the report.
 *
 * @param redact - Takes secrets out of text. What came is redacted already, but for what decoding it shows.
 */
export function describeMiss(asked: Asked, selection: Selection, redact: (text: string) => string): Failure {
  const miss = missOf(asked, selection, redact)
  const lines = [
    `${headline(miss)}: ${causesText(miss.causes, redact)}.`,
    `  asked:    ${asked.operation}`,
    ...recordedLines(miss, selection, redact),
    '',
    ...adviceOn(miss, selection),
  ]
  return {
    code: 'WIRETAPE_NO_MATCH',
    message: fitted(lines),
    details: factsOf(miss, selection, redact),
  }
}

/** Describes that the user's own function could not tell whether a request is recorded. */
export function describeTrouble(asked: Asked, trouble: string): Failure {
  return {
    code: 'WIRETAPE_NO_MATCH',
    message: fitted([
      `The \`match\` function failed: ${trouble}.`,
      `  asked:    ${asked.operation}`,
      '',
      'Mend the function: it gets two requests, and must return true or false.',
    ]),
    details: { operation: asked.operation, cause: 'match-function-failed', trouble },
  }
}

/** The first line of a text. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

/** Lines as a message: none too long, and not too many. */
export function fitted(lines: readonly string[]): string {
  return lines
    .slice(0, MOST_LINES)
    .map(line => shorten(oneLine(line), LINE))
    .join('\n')
}

/** Causes as one clause. */
export function causesText(causes: readonly Cause[], redact: (text: string) => string): string {
  return redact(
    causes
      .slice(0, NAMED)
      .map(({ words }) => words)
      .join('; also '),
  )
}

function missOf(asked: Asked, selection: Selection, redact: (text: string) => string): Miss {
  const near = nearMisses(asked, selection, redact)
  const answering = selection.sameOperation(asked).filter(recorded => answers(recorded, asked))
  const open = answering.find(recorded => selection.isOpen(recorded))
  const first = open === undefined ? undefined : selection.before(open)
  const others = (one: Recorded): readonly NearMiss[] =>
    near.filter(({ recorded }) => recorded !== one).slice(0, 2)
  const answer = (recorded: Recorded, why: Cause): NearMiss => ({
    recorded,
    uses: selection.uses(recorded),
    causes: [why],
    found: [],
  })
  if (open !== undefined && first !== undefined) {
    const why = cause('out-of-order', 'it is asked out of order')
    return { asked, causes: [why], near: [answer(open, why), ...others(open)], first, operations: [] }
  }
  const [used] = answering
  if (used !== undefined) {
    const why = cause('same-request-again', 'it is the same request again')
    return {
      asked,
      causes: [why],
      near: [answer(used, why), ...others(used)],
      first: undefined,
      operations: [],
    }
  }
  const [nearest] = near
  const operations = nearest === undefined ? operationsNear(asked, selection) : []
  const causes = nearest?.causes ?? [unknownCause(selection)]
  return { asked, causes, near, first: undefined, operations }
}

function unknownCause({ all }: Selection): Cause {
  return all.length === 0
    ? cause('nothing-recorded', 'nothing is recorded at all')
    : cause('operation-unknown', 'no such operation is recorded')
}

function headline({ causes }: Miss): string {
  switch (causes[0]?.name) {
    case 'same-request-again':
      return 'The recording has no further answer to this request'
    case 'out-of-order':
      return 'This request came before its turn on the recording'
    default:
      return 'This request is not on the recording'
  }
}

function recordedLines(
  { asked, near, first, operations }: Miss,
  selection: Selection,
  redact: (text: string) => string,
): readonly string[] {
  const [nearest, ...others] = near
  if (nearest === undefined) return operationLines(operations)
  const place = (miss: NearMiss): string => placeOf(miss, asked, selection)
  return [
    `  recorded: ${place(nearest)}`,
    ...(first === undefined ? [] : [`  first:    ${first.operation}, ${exchangeName(first)}`]),
    ...foundLines(nearest.found),
    ...others.map(other => `  or:       ${place(other)}: ${causesText(other.causes, redact)}`),
  ]
}

/** Names an exchange, and says whether it was used. */
function placeOf({ recorded, uses }: NearMiss, asked: Asked, selection: Selection): string {
  const operation = recorded.operation === asked.operation ? '' : `${shorten(recorded.operation, LINE / 4)}, `
  const before = selection.before(recorded) === undefined ? '' : ', to be matched in strict order'
  return `${operation}${exchangeName(recorded)}, ${useText(uses)}${before}`
}

function foundLines(found: readonly FoundDifference[]): readonly string[] {
  const [first, ...others] = found
  if (first === undefined) return []
  const { path, recorded, received } = first.show()
  return [
    `  differs:  ${path}`,
    `    recorded: ${recorded ?? '(nothing)'}`,
    `    received: ${received ?? '(nothing)'}`,
    ...(others.length === 0
      ? []
      : [`  and at ${placesText(others.length)}: ${listed(others.map(other => other.path()))}`]),
  ]
}

/** How many other places differ; nobody counts them to the end. */
export function placesText(others: number): string {
  return others + 1 < MOST_PARTINGS ? counted(others, 'more place') : `${others} more places at least`
}

function operationLines(operations: readonly string[]): readonly string[] {
  if (operations.length === 0) return ['  recorded: nothing at all']
  const more = operations.length - LISTED
  return [
    ...operations.slice(0, LISTED).map((line, at) => `${at === 0 ? '  recorded: ' : ' '.repeat(12)}${line}`),
    ...(more > 0 ? [`${' '.repeat(12)}and ${more} more`] : []),
  ]
}

/** `not asked for yet`, `was already asked for`, `was already asked for 3 times`. */
function useText(uses: number): string {
  if (uses === 0) return 'not asked for yet'
  return uses === 1 ? 'was already asked for' : `was already asked for ${uses} times`
}

function listed(items: readonly string[]): string {
  return `${items.slice(0, LISTED).join(', ')}${items.length > LISTED ? ', ...' : ''}`
}
