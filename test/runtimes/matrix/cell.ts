/** One cell of the matrix: what a runtime does with a cassette, in marks that can be held to what is known of it. */
import { loadCassette } from '../../../src/store/load.ts'
import { judge, type Verdict } from '../invariants/judge.ts'
import type { Scenario } from '../invariants/run.ts'
import { wireOf } from '../invariants/wire.ts'
import { caseFile, caseOf, type Case } from './case.ts'
import type { Runtime } from './registry.ts'
import type { Outcome } from './run-one.ts'
import { scenarioOf } from './scenario.ts'

/** A cell. */
export interface Cell {
  readonly runtime: Runtime
  /** The cassette's. */
  readonly name: string
  /**
   * The invariants that are broken, in their order; or one word where there is nothing to judge: `error` for a program
   * that printed no transcript, `hung` for one that did not end, `unsupported` for one that says that it can't, or does not ask for what the recording is about.
   */
  readonly marks: readonly string[]
  /** What each invariant says that applies. */
  readonly verdicts: readonly Verdict[]
  /** Why there is nothing to judge; else empty. */
  readonly said: string
}

/** A case and what follows from its cassette. */
export interface PreparedCase extends Case {
  readonly scenario: Scenario
  readonly wire: ReturnType<typeof wireOf>
}

/** Reads a case of the catalogue. */
export async function prepared(name: string): Promise<PreparedCase> {
  const loaded = await loadCassette(caseFile(name))
  const read = caseOf(loaded.cassette, loaded.blobs)
  return { ...read, scenario: scenarioOf(read), wire: wireOf(loaded) }
}

/** The cells of runtimes that can act what they were played. */
export function supported(cells: readonly Cell[]): readonly Cell[] {
  return cells.filter(({ marks }) => !marks.includes('unsupported'))
}

/** What came of a run, judged. */
export function cellOf(runtime: Runtime, { name, scenario, wire }: PreparedCase, outcome: Outcome): Cell {
  const { how, transcript, said, received, failures, leftovers, notes } = outcome
  if (how !== 'ran' || transcript === undefined) {
    return { runtime, name, marks: [how === 'ran' ? 'error' : how], verdicts: [], said }
  }
  if (!hasAsked(scenario, received)) {
    const lack = 'it does not ask for arguments in pieces, so the service would not send them'
    return { runtime, name, marks: ['unsupported'], verdicts: [], said: lack }
  }
  const verdicts = judge({ scenario, transcript, wire, received, failures, leftovers, notes }).filter(
    verdict => verdict.outcome !== 'not-applicable',
  )
  const marks = verdicts.filter(verdict => verdict.outcome === 'broken').map(verdict => verdict.number)
  return { runtime, name, marks, verdicts, said: '' }
}

/** False where the service sends pieces because it was asked to, and this runtime has not: then it has no part in them. */
function hasAsked({ streamArguments }: Scenario, received: Outcome['received']): boolean {
  const asks = /"(?:streamFunctionCallArguments|stream_function_call_arguments)":true/
  return !streamArguments || received.some(({ body }) => asks.test(JSON.stringify(body ?? '')))
}
