/** What a cassette that was built plays. */
import { blobsIn } from '../../src/cassette/blobs.ts'
import type { Exchange } from '../../src/cassette/model.ts'
import { playExchange } from '../../src/cassette/play.ts'
import type { CassetteBuilder } from '../../src/build/entry.ts'
import { dialectNamed } from '../../src/dialect/operation.ts'
import { unknown } from '../../src/dialect/unknown.ts'
import type { WireExchange } from '../../src/wire/exchange.ts'
import { decodeUtf8 } from '../../src/wire/text.ts'

/** Its exchanges, in order. */
function exchangesOf(builder: CassetteBuilder): readonly Exchange[] {
  return builder
    .build()
    .documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
}

/** The first of them. */
export function first(builder: CassetteBuilder): Exchange {
  const [exchange] = exchangesOf(builder)
  if (exchange === undefined) throw new Error('nothing was built')
  return exchange
}

/** The first of them on the wire. */
export function wire(builder: CassetteBuilder): WireExchange {
  const exchange = first(builder)
  return playExchange(exchange, dialectNamed(exchange.exchange) ?? unknown, blobsIn(builder.build().blobs))
}

/** The chunks of the first answer, as text. */
export function chunks(builder: CassetteBuilder): readonly (string | undefined)[] {
  return wire(builder).response?.chunks.map(({ bytes }) => decodeUtf8(bytes)) ?? []
}
