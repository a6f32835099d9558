/** What becomes of an exchange on the wire, by example. */
import { describe, expect, it } from 'vitest'
import { composeExchange, type ComposedExchange } from '../../src/cassette/compose.ts'
import type { RecordedResponse } from '../../src/cassette/model.ts'
import { generateContent } from '../../src/dialect/generate-content.ts'
import { interactions } from '../../src/dialect/interactions.ts'
import { encodeBase64 } from '../../src/wire/base64.ts'
import type { WireExchange, WireResponse } from '../../src/wire/exchange.ts'
import type { HeaderList } from '../../src/wire/headers.ts'
import { concatBytes, encodeUtf8 } from '../../src/wire/text.ts'

const utf8 = encodeUtf8
const never = (): string => {
  throw new Error('no blob here')
}
const stream: HeaderList = [['content-type', 'text/event-stream']]
const json: HeaderList = [['content-type', 'application/json; charset=UTF-8']]

type Pieces = readonly (readonly [at: number, bytes: string | Uint8Array])[]

function answered(headers: HeaderList, pieces: Pieces, more: Partial<WireResponse> = {}): WireExchange {
  const chunks = pieces.map(([at, bytes]) => ({ at, bytes: typeof bytes === 'string' ? utf8(bytes) : bytes }))
  return {
    at: 0,
    request: { method: 'POST', url: 'https://api.test/', headers: [], body: undefined },
    response: { at: 4, status: 200, reason: undefined, headers, chunks, trailers: [], ...more },
    end: { at: 9999, how: undefined },
  }
}

function asked(body: string | Uint8Array, headers: HeaderList = []): WireExchange {
  const bytes = typeof body === 'string' ? utf8(body) : body
  return {
    ...answered(json, []),
    request: { method: 'POST', url: 'https://api.test/', headers, body: bytes },
  }
}

function response(wire: WireExchange): RecordedResponse | undefined {
  return composeExchange(wire, generateContent, never, 1).exchange.response
}

function bodyOf(wire: WireExchange): unknown {
  return composeExchange(wire, generateContent, never, 1).exchange.request.body
}

/** Composes with one blob name for each MIME type. */
function named(wire: WireExchange): ComposedExchange {
  return composeExchange(wire, generateContent, (_, mimeType) => `a.${mimeType.split('/')[1] ?? ''}`, 1)
}

describe('chunk edges of a stream', () => {
  it('are one chunk an event where nothing is said', () => {
    const wire = answered(stream, [
      [5, 'data: a\r\n\r\n'],
      [8, 'data: b\r\n\r\n'],
    ])
    expect(response(wire)?.events).toEqual([
      { at: 5, data: { type: 'text', text: 'a' } },
      { at: 8, data: { type: 'text', text: 'b' } },
    ])
  })

  it('are said by cuts, with a time where it is another, and by `joined`', () => {
    const wire = answered(stream, [
      [4, 'data'],
      [4, ': a\r'],
      [6.4, '\n\r\ndata: b\r\n\r\ndata: c\r\n\r\nda'],
      [9.6, 'ta: d\r\n\r\n'],
    ])
    expect(response(wire)?.events).toEqual([
      {
        at: undefined,
        cuts: [
          { offset: 4, at: undefined },
          { offset: 8, at: 6 },
        ],
        data: { type: 'text', text: 'a' },
      },
      { joined: true, data: { type: 'text', text: 'b' } },
      { joined: true, data: { type: 'text', text: 'c' } },
      { joined: true, cuts: [{ offset: 2, at: 10 }], data: { type: 'text', text: 'd' } },
    ])
  })

  it('leave times out that are those of the chunk before', () => {
    const wire = answered(stream, [
      [4, 'data: a\r\n\r\n'],
      [4, 'data: b\r\n\r\n'],
      [3, 'data: c\r\n\r\n'],
    ])
    expect(response(wire)?.events?.map(event => event.at)).toEqual([undefined, undefined, undefined])
  })
})

