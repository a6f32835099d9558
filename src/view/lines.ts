/**
 * A cassette for programs: one object for each thing that was said, nothing put together and nothing cut.
 *
 * Room: view.
 */
import type { Cassette, Exchange } from '../cassette/model.ts'
import { traceOf, weighIn } from '../cassette/trace.ts'
import { titleOf } from '../dialect/digest.ts'
import { itemsOf, type Shown } from './entries.ts'

/** One line. `type` says what it is; what is undefined is left out of the JSON. */
export interface ViewLine {
  readonly type: 'cassette' | 'exchange' | 'item' | 'response' | 'close' | 'end'
  readonly [key: string]: unknown
}

/** All lines of a cassette, in order. */
export function cassetteLines(cassette: Cassette): readonly ViewLine[] {
  let number = 0
  return cassette.documents.flatMap((document): readonly ViewLine[] => {
    if (document.type === 'header') return [{ type: 'cassette', file: cassette.file, ...document.header }]
    number += 1
    return exchangeLines(document.exchange, number)
  })
}

function exchangeLines(exchange: Exchange, number: number): readonly ViewLine[] {
  const trace = traceOf(exchange)
  const entries = itemsOf(trace, weighIn(exchange)).map(({ from, at, shown }): ViewLine => ({
    type: 'item',
    exchange: number,
    at,
    from,
    ...fieldsOf(shown),
  }))
  const { head, close } = trace
  const asked = trace.answer === 'socket' ? entries : entries.filter(({ from }) => from === 'client')
  const answered = trace.answer === 'socket' ? [] : entries.filter(({ from }) => from === 'server')
  return [
    {
      type: 'exchange',
      exchange: number,
      dialect: trace.dialect,
      operation: titleOf(trace.dialect, trace.method, trace.url),
      at: exchange.at,
      name: exchange.name,
      note: exchange.note,
      line: exchange.line,
    },
    ...asked,
    ...(head === undefined ? [] : [{ type: 'response' as const, exchange: number, ...head }]),
    ...answered,
    ...(close === undefined ? [] : [{ type: 'close' as const, exchange: number, ...close }]),
    { type: 'end', exchange: number, at: trace.endedAt, how: trace.ended ?? 'complete' },
  ]
}

function fieldsOf(shown: Shown): Readonly<Record<string, unknown>> {
  if (shown.kind !== 'arguments') return { ...shown }
  const [piece] = shown.pieces
  return { kind: shown.kind, ...piece, of: shown.of }
}
