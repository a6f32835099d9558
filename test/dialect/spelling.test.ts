/** The bytes that a value stands for, in each API's own spelling. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialectNamed } from '../../src/dialect/operation.ts'
import { spellCompact, spellPretty, spellSpaced } from '../../src/dialect/spelling.ts'
import type { JsonValue } from '../../src/wire/json.ts'

const VALUE: JsonValue = { a: [1, { b: 'x"ü' }, [], {}], c: null, d: true }

describe('a JSON body', () => {
  it('is spelled on several lines with two blanks and a line feed at the end', () => {
    expect(spellPretty(VALUE)).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x\\"ü"\n    },\n    [],\n    {}\n  ],\n  "c": null,\n  "d": true\n}\n',
    )
  })

  it('is spelled so in the models API and in Interactions', () => {
    expect(dialectNamed('generate-content')?.spell(VALUE)).toBe(spellPretty(VALUE))
    expect(dialectNamed('interactions')?.spell(VALUE)).toBe(spellPretty(VALUE))
  })

  it('is as JavaScript spells it where nothing else is known', () => {
    expect(dialectNamed('unknown')?.spell(VALUE)).toBe(JSON.stringify(VALUE))
  })
})

describe('the JSON of an event', () => {
  it('has a blank after each colon and none after a comma in a model stream', () => {
    expect(spellSpaced(VALUE)).toBe('{"a": [1,{"b": "x\\"ü"},[],{}],"c": null,"d": true}')
    expect(dialectNamed('generate-content')?.spellEvent(VALUE)).toBe(spellSpaced(VALUE))
  })

  it('has no blanks in Interactions', () => {
    expect(dialectNamed('interactions')?.spellEvent(VALUE)).toBe(
      '{"a":[1,{"b":"x\\"ü"},[],{}],"c":null,"d":true}',
    )
  })
})

describe('numbers', () => {
  it('are spelled as they were, in order', () => {
    expect(spellCompact({ a: 1, b: [2.5, { c: 100_000 }] }, ['1.0', '25e-1', '1e5'])).toBe(
      '{"a":1.0,"b":[25e-1,{"c":1e5}]}',
    )
  })
})

describe('any value', () => {
  const values = fc.json({ maxDepth: 4 }).map((text): JsonValue => JSON.parse(text))

  it('is read back the same, and spelled as JSON.stringify spells it', () => {
    fc.assert(
      fc.property(values, value => {
        expect(JSON.parse(spellSpaced(value))).toEqual(value)
        expect(spellCompact(value)).toBe(JSON.stringify(value))
        expect(spellPretty(value)).toBe(`${JSON.stringify(value, null, 2)}\n`)
      }),
    )
  })
})
