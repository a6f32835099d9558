/** A packed cassette holds its cassette and blobs exactly, whatever they are, and stays what it is. */
import * as fc from 'fast-check'
import { format } from 'prettier'
import { describe, expect, it } from 'vitest'
import { packedText, unpackedText } from '../../src/cassette/pack.ts'
import { parseCassette } from '../../src/cassette/parse.ts'

const CASSETTE = `# Made by hand.
cassette: 1
---
exchange: generate-content
name: the lock
request:
  method: POST
  url: https://generativelanguage.googleapis.com/v1/models/gemini-2.5-flash:generateContent
response:
  status: 200
  body: |
    ---
    packed: 1
end: {}
`

function pack(text: string, blobs: ReadonlyMap<string, Uint8Array> = new Map()): string {
  const cassette = parseCassette(text, { file: 'a.cassette.yaml' })
  return packedText({ cassette, text, blobs, name: 'a.packed.cassette.yaml' })
}

describe('packing and taking apart again', () => {
  it.each([
    ['as it is', CASSETTE],
    ['without a line feed at its end', CASSETTE.trimEnd()],
    ['with two', `${CASSETTE}\n`],
    ['with CRLF', CASSETTE.replaceAll('\n', '\r\n')],
    ['with CRLF, and none at its end', CASSETTE.replaceAll('\n', '\r\n').trimEnd()],
    ['with a byte order mark', `\ufeff${CASSETTE}`],
    ['with a blank line and a marker at its start', `\n---\n${CASSETTE}`],
    ['with a comment and a blank line at its start', `# One.\n\n${CASSETTE}`],
    ['with a comment at its end', `${CASSETTE}# The end.\n`],
  ])('gives the very text: %s', (_what, text) => {
    const packed = pack(text)
    expect(unpackedText(packed)).toBe(text)
    const read = parseCassette(packed, { file: 'a' })
    expect(read.documents.map(({ type }) => type)).toEqual(['header', 'exchange'])
  })

  it('gives the very blobs', () => {
    const names = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,20}$/)
    fc.assert(
      fc.property(fc.dictionary(names, fc.uint8Array({ maxLength: 300 })), blobs => {
        const packed = pack(CASSETTE, new Map(Object.entries(blobs)))
        expect(parseCassette(packed, { file: 'a' }).blobs).toEqual(new Map(Object.entries(blobs)))
        expect(unpackedText(packed)).toBe(CASSETTE)
      }),
      { numRuns: 100 },
    )
  })
})

describe('a packed cassette', () => {
  const bytes = Uint8Array.from({ length: 120 }, (_, index) => index)
  const packed = pack(CASSETTE, new Map([['lock.png', bytes]]))

  it('says what it is, what it holds and how to use it', () => {
    expect(packed).toMatchInlineSnapshot(`
      "# A cassette of Wiretape, packed: everything is in this one file.
      #
      # It holds 1 exchange and 1 file of sound or pictures, 120 bytes, as base64 at its end.
      #   1  the lock: POST models/gemini-2.5-flash:generateContent
      #
      # To play it to an app, offline and without a key:
      #   npx wiretape replay a.packed.cassette.yaml -- COMMAND
      # To read it: npx wiretape show a.packed.cassette.yaml
      # To take it apart, and have sound and pictures as files:
      #   npx wiretape unpack a.packed.cassette.yaml

      # Made by hand.
      cassette: 1
      ---
      exchange: generate-content
      name: the lock
      request:
        method: POST
        url: https://generativelanguage.googleapis.com/v1/models/gemini-2.5-flash:generateContent
      response:
        status: 200
        body: |
          ---
          packed: 1
      end: {}
      ---
      packed: 1
      blobs:
        lock.png: |
          AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4
          OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3Bx
          cnN0dXZ3
      end: {}
      "
    `)
  })

  it('has no line of more than 100 characters that the cassette does not have', () => {
    const long = packed.split('\n').filter(line => line.length > 100)
    expect(long).toEqual(CASSETTE.split('\n').filter(line => line.length > 100))
  })

  it('stays as it is under Prettier', async () => {
    expect(await format(packed, { parser: 'yaml' })).toBe(packed)
  })

  it('holds the same after a change of line ends', () => {
    const changed = packed.replaceAll('\n', '\r\n')
    expect(parseCassette(changed, { file: 'a' }).blobs).toEqual(new Map([['lock.png', bytes]]))
    expect(unpackedText(changed)).toBe(CASSETTE.replaceAll('\n', '\r\n'))
  })

  it('holds the same without its comment', () => {
    const bare = packed.slice(packed.indexOf('# Made by hand.'))
    expect(unpackedText(bare)).toBe(CASSETTE)
  })

  it('that was cut off anywhere in its blobs is refused', () => {
    const from = packed.lastIndexOf('\n---\n') + 2
    for (let at = from; at < packed.length - 2; at += 1) {
      expect(() => parseCassette(packed.slice(0, at), { file: 'a' })).toThrow(/torn|nothing|has no/)
    }
  })

  it('names five exchanges, and counts the others', () => {
    const [header = '', exchange = ''] = CASSETTE.split('---\nexchange')
    const many = header + Array.from({ length: 7 }, () => `---\nexchange${exchange}`).join('')
    const comment = pack(many).split('\n\n')[0] ?? ''
    expect(comment).toContain('#   5  the lock: POST')
    expect(comment).toContain('#   and 2 more')
  })
})
