/**
 * What was said, put together: the parts that a right client makes of an answer.
 *
 * Consecutive text of one kind is one part; a call is one part, however many pieces it came in; of Interactions,
 * a step is one part. Nothing is left out but an empty text without a signature.
 */
import { stepParts } from './fold-steps.ts'
import { streamParts } from './fold-stream.ts'
import type { WireExchange } from './wire.ts'
import type { WirePart } from './wire-parts.ts'

/** The parts of an exchange, in order. */
export function partsOf(exchange: Pick<WireExchange, 'api' | 'said'>): readonly WirePart[] {
  const drafts = exchange.api === 'interactions' ? stepParts(exchange.said) : streamParts(exchange.said)
  return drafts.filter(
    ({ kind, ...part }) =>
      !(kind === 'text' && 'text' in part && part.text === '' && part.signature === undefined),
  )
}
