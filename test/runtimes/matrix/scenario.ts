/**
 * What an app does on a recording, derived from the cassette: its turns, its tools and their results, its
 * connections. A runtime's program acts it out.
 */
import type { Scenario } from '../invariants/run.ts'
import type { Case, CaseExchange } from './case.ts'
import { interactionsScenario } from './scenario-interactions.ts'
import { liveScenario } from './scenario-live.ts'
import { modelsScenario } from './scenario-models.ts'

/** The scenario of a cassette. Throws for one that has no exchange of an API that is known. */
export function scenarioOf(one: Case): Scenario {
  const first = one.exchanges[0]
  const common = { name: one.name, backend: backendOf(first) }
  switch (first?.kind) {
    case 'generate-content':
      return { ...common, ...modelsScenario(one) }
    case 'interactions':
      return { ...common, ...interactionsScenario(one) }
    case 'live':
      return { ...common, ...liveScenario(one) }
    default:
      throw new Error(
        `${one.file} begins with ${first?.kind ?? 'nothing'}: no runtime has such an API. Put an exchange of generate-content, interactions or live first.`,
      )
  }
}

function backendOf(exchange: CaseExchange | undefined): Scenario['backend'] {
  return new URL(exchange?.url ?? 'https://none').hostname.endsWith('aiplatform.googleapis.com')
    ? 'vertex'
    : 'gemini'
}
