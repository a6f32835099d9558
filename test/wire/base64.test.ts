/** Base64 that is canonical, by the vectors of RFC 4648 §10 and against Node's own encoder. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64, encodeBase64 } from '../../src/wire/base64.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'

describe('canonical base64', () => {
  it.each([
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ])('spells %j as %j, and back', (text, base64) => {
    expect(encodeBase64(encodeUtf8(text))).toBe(base64)
    expect(decodeBase64(base64)).toEqual(encodeUtf8(text))
  })

  it('agrees with Node for any bytes, and comes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const text = encodeBase64(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64'))
        expect(decodeBase64(text)).toEqual(bytes)
      }),
    )
  })
})

describe('text in any other spelling', () => {
  it.each([
    ['without its padding', 'Zg'],
    ['with padding in the middle', 'Zg==Zg=='],
    ['with too much padding', 'Z==='],
    ['of padding alone', '===='],
    ['in the URL-safe alphabet', '-_-_'],
    ['with a line break', 'Zm9v\nZm9'],
    ['with bits that no byte has', 'Zh=='],
    ['with bits that no byte has, once more', 'Zm9='],
    ['with a character over 127', 'Zm9\u0161'],
    ['with a character of another plane', 'Zm\u{1F600}'],
  ])('has no bytes: %s', (_, text) => {
    expect(decodeBase64(text)).toBeUndefined()
  })

  it('has no bytes unless encoding them gives it again', () => {
    const unit = fc.constantFrom('A', 'B', 'g', 'w', '/', '+', '=', '-', '\n')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), text => {
        const bytes = decodeBase64(text)
        if (bytes !== undefined) expect(encodeBase64(bytes)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})
