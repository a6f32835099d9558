/** Strict UTF-8, and whole byte arrays. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, decodeUtf8, encodeUtf8, equalBytes, indexOfBytes } from '../../src/wire/text.ts'

describe('text', () => {
  it('keeps a byte order mark', () => {
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\uFEFFa')
  })

  it.each([
    ['a byte that none begins with', [0xff]],
    ['a character that is cut', [0xe2, 0x82]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
    ['an overlong spelling', [0xc0, 0x80]],
  ])('is none in %s, and the next bytes are read afresh', (_, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined()
    expect(decodeUtf8(Uint8Array.of(0xc3, 0xa9))).toBe('é')
  })

  it('comes back from its bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(decodeUtf8(encodeUtf8(text))).toBe(text)
      }),
    )
  })
})

describe('bytes', () => {
  it('are joined in order', () => {
    expect(concatBytes([Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)])).toEqual(
      Uint8Array.of(1, 2, 3),
    )
  })

  it('are equal when every one is', () => {
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false)
  })

  it('are found where they begin, from an offset on', () => {
    const bytes = Uint8Array.of(1, 1, 2, 1, 2, 1)
    expect(indexOfBytes(bytes, Uint8Array.of(1, 2), 0)).toBe(1)
    expect(indexOfBytes(bytes, Uint8Array.of(1, 2), 2)).toBe(3)
    expect(indexOfBytes(bytes, Uint8Array.of(1, 2), 4)).toBe(-1)
    expect(indexOfBytes(bytes, Uint8Array.of(3), 0)).toBe(-1)
    expect(indexOfBytes(bytes, new Uint8Array(), 2)).toBe(2)
  })
})
