/** What goes out on the wire for what a document says, by example. */
import { describe, expect, it } from 'vitest'
import type { Exchange, RecordedResponse, StreamEvent } from '../../src/cassette/model.ts'
import { blobsIn } from '../../src/cassette/blobs.ts'
import { eventBytes, payloadBytes, playExchange, responseChunks } from '../../src/cassette/play.ts'
import { generateContent } from '../../src/dialect/generate-content.ts'
import { interactions } from '../../src/dialect/interactions.ts'
import { WiretapeError } from '../../src/errors.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'

const none = (): undefined => undefined

function exchange(response: Partial<RecordedResponse>, more: Partial<Exchange> = {}): Exchange {
  return {
    exchange: 'interactions',
    request: { method: 'POST', url: 'https://api.test/', headers: [], body: undefined },
    response: { status: 200, headers: [], trailers: [], ...response },
    end: { at: undefined, how: undefined },
    line: 1,
    ...more,
  }
}

function text(data: string): Pick<StreamEvent, 'data'> {
  return { data: { type: 'text', text: data } }
}

/** For each chunk, whether what matters has then come. */
function ended(one: Exchange): boolean[] {
  return responseChunks(one, interactions, none).map(chunk => chunk.ended)
}

/** Time and text of each chunk. */
function played(one: Exchange): (readonly [number, string | undefined])[] {
  return responseChunks(one, interactions, none).map(chunk => [chunk.at, decodeUtf8(chunk.bytes)])
}

describe('events', () => {
  it('are a chunk each, at their times', () => {
    expect(
      played(exchange({ at: 3, events: [{ ...text('a') }, { at: 5, ...text('b') }, { ...text('c') }] })),
    ).toEqual([
      [3, 'data: a\n\n'],
      [5, 'data: b\n\n'],
      [5, 'data: c\n\n'],
    ])
  })

  it('are cut and joined as they say', () => {
    const events = [
      {
        at: 5,
        cuts: [
          { offset: 2, at: 6 },
          { offset: 4, at: undefined },
        ],
        ...text('a'),
      },
      { joined: true as const, ...text('b') },
      { joined: true as const, raw: { type: 'text' as const, text: ': c\n' } },
    ]
    expect(played(exchange({ events }))).toEqual([
      [5, 'da'],
      [6, 'ta'],
      [6, ': a\n\ndata: b\n\n: c\n'],
    ])
  })

  it('have the line ends that the exchange says', () => {
    expect(played(exchange({ events: [{ ...text('a\nb') }] }, { eol: 'crlf' }))).toEqual([
      [0, 'data: a\r\ndata: b\r\n\r\n'],
    ])
  })

  it('have their values on one line, as the API spells an event', () => {
    const event: StreamEvent = { data: { type: 'value', value: { a: [1] }, numbers: ['1.0'] } }
    expect(eventBytes(event, 'crlf', generateContent, none, new Set())).toEqual(
      encodeUtf8('data: {"a": [1.0]}\r\n\r\n'),
    )
  })
})

describe('a body', () => {
  it('is one chunk, with the head, where nothing is said', () => {
    expect(played(exchange({ at: 7, body: { type: 'text', text: 'whole' } }))).toEqual([[7, 'whole']])
  })

  it('is cut as it says; a cut at 0 says when the first chunk came', () => {
    const cuts = [
      { offset: 0, at: 8 },
      { offset: 2, at: undefined },
      { offset: 4, at: 9 },
    ]
    expect(played(exchange({ at: 7, cuts, body: { type: 'text', text: 'whole' } }))).toEqual([
      [8, 'wh'],
      [8, 'ol'],
      [9, 'e'],
    ])
  })

  it('is no chunk where there is none, or no response', () => {
    expect(played(exchange({}))).toEqual([])
    expect(played(exchange({ body: { type: 'text', text: '' } }))).toEqual([])
    expect(played({ ...exchange({}), response: undefined })).toEqual([])
  })
})

