/** Which JSON text may become a value, and which must stay text. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberSurvives, readJsonLossless } from '../../src/wire/json.ts'

describe('text that a value says whole', () => {
  it('is read with the spelling of each of its numbers', () => {
    expect(readJsonLossless(' {"a": [1.0, -2.50, 1e5], "b": {"c": 0}, "d": "3"} ')).toEqual({
      value: { a: [1, -2.5, 100_000], b: { c: 0 }, d: '3' },
      numbers: ['1.0', '-2.50', '1e5', '0'],
    })
  })

  it('keeps a key named __proto__ a key', () => {
    const reading = readJsonLossless('{"__proto__": {"a": true}, "constructor": null}')
    expect(JSON.stringify(reading?.value)).toBe('{"__proto__":{"a":true},"constructor":null}')
  })

  it('may have integer-like keys where an object keeps their order', () => {
    expect(readJsonLossless('{"1": 0, "2": 0, "a": 0, "01": 0}')).toBeDefined()
  })

  it('may be an empty object or an empty list', () => {
    expect(readJsonLossless('{}')).toEqual({ value: {}, numbers: [] })
    expect(readJsonLossless('[]')).toEqual({ value: [], numbers: [] })
  })

  it('may hold braces, quotes and escapes in its strings', () => {
    expect(readJsonLossless(String.raw`{"a\"}": "[{\\\"", "\u00e9": "\ud83d\ude00"}`)?.value).toEqual({
      'a"}': '[{\\"',
      é: '\u{1F600}',
    })
  })

  it('may be 60 levels deep and have keys of 400 characters', () => {
    expect(readJsonLossless(`${'['.repeat(60)}${']'.repeat(60)}`)).toBeDefined()
    expect(readJsonLossless(`{"${'k'.repeat(400)}": 1}`)).toBeDefined()
  })
})

describe('text that no value says whole', () => {
  it.each([
    ['an integer over 2^53', '{"a": 9007199254740993}'],
    ['a long integer that a double happens to hold', '{"a": 9007199254740992}'],
    ['minus zero', '[-0]'],
    ['minus zero with a fraction', '[-0.0]'],
    ['a number that is too big', '[1e400]'],
    ['a number that is too small', '[1e-400]'],
    ['a decimal with too many digits', '[3.14159265358979323846]'],
    ['a key that comes twice', '{"a": 1, "b": {}, "a": 1}'],
    ['a key that comes twice in two spellings', String.raw`{"a": 1, "\u0061": 1}`],
    ['integer-like keys in another order', '{"2": 0, "1": 0}'],
    ['an integer-like key after another', '{"a": 0, "1": 0}'],
    ['a key of 401 characters', `{"${'k'.repeat(401)}": 1}`],
    ['61 levels', `${'['.repeat(61)}${']'.repeat(61)}`],
    ['a string at the top', '"a"'],
    ['a number at the top', '1'],
    ['null at the top', 'null'],
    ['nothing', ''],
    ['text that is not JSON', '{"a": 1,}'],
    ['half a surrogate pair', String.raw`["\ud83d"]`],
    ['half a surrogate pair in a key', String.raw`{"\uDC00": 1}`],
    ['a byte order mark', '\uFEFF{}'],
  ])('is %s', (_, text) => {
    expect(readJsonLossless(text)).toBeUndefined()
  })
})

describe('a number', () => {
  it.each(['0', '-1', '1.0', '0.1', '1E-7', '1.50e+3', '0e9', '9007199254740991', '5e-324', '1e21'])(
    'survives as %s',
    lexeme => {
      expect(numberSurvives(lexeme)).toBe(true)
    },
  )

  it('survives in the spelling that JavaScript gives it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), number => {
        fc.pre(!Object.is(number, -0) && (!Number.isInteger(number) || Number.isSafeInteger(number)))
        expect(numberSurvives(String(number))).toBe(true)
      }),
    )
  })
})

it('reads what JSON.stringify writes as JSON.parse does, or not at all', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
      const text = JSON.stringify([value], undefined, indent)
      const reading = readJsonLossless(text)
      if (reading !== undefined) expect(JSON.stringify(reading.value, undefined, indent)).toBe(text)
    }),
    { numRuns: 500 },
  )
})