describe('a stream', () => {
  it('says its line end only where it is not the usual one of its API', () => {
    const crlf = answered(stream, [[5, 'data: a\r\n\r\n']])
    const lf = answered(stream, [[5, 'data: a\n\n']])
    expect(composeExchange(crlf, generateContent, never, 1).exchange.eol).toBeUndefined()
    expect(composeExchange(lf, generateContent, never, 1).exchange.eol).toBe('lf')
    expect(composeExchange(lf, interactions, never, 1).exchange.eol).toBeUndefined()
  })

  it('has what is no event as raw, and goes on after it', () => {
    const wire = answered(stream, [
      [5, concatBytes([utf8(': ping\r\n\r\ndata: a\r\n\r\ndata: '), Uint8Array.of(0xff)])],
    ])
    expect(response(wire)?.events).toEqual([
      { at: 5, raw: { type: 'text', text: ': ping\r\n\r\n' } },
      { joined: true, data: { type: 'text', text: 'a' } },
      {
        joined: true,
        raw: { type: 'base64', base64: encodeBase64(concatBytes([utf8('data: '), Uint8Array.of(0xff)])) },
      },
    ])
  })

  it('has data that is no text as base64', () => {
    const data = concatBytes([utf8('event: e\r\ndata: '), Uint8Array.of(0xff), utf8('\r\n\r\n')])
    expect(response(answered(stream, [[5, data]]))?.events).toEqual([
      { at: 5, event: 'e', data: { type: 'base64', base64: '/w==' } },
    ])
  })

  it('has an event without data as one', () => {
    expect(response(answered(stream, [[5, 'event: ping\r\n\r\n']]))?.events).toEqual([
      { at: 5, event: 'ping' },
    ])
  })

  it('is a body where it has no event at all', () => {
    expect(response(answered(stream, [[4, '{"error": "not a stream"}']]))?.body).toEqual({
      type: 'text',
      text: '{"error": "not a stream"}',
    })
  })

  it('is a body where its content type is another', () => {
    expect(response(answered(json, [[4, 'data: a\r\n\r\n']]))?.events).toBeUndefined()
  })
})

describe('the body of an answer', () => {
  const spelled = generateContent.spell({ a: [1.5, { b: null }] })

  it('is a value where the API spells it so', () => {
    expect(response(answered(json, [[4, spelled]]))?.body).toEqual({
      type: 'value',
      value: { a: [1.5, { b: null }] },
    })
  })

  it('is text where one character is another, and base64 where it is no text', () => {
    expect(response(answered(json, [[4, `${spelled} `]]))?.body).toEqual({
      type: 'text',
      text: `${spelled} `,
    })
    expect(response(answered(json, [[4, Uint8Array.of(0xff, 0)]]))?.body).toEqual({
      type: 'base64',
      base64: '/wA=',
    })
  })

  it('has its edges in cuts, the first only where it came after the head', () => {
    expect(
      response(
        answered(json, [
          [4, 'one'],
          [4, 'two'],
          [7, 'six'],
        ]),
      )?.cuts,
    ).toEqual([
      { offset: 3, at: undefined },
      { offset: 6, at: 7 },
    ])
    expect(response(answered(json, [[5, 'one']]))?.cuts).toEqual([{ offset: 0, at: 5 }])
    expect(response(answered(json, [[4, 'one']]))?.cuts).toBeUndefined()
  })

  it('is not there where nothing came', () => {
    expect(response(answered(json, [[4, '']]))).toEqual({ at: 4, status: 200, headers: json, trailers: [] })
  })
})

describe('the body of a request', () => {
  it('is a value, however it is spelled, with its numbers as they were', () => {
    expect(bodyOf(asked('{"a":  1.0,"b":"\\u00e9"}'))).toEqual({
      type: 'value',
      value: { a: 1, b: 'é' },
      numbers: ['1.0'],
    })
    expect(bodyOf(asked('{"a": 1}'))).toEqual({ type: 'value', value: { a: 1 } })
  })

  it('is text where a value would lose something, and base64 where it is no text', () => {
    expect(bodyOf(asked('{"a": 12345678901234567890}'))).toEqual({
      type: 'text',
      text: '{"a": 12345678901234567890}',
    })
    expect(bodyOf(asked('"a"'))).toEqual({ type: 'text', text: '"a"' })
    expect(bodyOf(asked(Uint8Array.of(0xff)))).toEqual({ type: 'base64', base64: '/w==' })
  })

  it('is none where it is empty', () => {
    expect(bodyOf(asked(''))).toBeUndefined()
  })
})

describe('headers', () => {
  it('are in lower case, without those of transport, equal names side by side', () => {
    const wire = answered(
      [
        ['Content-Type', 'text/plain'],
        ['X-A', '1'],
        ['Date', 'today'],
        ['Retry-After', '3'],
        ['x-a', '2'],
      ],
      [],
    )
    expect(response(wire)?.headers).toEqual([
      ['content-type', 'text/plain'],
      ['x-a', '1'],
      ['x-a', '2'],
      ['retry-after', '3'],
    ])
  })
})

describe('times', () => {
  it('are whole milliseconds that never go back', () => {
    const wire = {
      ...answered(
        json,
        [
          [3.2, 'a'],
          [6.6, 'b'],
        ],
        { at: 4.4 },
      ),
      at: 100.6,
      end: { at: 6.4, how: undefined },
    }
    const { exchange } = composeExchange(wire, generateContent, never, 1)
    expect(exchange.at).toBe(101)
    expect(exchange.response?.at).toBe(4)
    expect(exchange.response?.cuts).toEqual([{ offset: 1, at: 7 }])
    expect(exchange.end.at).toBe(7)
  })
})

