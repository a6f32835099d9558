/** Header fields as lists. */
import { describe, expect, it } from 'vitest'
import { endToEndHeaders, headerValue, pairHeaders } from '../../src/wire/headers.ts'

describe('header fields', () => {
  it('are found whatever the case of their name, the first of several', () => {
    const headers = [
      ['X-A', '1'],
      ['x-a', '2'],
    ] as const
    expect(headerValue(headers, 'x-A')).toBe('1')
    expect(headerValue(headers, 'x-b')).toBeUndefined()
  })

  it('are paired from a flat list', () => {
    expect(pairHeaders(['A', '1', 'a', '2'])).toEqual([
      ['A', '1'],
      ['a', '2'],
    ])
    expect(pairHeaders([])).toEqual([])
  })

  it('that belong to one connection do not travel, nor those that `connection` names', () => {
    expect(
      endToEndHeaders([
        ['Connection', 'keep-alive, X-Hop'],
        ['Keep-Alive', '5'],
        ['x-hop', '1'],
        ['TE', 'trailers'],
        ['Transfer-Encoding', 'chunked'],
        ['X-End', '1'],
      ]),
    ).toEqual([['X-End', '1']])
  })
})
