/** Cassettes that are named after their tests. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cassettePath } from '../../src/integrations/cassette-path.ts'

const nameOf = (...names: readonly string[]): string =>
  cassettePath('/a/greeting.test.ts', names).replace('/a/__cassettes__/greeting.test/', '')

describe('the cassette of a test', () => {
  it('is beside the file of the test, named after its suites and itself', () => {
    expect(cassettePath('/a/greeting.test.ts', ['A chat', 'answers in rhymes!'])).toBe(
      '/a/__cassettes__/greeting.test/a-chat--answers-in-rhymes.cassette.yaml',
    )
  })

  it('keeps the letters of any script', () => {
    expect(nameOf('grüßt in 日本語')).toBe('grüßt-in-日本語.cassette.yaml')
  })

  it('does not take a suite and its test for another suite and its test', () => {
    expect(nameOf('a', 'b c')).not.toBe(nameOf('a b', 'c'))
  })

  it('has a name where the test has none', () => {
    expect(nameOf('???')).toMatch(/^test-[0-9a-f]{8}\.cassette\.yaml$/)
  })

  it('is a file name on every system, and long names are told apart', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { minLength: 1 }), names => {
        const name = nameOf(...names)
        expect(name).not.toMatch(/[\s/\\:*?"<>|]/)
        expect(name.length).toBeLessThan(120)
        // Beside it is written `.<name>.tmp`, and most systems take 255 bytes.
        expect(Buffer.byteLength(`.${name}.tmp`)).toBeLessThan(255)
      }),
    )
    expect(Buffer.byteLength(`.${nameOf('漢'.repeat(100))}.tmp`)).toBeLessThan(255)
    const long = 'a very long name of a test that goes on and on '.repeat(5)
    expect(nameOf(`${long}1`)).not.toBe(nameOf(`${long}2`))
  })

  it('is no device of Windows', () => {
    for (const device of ['con', 'NUL', 'aux!', 'Com1', 'lpt9']) {
      expect(nameOf(device)).toMatch(/^\w+-[0-9a-f]{8}\.cassette\.yaml$/)
    }
    expect(nameOf('console')).toBe('console.cassette.yaml')
    expect(nameOf('a suite', 'con')).toBe('a-suite--con.cassette.yaml')
  })
})
