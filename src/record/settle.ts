/**
 * When a client that left has left early: not after the stream's own end mark.
 *
 * Some clients hang up as soon as they have read the mark, and whether the service's end or theirs is seen
 * first is chance. A recording must not depend on it.
 *
 * Room: record.
 */
import { operationOf } from '../dialect/operation.ts'
import type { WireExchange } from '../wire/exchange.ts'
import { readStream } from '../wire/sse.ts'
import { concatBytes } from '../wire/text.ts'

/** The exchange, as complete where the client went away after the last that was to come. */
export function settle(exchange: WireExchange): WireExchange {
  const { request, response, end } = exchange
  if (end.how !== 'client-abort' || response === undefined) return exchange
  const { dialect } = operationOf(request)
  const { pieces } = readStream(concatBytes(response.chunks.map(chunk => chunk.bytes)), dialect.eol)
  const last = pieces.at(-1)?.event
  if (last === undefined || !dialect.isEndMark(last)) return exchange
  return { ...exchange, end: { at: end.at, how: undefined } }
}
