/** The promises that hold for any exchange at all: nothing is lost between the wire and the file. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeExchange } from '../../src/cassette/compose.ts'
import type { CassetteDocument } from '../../src/cassette/model.ts'
import { parseCassette, parseCommitted } from '../../src/cassette/parse.ts'
import { cassetteText } from '../../src/cassette/parse-text.ts'
import { playExchange } from '../../src/cassette/play.ts'
import { renderCassette } from '../../src/cassette/render.ts'
import { firstDifference } from '../../src/cassette/verify.ts'
import { WiretapeError } from '../../src/errors.ts'
import { generateContent } from '../../src/dialect/generate-content.ts'
import { concatBytes, encodeUtf8 } from '../../src/wire/text.ts'
import { blobsOf, dialect, documents, nameBlob, wireExchange } from './arbitrary.ts'

const file = 'any.cassette.yaml'
const header: CassetteDocument = { type: 'header', header: { cassette: 1 } }

/** Documents without the lines that they stood on. */
function unplaced(list: readonly CassetteDocument[]): readonly CassetteDocument[] {
  return list.map(one => (one.type === 'header' ? one : { ...one, exchange: { ...one.exchange, line: 0 } }))
}

describe('any exchange', () => {
  it('plays from its file as it was on the wire: bytes, chunk edges, times, headers, end', () => {
    fc.assert(
      fc.property(wireExchange, dialect, (wire, api) => {
        const composed = composeExchange(wire, api, nameBlob, 1)
        const text = renderCassette([header, { type: 'exchange', exchange: composed.exchange }])
        const [, read] = parseCassette(text, { file }).documents
        if (read?.type !== 'exchange') throw new Error('no exchange')
        const played = playExchange(read.exchange, api, blobsOf([composed]))
        expect(firstDifference(wire, played)).toBeUndefined()
        // The same, without the code under test.
        const sent = wire.response?.chunks.map(chunk => chunk.bytes) ?? []
        const given = played.response?.chunks.map(chunk => chunk.bytes) ?? []
        expect(given.map(bytes => bytes.length)).toEqual(sent.map(bytes => bytes.length))
        expect(concatBytes(given)).toEqual(concatBytes(sent))
      }),
      { numRuns: 600 },
    )
  })
})

describe('any cassette', () => {
  it('is read as what was written', () => {
    fc.assert(
      fc.property(documents, list => {
        expect(unplaced(parseCassette(renderCassette(list), { file }).documents)).toEqual(list)
      }),
      { numRuns: 300 },
    )
  })

  it('that is written again from what was read has the same text', () => {
    fc.assert(
      fc.property(documents, list => {
        const text = renderCassette(list)
        expect(renderCassette(parseCassette(text, { file }).documents)).toBe(text)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a cassette that is cut off anywhere', () => {
  const stream = 'data: {"a": "é"}\r\n\r\ndata: {"b": 1}\r\n\r\n'
  const wire = {
    at: 0,
    request: {
      method: 'POST',
      url: 'https://api.test/v1/a',
      headers: [],
      body: encodeUtf8('{"q": "1\\n2"}'),
    },
    response: {
      at: 3,
      status: 200,
      reason: undefined,
      headers: [['content-type', 'text/event-stream'] as const],
      chunks: [
        { at: 4, bytes: encodeUtf8(stream).subarray(0, 12) },
        { at: 9, bytes: encodeUtf8(stream).subarray(12) },
      ],
      trailers: [],
    },
    end: { at: 12, how: undefined },
  }
  const { exchange } = composeExchange(wire, generateContent, nameBlob, 1)
  const whole = [header, { type: 'exchange', exchange } as const, { type: 'exchange', exchange } as const]
  const bytes = encodeUtf8(renderCassette(whole))

  it('gives the exchanges that are whole, and a coded error for anything else', () => {
    const seen = new Set<string>()
    for (let length = 0; length <= bytes.length; length += 1) {
      try {
        const text = cassetteText(bytes.subarray(0, length), { file })
        const { cassette, torn } = parseCommitted(text, { file })
        expect(unplaced(cassette.documents)).toEqual(whole.slice(0, cassette.documents.length))
        seen.add(`${cassette.documents.length} ${torn?.code ?? 'whole'}`)
      } catch (error) {
        if (!WiretapeError.is(error)) throw error
        seen.add(error.code)
      }
    }
    expect([...seen].toSorted()).toEqual([
      '1 WIRETAPE_CASSETTE_INVALID',
      '1 whole',
      '2 WIRETAPE_CASSETTE_INVALID',
      '2 whole',
      '3 whole',
      'WIRETAPE_CASSETTE_INVALID',
    ])
  })
})
