/** Which request bodies are the same, and which are not. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialectNamed } from '../../src/dialect/operation.ts'
import type { JsonValue } from '../../src/wire/json.ts'

function folded(dialect: string, body: JsonValue): JsonValue | undefined {
  return dialectNamed(dialect)?.fold(body)
}

function expectSame(one: JsonValue, other: JsonValue): void {
  expect(folded('generate-content', one)).toEqual(folded('generate-content', other))
}

function expectDifferent(one: JsonValue, other: JsonValue): void {
  expect(folded('generate-content', one)).not.toEqual(folded('generate-content', other))
}

describe('a models request', () => {
  it('is the same in either key case', () => {
    expectSame(
      {
        contents: [{ role: 'user', parts: [{ inline_data: { mime_type: 'a/b', data: '' } }] }],
        generation_config: { top_k: 1 },
      },
      {
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'a/b', data: '' } }] }],
        generationConfig: { topK: 1 },
      },
    )
  })

  it.each<readonly [string, (key: string) => JsonValue]>([
    ['call arguments', key => ({ parts: [{ functionCall: { name: 'f', args: { [key]: 1 } } }] })],
    ['a response', key => ({ parts: [{ functionResponse: { name: 'f', response: { [key]: 1 } } }] })],
    [
      'a response, in snake case',
      key => ({ parts: [{ function_response: { response: { [key]: { [key]: 1 } } } }] }),
    ],
    [
      'schema properties',
      key => ({ functionDeclarations: [{ parameters: { properties: { [key]: { type: 'STRING' } } } }] }),
    ],
    ['a response schema', key => ({ generationConfig: { responseSchema: { properties: { [key]: {} } } } })],
    ['a JSON schema', key => ({ functionDeclarations: [{ parametersJsonSchema: { [key]: 1 } }] })],
    [
      'a JSON schema, in snake case',
      key => ({ function_declarations: [{ parameters_json_schema: { [key]: 1 } }] }),
    ],
    ['a response JSON schema', key => ({ generationConfig: { responseJsonSchema: { [key]: 1 } } })],
    ['a schema default', key => ({ responseSchema: { default: { [key]: 1 } } })],
    ['labels', key => ({ labels: { [key]: 'x' } })],
    ['instances', key => ({ instances: [{ [key]: 1 }] })],
    ['prediction parameters', key => ({ instances: [], parameters: { [key]: 1 } })],
  ])('is another where the case differs in %s', (_where, body) => {
    expectDifferent(body('some_key'), body('someKey'))
    expectSame(body('some_key'), body('some_key'))
  })

  it('is the same in either key case within a schema', () => {
    expectSame(
      {
        tools: [
          {
            function_declarations: [{ parameters: { properties: { a_b: { any_of: [{ min_items: 1 }] } } } }],
          },
        ],
      },
      {
        tools: [
          { functionDeclarations: [{ parameters: { properties: { a_b: { anyOf: [{ minItems: 1 }] } } } }] },
        ],
      },
    )
    expectSame(
      { functionDeclarations: [{ response: { min_items: 1 } }] },
      { functionDeclarations: [{ response: { minItems: 1 } }] },
    )
  })

  it('keeps both where both cases are there', () => {
    expect(folded('generate-content', { top_k: 1, topK: 2 })).toEqual({ top_k: 1, topK: 2 })
  })

  it('keeps keys that only look like snake case, and those that are special', () => {
    expect(folded('generate-content', { _: 1, a_: 2, __proto: 3 })).toEqual({ _: 1, a_: 2, __proto: 3 })
    const special: JsonValue = JSON.parse('{"__proto__": {"a": 1}}')
    expect(JSON.stringify(folded('generate-content', special))).toBe('{"__proto__":{"a":1}}')
  })

  it('is the same whatever the order of keys, and another in another order of items', () => {
    expectSame({ a: 1, b: 2 }, { b: 2, a: 1 })
    expectDifferent({ a: [1, 2] }, { a: [2, 1] })
  })

  it('is the same whenever it was sent', () => {
    expectSame(
      { uses: 1, expireTime: '2026-11-30T10:00:00Z', new_session_expire_time: '2026-11-30T10:00:00Z' },
      { uses: 1, expireTime: '2026-12-01T10:00:00Z', newSessionExpireTime: '2026-12-01T10:00:00Z' },
    )
    expectSame(
      { batch: { displayName: 'genaiBatchJob_1764500000000' } },
      { batch: { display_name: 'genai_batch_job_1764500000.123' } },
    )
    expectDifferent({ batch: { displayName: 'mine' } }, { batch: { displayName: 'yours' } })
  })

  it('settings that set nothing are the same as none', () => {
    expectSame({ contents: [], generationConfig: {} }, { contents: [] })
    expectSame({ setup: { model: 'm', generation_config: {} } }, { setup: { model: 'm' } })
    expectDifferent({ contents: [], generationConfig: { temperature: 0 } }, { contents: [] })
    expectDifferent({ contents: [], tools: [{ googleSearch: {} }] }, { contents: [], tools: [] })
  })

  it.each(['thoughtSignature', 'thought_signature'])('is the same in either base64 alphabet: %s', key => {
    expectSame({ parts: [{ text: '', [key]: '+/8=' }] }, { parts: [{ text: '', thoughtSignature: '-_8' }] })
    expectDifferent(
      { parts: [{ text: '', [key]: '+/8=' }] },
      { parts: [{ text: '', thoughtSignature: '-_9' }] },
    )
    expectSame({ parts: [{ inlineData: { data: '+/8=' } }] }, { parts: [{ inline_data: { data: '-_8=' } }] })
    expectDifferent({ parts: [{ text: '+/8=' }] }, { parts: [{ text: '-_8=' }] })
    expectDifferent(
      { parts: [{ functionCall: { args: { data: '+/8=' } } }] },
      { parts: [{ functionCall: { args: { data: '-_8=' } } }] },
    )
  })

  it('is the same whichever ids a client made up, as long as the same are the same', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(letter => `adk-${letter.repeat(8)}-1111-2222-3333-444444444444`)
    const calls = (one = '', other = '', answered = ''): JsonValue => ({
      contents: [
        { parts: [{ functionCall: { id: one, name: 'f' } }, { functionCall: { id: other, name: 'f' } }] },
        { parts: [{ functionResponse: { id: answered, name: 'f', response: {} } }] },
      ],
    })
    expectSame(calls(a, b, a), calls(b, c, b))
    expectDifferent(calls(a, b, a), calls(a, b, b))
    expectDifferent(calls(a, b, a), calls(a, a, a))
    expectDifferent(calls(a, b, a), calls('adk-1', b, 'adk-1'))
    expectDifferent(calls('adk-1', b, 'adk-1'), calls('adk-2', b, 'adk-2'))
  })

  it('is another where a signature, an id or a continuation differs', () => {
    expectDifferent(
      { parts: [{ text: '', thoughtSignature: 'a' }] },
      { parts: [{ text: '', thoughtSignature: 'b' }] },
    )
    expectDifferent({ functionCall: { id: '1' } }, { functionCall: { id: '2' } })
    expectDifferent({ continuationToken: 'a' }, { continuationToken: 'b' })
  })

  it('is the same in another project and with other placeholder numbers', () => {
    expectSame(
      { model: 'projects/p/locations/l/publishers/google/models/m', cachedContent: 'x redacted-api-key-1' },
      {
        model: 'projects/redacted-project-2/locations/l/publishers/google/models/m',
        cachedContent: 'x redacted-api-key-9',
      },
    )
    expectDifferent(
      { model: 'projects/p/locations/l/models/m' },
      { model: 'projects/p/locations/k/models/m' },
    )
  })
})

describe('an Interactions request', () => {
  it('is another in another key case', () => {
    expect(folded('interactions', { top_k: 1, input: [{ mime_type: 'x' }] })).toEqual({
      top_k: 1,
      input: [{ mime_type: 'x' }],
    })
  })

  it('is the same whichever ids a client made up', () => {
    const [a, b] = ['a', 'b'].map(letter => `adk-${letter.repeat(8)}-1111-2222-3333-444444444444`)
    const steps = (id = '', answered = ''): JsonValue => ({
      input: [
        { type: 'function_call', id, name: 'f', arguments: { id: 'adk-1' } },
        { type: 'function_result', call_id: answered, result: { id } },
      ],
    })
    expect(folded('interactions', steps(a, a))).toEqual({
      input: [
        { type: 'function_call', id: 'adk-#1', name: 'f', arguments: { id: 'adk-1' } },
        { type: 'function_result', call_id: 'adk-#1', result: { id: a } },
      ],
    })
    expect(folded('interactions', steps(a, b))).not.toEqual(folded('interactions', steps(a, a)))
  })

  it('is the same with other placeholder numbers', () => {
    expect(folded('interactions', { a: ['redacted-token-3', null, 1, true] })).toEqual({
      a: ['redacted-token', null, 1, true],
    })
  })
})

describe('folding', () => {
  const names =
    'contents parts text functionCall function_response response args id name displayName data inline_data thoughtSignature role top_k topK labels tools'
  const keys = fc.constantFrom(...names.split(' '))
  const { body } = fc.letrec<{ body: JsonValue; leaf: JsonValue }>(tie => ({
    leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    body: fc.oneof(
      { depthSize: 'small' },
      tie('leaf'),
      fc.array(tie('body'), { maxLength: 3 }),
      fc.dictionary(keys, tie('body'), { maxKeys: 4 }),
    ),
  }))

  /** The same with its leaf of this number changed; the number that is left where there are fewer. */
  function changed(value: JsonValue, at: number): readonly [JsonValue, number] {
    if (Array.isArray(value)) {
      let left = at
      return [value.map(item => step(item)), left]
      function step(item: JsonValue): JsonValue {
        const [made, rest] = changed(item, left)
        left = rest
        return made
      }
    }
    if (typeof value !== 'object' || value === null) return [at === 0 ? 'changed' : value, at - 1]
    const [items, left] = changed(Object.values(value), at)
    const made = Array.isArray(items) ? items : []
    return [Object.fromEntries(Object.keys(value).map((key, index) => [key, made[index] ?? null])), left]
  }

  it.each(['generate-content', 'interactions', 'unknown'])('hides no value that changed: %s', dialect => {
    fc.assert(
      fc.property(body, fc.nat(12), (value, at) => {
        const [other] = changed(value, at)
        fc.pre(JSON.stringify(other) !== JSON.stringify(value))
        expect(folded(dialect, other)).not.toEqual(folded(dialect, value))
      }),
    )
  })
})