describe('media', () => {
  const bytes = Uint8Array.from({ length: 192 }, (_, index) => index)
  const data = encodeBase64(bytes)
  const reference = 'blob:a.png@0+192'

  it('becomes a blob from 256 characters on, in either spelling of its MIME type', () => {
    const { exchange, blobs } = named(
      asked(
        JSON.stringify([
          { mimeType: 'image/png', data },
          { mime_type: 'image/png', data },
        ]),
      ),
    )
    expect(exchange.request.body).toEqual({
      type: 'value',
      value: [
        { mimeType: 'image/png', data: reference },
        { mime_type: 'image/png', data: reference },
      ],
    })
    expect(exchange.blobs).toEqual({ 'a.png': 192 })
    expect(blobs).toEqual([{ name: 'a.png', bytes }])
  })

  it('stays where it is shorter, not canonical, under another key or without a MIME type', () => {
    const body = [
      { mimeType: 'image/png', data: encodeBase64(bytes.subarray(3)) },
      { mimeType: 'image/png', data: `${data.slice(0, -1)}-` },
      { mimeType: 'image/png', thoughtSignature: data },
      { type: 'image', data },
    ]
    const { exchange, blobs } = named(asked(JSON.stringify(body)))
    expect(exchange.request.body).toEqual({ type: 'value', value: body })
    expect(exchange.blobs).toBeUndefined()
    expect(blobs).toEqual([])
  })

  it('becomes a quoted reference inside the text of an event', () => {
    const text = `{"a": {"mimeType": "image/png","data": "${data}"}, "thoughtSignature": "AAAA"}`
    const { exchange } = named(answered(stream, [[5, `data: ${text}\r\n\r\n`]]))
    expect(exchange.response?.events).toEqual([
      { at: 5, data: { type: 'text', text: text.replace(data, reference) } },
    ])
  })

  it('stays in text that is no JSON, or that spells it with escapes', () => {
    const slashes = encodeBase64(new Uint8Array(192).fill(255))
    const escaped = `{"mimeType": "image/png","data": "${slashes.replaceAll('/', String.raw`\/`)}"}`
    const cut = `{"mimeType": "image/png","data": "${data}"`
    const { exchange, blobs } = named(answered(stream, [[5, `data: ${escaped}\r\n\r\ndata: ${cut}\r\n\r\n`]]))
    expect(exchange.response?.events?.map(event => event.data)).toEqual([
      { type: 'text', text: escaped },
      { type: 'text', text: cut },
    ])
    expect(blobs).toEqual([])
  })

  it('is a whole body too where that is no text', () => {
    const image = Uint8Array.from({ length: 192 }, (_, index) => 255 - index)
    const { exchange, blobs } = named(asked(image, [['Content-Type', 'image/png']]))
    expect(exchange.request.body).toEqual({ type: 'base64', base64: reference })
    expect(blobs).toEqual([{ name: 'a.png', bytes: image }])
  })

  it.each([
    [
      'a string of a value',
      JSON.stringify({ text: 'blob:a.png@0+3', image: { mimeType: 'image/png', data } }),
    ],
    [
      'an escaped string of a value',
      String.raw`{"text": "blob\u003aa.png@0+3", "image": {"mimeType": "image/png", "data": "DATA"}}`.replace(
        'DATA',
        data,
      ),
    ],
    [
      'a quoted part of a text',
      `{"n": -0, "text": "blob:a.png@0+3", "image": {"mimeType": "image/png", "data": "${data}"}}`,
    ],
  ])('stays where %s reads like a reference to it', (_, body) => {
    const { exchange, blobs } = named(asked(body))
    expect(blobs).toEqual([])
    expect(exchange.blobs).toBeUndefined()
    expect(JSON.stringify(exchange.request.body)).toContain(data)
  })

  it('stays in every part of such an exchange', () => {
    const asking = asked(JSON.stringify({ text: 'blob:a.png@0+3', image: { mimeType: 'image/png', data } }))
    const png: HeaderList = [['content-type', 'image/png']]
    const image = new Uint8Array(192).fill(255)
    const whole = named({ ...asking, response: answered(png, [[4, image]]).response })
    expect(whole.exchange.response?.body).toEqual({ type: 'base64', base64: encodeBase64(image) })
    const event = `{"mimeType": "image/png","data": "${data}"}`
    const streamed = named({
      ...asking,
      response: answered(stream, [[4, `data: ${event}\r\n\r\n`]]).response,
    })
    expect(streamed.exchange.response?.events?.[0]?.data).toEqual({ type: 'text', text: event })
    expect([...whole.blobs, ...streamed.blobs]).toEqual([])
  })

  it('is not mistaken for a text that refers to another blob', () => {
    const { blobs } = named(
      asked(JSON.stringify({ text: 'blob:b.png@0+3', image: { mimeType: 'image/png', data } })),
    )
    expect(blobs).toHaveLength(1)
  })
})
