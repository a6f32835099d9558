/** What a message shows of a file: little, and nothing that a terminal would obey. */
import { describe, expect, it } from 'vitest'
import { codeFrame, excerpt, MAX_EXCERPT } from '../../src/cassette/code-frame.ts'
import { positionOf, sourceOf } from '../../src/cassette/source.ts'

describe('a code frame', () => {
  it('has the line before, the line, a caret under the column, and the line after', () => {
    const lines = ['a: 1', 'bb: 2', 'c: 3', 'd: 4']
    expect(codeFrame(lines, 2, 5)).toBe(['  1 | a: 1', '> 2 | bb: 2', '    |     ^', '  3 | c: 3'].join('\n'))
  })

  it.each([
    [1, '> 1 | a\n    | ^\n  2 | b'],
    [2, '  1 | a\n> 2 | b\n    | ^'],
  ])('ends where the file does: line %i', (line, frame) => {
    expect(codeFrame(['a', 'b'], line, 1)).toBe(frame)
  })

  it('aligns the numbers of its lines', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`)
    expect(codeFrame(lines, 10, 1)).toBe('   9 | line 9\n> 10 | line 10\n     | ^\n  11 | line 11')
  })

  it('shows only a window of a long line, with the caret in it', () => {
    const line = `${'x'.repeat(500)}WRONG${'y'.repeat(500)}`
    const [shown = '', caret = ''] = codeFrame([line], 1, 501).split('\n')
    expect(shown.slice(caret.indexOf('^'))).toMatch(/^WRONGy/)
    expect(shown.length).toBeLessThanOrEqual(MAX_EXCERPT + '> 1 | '.length)
  })

  it('has no control characters, no half characters, and tabs of one column', () => {
    expect(codeFrame(['a\tb\u001b[31mc\u0007\ud83d', 'x \u{1f600} y'], 1, 3)).toBe(
      '> 1 | a b\ufffd[31mc\ufffd\ufffd\n    |   ^\n  2 | x \u{1f600} y',
    )
  })
})

describe('an excerpt', () => {
  it('is the text where that is short', () => {
    expect(excerpt('short')).toBe('short')
  })

  it('is cut where it is long', () => {
    expect(excerpt('x'.repeat(1000))).toBe(`${'x'.repeat(MAX_EXCERPT - 3)}...`)
  })

  it('is one line', () => {
    expect(excerpt('a\nb')).toBe('a\ufffdb')
  })
})

describe('a position', () => {
  it.each([
    [0, 1, 1],
    [2, 1, 3],
    [3, 2, 1],
    [4, 3, 1],
    [6, 3, 3],
  ])('of offset %i is %i:%i', (offset, line, column) => {
    expect(positionOf(sourceOf('ab\n\ncd', 'x'), offset)).toEqual({ line, column })
  })

  it('counts CRLF as one character and a byte order mark as none', () => {
    expect(positionOf(sourceOf('\ufeffab\r\ncd', 'x'), 4)).toEqual({ line: 2, column: 2 })
  })
})
