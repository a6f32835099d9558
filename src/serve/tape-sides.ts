/**
 * Which sides of the service a recording speaks of.
 *
 * Room: serve.
 */
import { sideOf, type ServiceSide } from '../dialect/hosts.ts'
import type { Tape } from '../replay/recorded.ts'

/** The sides that the exchanges of these cassettes were recorded at. */
export function sidesOf(tapes: readonly Tape[]): ReadonlySet<ServiceSide> {
  const sides = new Set<ServiceSide>()
  for (const document of tapes.flatMap(({ cassette }) => cassette.documents)) {
    if (document.type !== 'exchange') continue
    const side = sideOf(new URL(document.exchange.request.url).hostname)
    if (side !== undefined) sides.add(side)
  }
  return sides
}
