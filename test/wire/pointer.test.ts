/** JSON pointers: how they are read, and what is left without the places that they lead to. */
import { describe, expect, it } from 'vitest'
import {
  isPlaceIn,
  readPointer,
  withoutPlaces,
  withoutPlacesAt,
  writePointer,
} from '../../src/wire/pointer.ts'
import type { JsonValue } from '../../src/wire/json.ts'

/** RFC 6901 §5, but for the empty pointer, which is none here. */
const EXAMPLES: readonly (readonly [string, readonly string[]])[] = [
  ['/foo', ['foo']],
  ['/foo/0', ['foo', '0']],
  ['/', ['']],
  ['/a~1b', ['a/b']],
  ['/c%d', ['c%d']],
  ['/e^f', ['e^f']],
  ['/g|h', ['g|h']],
  [String.raw`/i\j`, [String.raw`i\j`]],
  ['/k"l', ['k"l']],
  ['/ ', [' ']],
  ['/m~0n', ['m~n']],
  ['/~01', ['~1']],
]

function without(value: JsonValue, ...pointers: readonly string[]): JsonValue {
  return withoutPlaces(value, pointers.map(steps))
}

function steps(text: string): readonly string[] {
  const reading = readPointer(text)
  if (reading.type === 'wrong') throw new Error(reading.why)
  return reading.pointer
}

describe('a pointer', () => {
  it.each(EXAMPLES)('%s is read as %j, and written back', (text, pointer) => {
    expect(readPointer(text)).toEqual({ type: 'pointer', pointer })
    expect(writePointer(pointer)).toBe(text)
  })

  it.each([
    ['', '/key'],
    ['#/a/b', '/a/b'],
    ['$.a[0]["b/c"].*.d', '/a/0/b~1c/*/d'],
    ['$', '/key'],
    ['a/b', '/a/b'],
    ['/a~2~', '/a~02~0'],
  ])('%s is none, and what would be is told', (text, right) => {
    expect(readPointer(text)).toMatchObject({ type: 'wrong', right })
    expect(readPointer(right)).toMatchObject({ type: 'pointer' })
  })
})

describe('a value without some places', () => {
  it('loses nothing else', () => {
    const value: JsonValue = { a: [{ b: 1, c: 2 }, { b: 3 }], d: null }
    expect(without(value, '/a/0/b')).toEqual({ a: [{ c: 2 }, { b: 3 }], d: null })
    expect(without(value, '/a/*/b')).toEqual({ a: [{ c: 2 }, {}], d: null })
    expect(without(value, '/*/1', '/d')).toEqual({ a: [{ b: 1, c: 2 }] })
    expect(without(value, '/a/0')).toEqual({ a: [null, { b: 3 }], d: null })
    expect(without(value, '/a/*')).toEqual({ a: [], d: null })
    expect(without(value, '/x', '/a/7/b', '/d/e', '/a/b')).toEqual(value)
    expect(without(value)).toBe(value)
    expect(without('text', '/a')).toBe('text')
  })

  it('takes a step in snake_case for a key in camelCase, where only that is there', () => {
    expect(without({ topK: 1, top_p: 2 }, '/top_k', '/top_p')).toEqual({})
    expect(without({ topK: 1, top_k: 2 }, '/top_k')).toEqual({ topK: 1 })
  })

  it('may be one of those places', () => {
    const place = ['a', 'b', 'c']
    expect(['/a/b/c', '/a', '/a/*/c', '/*'].map(text => isPlaceIn(place, [steps(text)]))).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(['/a/b/c/d', '/b', '/a/*/d'].map(text => isPlaceIn(place, [steps(text)]))).toEqual([
      false,
      false,
      false,
    ])
  })

  it('may itself stand somewhere', () => {
    const place = ['a', '*']
    expect(withoutPlacesAt({ b: 1, c: 2 }, place, [steps('/a/3/b')])).toEqual({ c: 2 })
    expect(withoutPlacesAt({ b: 1, c: 2 }, place, [steps('/a/*/b'), steps('/x/0/c')])).toEqual({ c: 2 })
    expect(withoutPlacesAt({ b: 1 }, place, [steps('/a/b/b')])).toEqual({ b: 1 })
    expect(withoutPlacesAt({ b: 1 }, place, [steps('/a')])).toBeNull()
  })
})
