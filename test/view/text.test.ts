/** Text on a screen: no line is too wide, nothing is lost but blanks at edges, nothing is obeyed. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clip, printable, widthOf, wrap, type Span } from '../../src/view/text.ts'

const plain = (text: string): Span[] => [{ tone: 'plain', text }]
const textOf = (lines: readonly (readonly Span[])[]): string[] =>
  lines.map(line => line.map(({ text }) => text).join(''))
const printed = fc.string({ unit: 'grapheme', maxLength: 60 }).map(printable)

describe('a text', () => {
  it.each([
    ['plain', 5],
    ['naïve', 5],
    ['e\u0301', 1],
    ['日本', 4],
    ['👍', 2],
    ['', 0],
  ])('takes as many columns as a terminal gives it: %s', (text, width) => {
    expect(widthOf(text)).toBe(width)
  })

  it.each([
    ['\u001b[31mred', '\\u001b[31mred'],
    ['a\tb', 'a  b'],
    ['a\nb', 'a\nb'],
    ['a\r\u0007\u2028b', 'a\\u000d\\u0007\\u2028b'],
    ['\u202eabc', '\\u202eabc'],
    ['\ud800', '\\ud800'],
    ['👍', '👍'],
  ])('has nothing that a terminal would obey: %j', (text, safe) => {
    expect(printable(text)).toBe(safe)
  })
})

describe('breaking into lines', () => {
  it.each([
    ['High tide is at 16:42.', 12, ['High tide is', 'at 16:42.']],
    ['High tide', 20, ['High tide']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['a\n\nb', 10, ['a', '', 'b']],
    ['日本語', 4, ['日本', '語']],
    ['', 10, ['']],
  ])('breaks at blanks where it can: %j in %i', (text, width, lines) => {
    expect(textOf(wrap(plain(text), width)).map(line => line.trimEnd())).toEqual(lines)
  })

  it('takes the whole of a word that goes on in another tone', () => {
    const spans: Span[] = [
      { tone: 'plain', text: 'High tide' },
      { tone: 'dim', text: '  (2 pieces, until 0.577 s)' },
    ]
    expect(textOf(wrap(spans, 20)).map(line => line.trimEnd())).toEqual([
      'High tide  (2',
      'pieces, until 0.577',
      's)',
    ])
    const solid = spans.map(span => (span.tone === 'dim' ? { ...span, solid: true as const } : span))
    expect(textOf(wrap(solid, 26)).map(line => line.trimEnd())).toEqual([
      'High tide',
      '(2 pieces, until 0.577 s)',
    ])
  })

  it('makes no line too wide and loses nothing but blanks', () => {
    const spans = fc.array(
      printed.map(text => ({ tone: 'plain' as const, text })),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(spans, fc.integer({ min: 2, max: 40 }), (whole, width) => {
        const lines = textOf(wrap(whole, width))
        for (const line of lines) expect(widthOf(line.trimEnd())).toBeLessThanOrEqual(width)
        const letters = (text: string) => text.replaceAll(/\s/g, '')
        expect(letters(lines.join(''))).toBe(letters(whole.map(({ text }) => text).join('')))
      }),
      { numRuns: 500 },
    )
  })
})

describe('cutting', () => {
  it('keeps the first lines and says that there is more', () => {
    const lines = wrap(plain('one two three four five six'), 10)
    expect(textOf(clip(lines, 2, 10))).toEqual(['one two', 'three…'])
    expect(textOf(clip(lines, 9, 10))).toEqual(textOf(lines))
  })

  it('makes no line too wide', () => {
    fc.assert(
      fc.property(printed, fc.integer({ min: 2, max: 20 }), (text, width) => {
        for (const line of textOf(clip(wrap(plain(text), width), 2, width))) {
          expect(widthOf(line.trimEnd())).toBeLessThanOrEqual(width)
        }
      }),
      { numRuns: 300 },
    )
  })
})
