/** That every difference between a recording and its cassette is seen. */
import { describe, expect, it } from 'vitest'
import { firstDifference } from '../../src/cassette/verify.ts'
import type { WireExchange, WireResponse } from '../../src/wire/exchange.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'

const utf8 = encodeUtf8
const response: WireResponse = {
  at: 3,
  status: 200,
  reason: undefined,
  headers: [['content-type', 'text/plain']],
  chunks: [
    { at: 4, bytes: utf8('one') },
    { at: 5, bytes: utf8('two') },
  ],
  trailers: [['x-sum', '1']],
}
const recorded: WireExchange = {
  at: 1,
  request: { method: 'POST', url: 'https://api.test/', headers: [['x-a', '1']], body: utf8('{"a": 1}') },
  response,
  end: { at: 6, how: undefined },
}

function answered(change: Partial<WireResponse>): WireExchange {
  return { ...recorded, response: { ...response, ...change } }
}

function asked(change: Partial<WireExchange['request']>): WireExchange {
  return { ...recorded, request: { ...recorded.request, ...change } }
}

describe('a cassette that plays what was recorded', () => {
  it('has no difference', () => {
    expect(firstDifference(recorded, recorded)).toBeUndefined()
  })

  it('need not keep fractions of milliseconds, dropped headers or the spelling of a request', () => {
    const noisy: WireExchange = {
      at: 1.2,
      request: {
        ...recorded.request,
        headers: [
          ['Host', 'api.test'],
          ['X-A', '1'],
        ],
        body: utf8(String.raw`{ "\u0061":1 }`),
      },
      response: {
        ...response,
        at: 2.9,
        headers: [
          ['Content-Type', 'text/plain'],
          ['Date', 'today'],
        ],
      },
      end: { at: 5.6, how: undefined },
    }
    expect(firstDifference(noisy, recorded)).toBeUndefined()
  })
})

describe('a difference', () => {
  it.each<[string, WireExchange]>([
    ['the time of the exchange differs', { ...recorded, at: 2 }],
    ['the method of the request differs', asked({ method: 'GET' })],
    ['the URL of the request differs', asked({ url: 'https://api.test/b' })],
    ['the headers of the request differ: `x-a`', asked({ headers: [['x-a', '2']] })],
    ['the headers of the request differ: `x-a`', asked({ headers: [] })],
    [
      'the headers of the request differ: `x-b`',
      asked({
        headers: [
          ['x-a', '1'],
          ['x-b', '1'],
        ],
      }),
    ],
    ['the body of the request differs', asked({ body: undefined })],
    ['the body of the request differs', asked({ body: utf8('{"a": 1.0}') })],
    ['the body of the request differs', asked({ body: utf8('{"a": 2}') })],
    ['the body of the request differs', asked({ body: utf8('text') })],
    ['the response is there on one side only', { ...recorded, response: undefined }],
    ['the time of the response differs', answered({ at: 2 })],
    ['the status differs', answered({ status: 201 })],
    ['the reason phrase differs', answered({ reason: 'Fine' })],
    ['the headers of the response differ: `content-type`', answered({ headers: [] })],
    ['the body of the response differs at byte 3', answered({ chunks: response.chunks.slice(0, 1) })],
    ['the body of the response differs at byte 4', answered({ chunks: [{ at: 4, bytes: utf8('onetWo') }] })],
    ['chunk 1 of the response has another length', answered({ chunks: [{ at: 4, bytes: utf8('onetwo') }] })],
    [
      'the time of chunk 2 of the response differs',
      answered({ chunks: response.chunks.map(chunk => ({ ...chunk, at: 4 })) }),
    ],
    ['the trailers of the response differ: `x-sum`', answered({ trailers: [] })],
    ['the time of the end differs', { ...recorded, end: { at: 7, how: undefined } }],
    ['the kind of the end differs', { ...recorded, end: { at: 6, how: 'truncated' } }],
  ])('is named: %s', (difference, played) => {
    expect(firstDifference(recorded, played)).toBe(difference)
  })

  it('is seen where only the cassette has a body', () => {
    expect(firstDifference(asked({ body: undefined }), recorded)).toBe('the body of the request differs')
    expect(firstDifference({ ...recorded, response: undefined }, recorded)).toBe(
      'the response is there on one side only',
    )
  })
})
