/**
 * What the service says on a cassette, decoded: exchange by exchange, payload by payload, in order.
 */
import type { JsonObject } from '../../../src/wire/json.ts'
import type { LoadedCassette } from '../../../src/replay/recorded.ts'

/** One exchange of a cassette, as far as the service's side of it goes. */
export interface WireExchange {
  /** Its position in the file, from 1. */
  readonly number: number
  readonly payloads: readonly JsonObject[]
}

/** The service's side of every exchange. */
export function wireOf(_loaded: LoadedCassette): readonly WireExchange[] {
  return []
}
