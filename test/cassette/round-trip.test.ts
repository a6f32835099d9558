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
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'
import { liveHandshake } from '../../src/dialect/live.ts'
import { wireSocket } from './arbitrary-sockets.ts'
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

describe('any socket', () => {
  it('plays from its file as it was on the wire: bytes, frames, times, close, end', () => {
    fc.assert(
      fc.property(wireSocket, wire => {
        const composed = composeExchange(wire, liveHandshake, nameBlob, 1)
        const text = renderCassette([header, { type: 'exchange', exchange: composed.exchange }])
        const [, read] = parseCassette(text, { file }).documents
        if (read?.type !== 'exchange') throw new Error('no exchange')
        const played = playExchange(read.exchange, liveHandshake, blobsOf([composed]))
        expect(firstDifference(wire, played)).toBeUndefined()
        // The same, without the code under test; a client's JSON by its value.
        const sent = wire.socket?.messages ?? []
        const given = played.socket?.messages ?? []
        expect(given.map(({ from, frame }) => `${from} ${frame}`)).toEqual(
          sent.map(({ from, frame }) => `${from} ${frame}`),
        )
        for (const [index, { from, bytes }] of sent.entries()) {
          const back = given[index]?.bytes ?? new Uint8Array()
          if (from === 'server') expect(back).toEqual(bytes)
          else expect(meaning(back)).toEqual(meaning(bytes))
        }
        expect(played.socket?.close).toEqual(
          wire.socket?.close && { ...wire.socket.close, at: Math.round(wire.socket.close.at) },
        )
        expect(renderCassette(parseCassette(text, { file }).documents)).toBe(text)
      }),
      { numRuns: 600 },
    )
  })
})

/** What a client's message says: its JSON with base64 in one alphabet, or its bytes. */
function meaning(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (text === undefined) return bytes
  try {
    const parsed: unknown = JSON.parse(text, (key, value: unknown) =>
      key === 'data' && typeof value === 'string'
        ? value.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
        : value,
    )
    return parsed
  } catch {
    return text
  }
}

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
  const socket = composeExchange(
    {
      at: 0,
      request: { method: 'GET', url: 'wss://api.test/ws', headers: [], body: undefined },
      response: undefined,
      socket: {
        messages: [
          { at: 1, from: 'client', frame: 'text', bytes: encodeUtf8('{"setup": {"é": [1, "\\n"]}}') },
          { at: 2, from: 'server', frame: 'text', bytes: encodeUtf8('{\n  "a": 1\n}') },
          { at: 3, from: 'server', frame: 'binary', bytes: Uint8Array.of(0xff) },
        ],
        close: { at: 4, by: 'server', code: 1011, reason: 'Oh: no' },
      },
      end: { at: 12, how: undefined },
    },
    liveHandshake,
    nameBlob,
    2,
  ).exchange

  it.each([
    ['streams', exchange],
    ['sockets', socket],
  ])('gives the exchanges that are whole, and a coded error for anything else: %s', (_what, one) => {
    const whole = [
      header,
      { type: 'exchange', exchange: one } as const,
      { type: 'exchange', exchange: one } as const,
    ]
    const bytes = encodeUtf8(renderCassette(whole))
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
