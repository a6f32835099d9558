/**
 * Every shipped cassette, built with the builder's own shapes: what it plays is what the shipped one plays,
 * byte for byte and chunk for chunk. Moments are not compared, but where they are built. Of the cases only those
 * that stand for an API are built; the catalogue of single behaviours (`sse-…`, `call-…`, `signature-…`) is YAML alone.
 */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blobsIn } from '../../src/cassette/blobs.ts'
import type { BlobSource, Exchange } from '../../src/cassette/model.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { playExchange } from '../../src/cassette/play.ts'
import { renderCassette } from '../../src/cassette/render.ts'
import { dialectNamed, operationOf } from '../../src/dialect/operation.ts'
import { unknown } from '../../src/dialect/unknown.ts'
import { loadCassette } from '../../src/store/load.ts'
import { decodeUtf8 } from '../../src/wire/text.ts'
import { CHAT_WRAPPER } from './shipped/chat-wrapper.ts'
import { SHIPPED } from './shipped/config.ts'
import { INTERACTION_CASES } from './shipped/interaction-cases.ts'
import { INTERACTIONS } from './shipped/interactions.ts'
import { LIVE } from './shipped/live.ts'
import { LIVE_CALLS } from './shipped/live-calls.ts'
import { LIVE_ENDS } from './shipped/live-ends.ts'
import { LIVE_TURNS } from './shipped/live-turns.ts'
import { MODELS } from './shipped/models.ts'
import { RUN_LIVE } from './shipped/run-live.ts'

/** The catalogue of single behaviours on the wire. */
const CATALOGUE = /^cases\/(sse|call|signature)-/

const BUILT = {
  ...MODELS,
  ...CHAT_WRAPPER,
  ...INTERACTIONS,
  ...INTERACTION_CASES,
  ...LIVE,
  ...LIVE_CALLS,
  ...LIVE_ENDS,
  ...LIVE_TURNS,
  ...RUN_LIVE,
}
const NAMES = ['', 'cases/'].flatMap(folder =>
  readdirSync(resolve(SHIPPED, folder))
    .filter(file => file.endsWith('.cassette.yaml'))
    .map(file => folder + file.replace('.cassette.yaml', ''))
    .filter(name => !CATALOGUE.test(name)),
)

/** What an exchange is on the wire. A request's JSON is its value: how a client spells it is not kept. */
function played(exchange: Exchange, blobs: BlobSource): unknown {
  const dialect = dialectNamed(exchange.exchange) ?? unknown
  const { request, response, socket, end } = playExchange(exchange, dialect, blobs)
  return {
    api: exchange.exchange,
    how: [exchange.repeat, exchange.match, exchange.eol, end.how],
    operation: operationOf(request).key,
    url: request.url,
    asked: request.body && (JSON.parse(decodeUtf8(request.body) ?? '') as unknown),
    status: response?.status,
    reason: response?.reason,
    headers: response?.headers,
    trailers: response?.trailers,
    chunks: response?.chunks.map(({ bytes }) => decodeUtf8(bytes)),
    messages: socket?.messages.map(({ from, frame, bytes }) => {
      const text = decodeUtf8(bytes) ?? ''
      return { from, frame, text: from === 'client' ? (JSON.parse(text) as unknown) : text }
    }),
    close: socket?.close && { ...socket.close, at: undefined },
  }
}

function exchangesOf(documents: ReturnType<typeof parseCassette>['documents']): readonly Exchange[] {
  return documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
}

describe.each(NAMES)('%s', name => {
  it('plays the same, built', async () => {
    const shipped = await loadCassette(resolve(SHIPPED, `${name}.cassette.yaml`))
    const tape = BUILT[name]?.().build()
    const blobs = blobsIn(tape?.blobs ?? new Map())
    expect(exchangesOf(tape?.documents ?? []).map(exchange => played(exchange, blobs))).toEqual(
      exchangesOf(shipped.cassette.documents).map(exchange => played(exchange, shipped.blobs)),
    )
  })

  it('is the cassette that its text is', () => {
    const tape = BUILT[name]?.()
    const text = tape?.render() ?? ''
    const read = parseCassette(text, { file: 'a cassette that was built' })
    expect(tape?.build().documents).toEqual(read.documents)
    expect(renderCassette(read.documents)).toBe(text)
  })
})

it('is the very document, where the moments are built as well', async () => {
  const { cassette } = await loadCassette(resolve(SHIPPED, 'streamed-answer.cassette.yaml'))
  const [shipped] = exchangesOf(cassette.documents)
  const [built] = exchangesOf(BUILT['streamed-answer']?.().build().documents ?? [])
  expect(built).toEqual({ ...shipped, note: undefined, line: built?.line })
})