describe('the end of what matters', () => {
  const events = [{ ...text('a') }, { ...text('[DONE]') }, { ...text('after') }]

  it('is the end mark of the API, and what comes after it', () => {
    expect(ended(exchange({ events }))).toEqual([false, true, true])
  })

  it('is in the chunk that has the last byte of the mark', () => {
    const cut = [{ cuts: [{ offset: 3, at: undefined }], ...text('[DONE]') }, { ...text('after') }]
    expect(ended(exchange({ events: cut }))).toEqual([false, true, true])
  })

  it('is the last chunk of an exchange that ended well', () => {
    expect(ended(exchange({ events: [{ ...text('a') }, { ...text('b') }] }))).toEqual([false, true])
    expect(ended(exchange({ body: { type: 'text', text: 'a' } }))).toEqual([true])
  })

  it('is never reached where the exchange was cut off before a mark', () => {
    expect(
      ended(exchange({ events: [{ ...text('a') }] }, { end: { at: 1, how: 'upstream-reset' } })),
    ).toEqual([false])
  })

  it('is not a mark in bytes that are no proper event', () => {
    const raw = [{ raw: { type: 'text' as const, text: 'data: [DONE]\n' } }, { ...text('after') }]
    expect(ended(exchange({ events: raw }))).toEqual([false, true])
  })
})

it('holds back the chunk in which an event begins that is marked', () => {
  const events = [
    { ...text('a') },
    { hold: true as const, cuts: [{ offset: 2, at: undefined }], ...text('b') },
  ]
  expect(responseChunks(exchange({ events }), interactions, none).map(chunk => chunk.hold)).toEqual([
    false,
    true,
    false,
  ])
})

describe('blobs', () => {
  const blob = Uint8Array.of(1, 2, 3, 4, 5)
  const source = blobsIn(new Map([['a.bin', blob]]))
  const listed = new Set(['a.bin', 'gone.bin'])
  const bytes = (payload: Parameters<typeof payloadBytes>[0]): string | undefined =>
    decodeUtf8(payloadBytes(payload, interactions, source, listed))

  it('stand in for base64 in texts, in values and for whole bodies', () => {
    expect(bytes({ type: 'text', text: '{"data": "blob:a.bin@0+5"}' })).toBe('{"data": "AQIDBAU="}')
    expect(bytes({ type: 'value', value: { data: ['blob:a.bin@1+3'] } })).toBe(
      '{\n  "data": [\n    "AgME"\n  ]\n}\n',
    )
    expect(bytes({ type: 'base64', base64: 'blob:a.bin@1+2' })).toBe('\u0002\u0003')
    expect(bytes({ type: 'base64', base64: 'Zm9v' })).toBe('foo')
  })

  it('are only those that are listed', () => {
    const alike = '{"data": "blob:other.bin@0+5", "b": "see blob:a.bin@0+5", "blob:a.bin@0+": 1}'
    expect(bytes({ type: 'text', text: alike })).toBe(alike)
    expect(bytes({ type: 'value', value: ['blob:other.bin@0+5', 'see blob:a.bin@0+5'] })).toBe(
      '[\n  "blob:other.bin@0+5",\n  "see blob:a.bin@0+5"\n]\n',
    )
    expect(
      decodeUtf8(payloadBytes({ type: 'text', text: '"blob:a.bin@0+5"' }, interactions, source, new Set())),
    ).toBe('"blob:a.bin@0+5"')
  })

  it.each(['blob:gone.bin@0+1', 'blob:a.bin@0+6', 'blob:a.bin@5+1'])(
    'that are not there are an error: %s',
    reference => {
      const play = (): string | undefined => bytes({ type: 'value', value: [reference] })
      expect(play).toThrow(WiretapeError)
      expect(play).toThrow(reference)
    },
  )
})

it('plays a whole exchange with what it does not say left at zero', () => {
  const { request, ...rest } = exchange({ status: 503, body: { type: 'text', text: 'x' } })
  const body = { type: 'value' as const, value: { a: 1 } }
  expect(playExchange({ ...rest, request: { ...request, body } }, interactions, none)).toEqual({
    at: 0,
    request: { ...request, body: encodeUtf8('{\n  "a": 1\n}\n') },
    response: {
      at: 0,
      status: 503,
      reason: undefined,
      headers: [],
      chunks: [{ at: 0, bytes: encodeUtf8('x') }],
      trailers: [],
    },
    end: { at: undefined, how: undefined },
  })
})
