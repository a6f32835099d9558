/**
 * A miss as data: JSON-safe, redacted, for programs.
 *
 * Room: replay.
 */
import type { Failure } from './http.ts'
import type { Miss } from './miss.ts'
import type { NearMiss } from './near-miss.ts'
import type { Selection } from './selection.ts'

/** How many operations are listed. */
const LISTED = 5

/** The `details` of a miss: its cause, the nearest exchange flat, and all near misses in a list. */
export function factsOf(
  { asked, causes, near, first, operations }: Miss,
  selection: Selection,
  redact: (text: string) => string,
): Failure['details'] {
  const [nearest] = near
  const base = { operation: asked.operation, cause: causes[0]?.name, causes: causes.map(({ name }) => name) }
  if (nearest === undefined) {
    return { ...base, recordedOperations: operations.slice(0, LISTED), nearMisses: [] }
  }
  return {
    ...base,
    ...placeFacts(nearest),
    ...(first === undefined ? {} : { first: first.number }),
    nearMisses: near.map(miss => ({
      ...placeFacts(miss),
      operation: miss.recorded.operation,
      used: !selection.isOpen(miss.recorded),
      cause: miss.causes[0]?.name,
      words: miss.causes.map(({ words }) => redact(words)),
    })),
  }
}

function placeFacts({ recorded, uses, found }: NearMiss): Readonly<Record<string, unknown>> {
  const [first] = found
  return {
    file: recorded.file,
    exchange: recorded.number,
    line: recorded.exchange.line,
    uses,
    ...(first === undefined ? {} : { difference: first.show(), differences: found.length }),
  }
}

/** The facts of a failure as a service's error carries them: a flat map of strings, of the nearest exchange. */
export function metadataOf({ details }: Failure): Readonly<Record<string, string>> {
  const { difference, nearMisses: _, causes: _causes, ...others } = details
  const flat = { ...others, ...(typeof difference === 'object' ? difference : {}) }
  return Object.fromEntries(
    Object.entries(flat).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  )
}
