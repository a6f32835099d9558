/**
 * Which recorded exchanges come nearest to a request that has no match, and why each of them is none.
 *
 * Room: replay.
 */
import leven from 'leven'
import { type Cause, cause } from '../dialect/cause.ts'
import { explainOperation } from '../dialect/cause-operation.ts'
import { operationOf } from '../dialect/operation.ts'
import type { Asked } from './asked.ts'
import { type ComparableBody, isSameBody } from './body.ts'
import { differences, type FoundDifference } from './difference.ts'
import { LOOKED_AT, nearestOf, USED } from './nearest.ts'
import { distance, partings } from './parting.ts'
import type { Recorded } from './recorded.ts'
import type { Selection } from './selection.ts'

/** A recorded exchange that is nearly what was asked for. */
export interface NearMiss {
  readonly recorded: Recorded
  /** How often it was asked for so far. */
  readonly uses: number
  /** Why it does not answer the request, the likeliest cause first; never empty. */
  readonly causes: readonly Cause[]
  /** Where the bodies differ. */
  readonly found: readonly FoundDifference[]
}

/** How many values of two bodies are compared to tell which exchange is nearer. */
const WEIGHED = 20_000

/** How much of an operation's spelling is compared, in characters. */
const SPELLED = 200

/** What it counts that an exchange has another operation: as much as one other field. */
const ELSEWHERE = 1

/** The nearest exchanges, nearest first: of the same operation, or else of those that may have been meant. */
export function nearMisses(
  asked: Asked,
  selection: Selection,
  redact: (text: string) => string,
): readonly NearMiss[] {
  const same = selection.sameOperation(asked)
  const candidates = same.length > 0 ? same : neighbours(asked, selection)
  const open = candidates.filter(recorded => selection.isOpen(recorded))
  const used = candidates.filter(recorded => !selection.isOpen(recorded))
  // Where not all are looked at, those that may still be asked for are.
  return nearestOf([...open, ...used], recorded => farness(recorded, asked, selection)).map(recorded => ({
    recorded,
    uses: selection.uses(recorded),
    causes: causesOf(recorded, asked),
    found: differences(recorded.body(), asked.body(), redact),
  }))
}

/** The recorded operations, each once, the one that is spelled most like it first. */
export function operationsNear(asked: Asked, selection: Selection): readonly string[] {
  const operations = [...new Set(selection.all.map(({ operation }) => operation))].slice(0, LOOKED_AT)
  const spelled = asked.operation.slice(0, SPELLED)
  const far = new Map(operations.map(operation => [operation, leven(operation.slice(0, SPELLED), spelled)]))
  return operations.toSorted((one, other) => (far.get(one) ?? 0) - (far.get(other) ?? 0))
}

/** Exchanges of other operations that may have been meant: another model, a stream instead of a whole answer. */
function neighbours(asked: Asked, selection: Selection): readonly Recorded[] {
  return selection.all.filter(({ operation }) => explainOperation(operation, asked.operation).near)
}

function farness(recorded: Recorded, asked: Asked, selection: Selection): number {
  const [one, other] = [recorded.body(), asked.body()]
  const elsewhere = recorded.operation === asked.operation ? 0 : ELSEWHERE
  const used = selection.isOpen(recorded) ? 0 : USED
  if (one.type !== other.type) return 1 + elsewhere + used
  return bodiesApart(one, other) + elsewhere + used
}

function bodiesApart(one: ComparableBody, other: ComparableBody): number {
  if (one.type === 'json' && other.type === 'json') return distance(partings(one.value, other.value, WEIGHED))
  if (one.type === 'text' && other.type === 'text') return distance(partings(one.text, other.text))
  return one.type === 'bytes' ? 1 : 0
}

function causesOf(recorded: Recorded, asked: Asked): readonly Cause[] {
  const elsewhere =
    recorded.operation === asked.operation
      ? []
      : [explainOperation(recorded.operation, asked.operation).cause]
  const causes = [...elsewhere, ...bodyCauses(recorded, asked)]
  if (causes.length > 0) return causes
  const says =
    typeof recorded.match === 'string'
      ? 'the body is another'
      : 'the `match` function says that it is another'
  return [cause('body-changed', says)]
}

function bodyCauses(recorded: Recorded, asked: Asked): readonly Cause[] {
  const [one, other] = [recorded.body(), asked.body()]
  if (isSameBody(one, other)) return []
  if (one.type === 'json' && other.type === 'json') {
    return operationOf(recorded.exchange.request).dialect.explain(one.value, other.value)
  }
  if (one.type === other.type) return [cause('body-changed', 'the body is another')]
  if (other.type === 'none') return [cause('body-missing', 'the request has no body')]
  if (one.type === 'none') return [cause('body-unexpected', 'the request has a body, recorded is none')]
  return one.type === 'json'
    ? [cause('body-not-json', 'the body is no JSON')]
    : [cause('body-changed', 'the body is of another kind')]
}
