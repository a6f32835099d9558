/** Judges a run by every invariant. */
import { idsConstant } from './call-ids.ts'
import { CALLS } from './calls.ts'
import { CONNECTIONS } from './connections.ts'
import { historySent } from './history.ts'
import { INTERACTIONS } from './interactions.ts'
import { LIVE_CALLS } from './live-calls.ts'
import { LIVE } from './live.ts'
import { META } from './meta.ts'
import { PARTIAL } from './partial.ts'
import { pendingIsStored } from './pending.ts'
import type { Finding, Invariant, Run } from './run.ts'
import { SIGNATURES } from './signatures.ts'
import { STREAM } from './stream.ts'
import { TEXT } from './text.ts'

/** Every invariant that can be judged, in the order of their numbers. */
export const invariants: readonly Invariant[] = [
  ...TEXT,
  pendingIsStored,
  ...PARTIAL,
  ...CALLS,
  idsConstant,
  ...SIGNATURES,
  ...LIVE_CALLS,
  ...LIVE,
  ...CONNECTIONS,
  historySent,
  ...STREAM,
  ...INTERACTIONS,
  ...META,
].toSorted((one, other) => Number(one.number.slice(1)) - Number(other.number.slice(1)))

/** What one invariant says of one run. */
export interface Verdict {
  /** E.g. `I10`. */
  readonly number: string
  readonly outcome: 'holds' | 'broken' | 'not-applicable'
  /** What breaks it; empty unless it is broken. */
  readonly findings: readonly Finding[]
}

/** What every invariant says of the run, in order. */
export function judge(run: Run): readonly Verdict[] {
  return invariants.map(invariant => {
    const findings = invariant.judge(run)
    if (findings === undefined) return { number: invariant.number, outcome: 'not-applicable', findings: [] }
    return { number: invariant.number, outcome: findings.length === 0 ? 'holds' : 'broken', findings }
  })
}
