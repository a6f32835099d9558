/** Which cause a difference between two requests has. What is told of it as a whole is in `test/replay/golden`. */
import { describe, expect, it } from 'vitest'
import { CAUSES, type CauseName } from '../../src/dialect/cause.ts'
import { explainOperation } from '../../src/dialect/cause-operation.ts'
import { dialectNamed } from '../../src/dialect/operation.ts'
import type { JsonObject, JsonValue } from '../../src/wire/json.ts'
import { GOLDEN_REQUESTS } from '../replay/golden-requests.ts'
import { GOLDEN_SOCKETS } from '../replay/golden-sockets.ts'

type Row = readonly [cause: CauseName, words: string, recorded: JsonValue, received: JsonValue]

const part = (...parts: readonly JsonObject[]): JsonValue => ({ contents: [{ role: 'model', parts }] })
const tools = (...declared: readonly JsonObject[]): JsonValue => ({
  tools: [{ functionDeclarations: declared }],
})
const call = { functionCall: { id: '1', name: 'f', args: { a: 1 } } }
const response = { functionResponse: { id: '1', name: 'f', response: { a: 1 } } }
const step = (...steps: readonly JsonObject[]): JsonValue => ({ input: steps })

const MODELS: readonly Row[] = [
  ['tool-added', 'tool g was added', tools({ name: 'f' }), tools({ name: 'f' }, { name: 'g' })],
  [
    'tools-reordered',
    'another order',
    tools({ name: 'f' }, { name: 'g' }),
    tools({ name: 'g' }, { name: 'f' }),
  ],
  [
    'tool-changed',
    'the tools are the same, but put together in another way',
    tools({ name: 'f' }, { name: 'g' }),
    { tools: [{ functionDeclarations: [{ name: 'f' }] }, { functionDeclarations: [{ name: 'g' }] }] },
  ],
  ['tool-changed', 'tool f', tools({ name: 'f' }), tools({ name: 'f', behavior: 'NON_BLOCKING' })],
  [
    'tool-changed',
    'tool googleSearch',
    { tools: [{ googleSearch: {} }] },
    { tools: [{ googleSearch: { a: 1 } }] },
  ],
  ['tool-missing', 'tool f is missing', tools({ name: 'f' }), {}],
  [
    'tool-config-changed',
    'the tool config changed (functionCallingConfig)',
    { toolConfig: { functionCallingConfig: { mode: 'AUTO' } } },
    { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
  ],
  ['safety-settings-changed', 'the list of safety settings was added', {}, { safetySettings: [] }],
  ['cached-content-changed', 'is b, recorded with a', { cachedContent: 'a' }, { cachedContent: 'b' }],
  ['model-changed', 'the model is b, recorded with a', { model: 'a' }, { model: 'b' }],
  [
    'response-schema-changed',
    'is missing',
    { generationConfig: { responseSchema: {} } },
    { generationConfig: {} },
  ],
  ['generation-config-changed', 'is missing (topK)', { generationConfig: { topK: 1 } }, {}],
  ['thought-changed', 'the thought', part({ text: 'a', thought: true }), part({ text: 'b', thought: true })],
  [
    'thought-signature-added',
    'has a thought signature',
    part({ text: 'a' }),
    part({ text: 'a', thoughtSignature: 's' }),
  ],
  [
    'thought-signature-missing',
    'the part that has a thought signature alone is missing',
    part({ text: 'a' }, { text: '', thoughtSignature: 's' }),
    part({ text: 'a' }),
  ],
  ['function-response-added', 'was added', part(), part(response)],
  ['function-response-missing', 'the answer to call 1', part(response), part()],
  [
    'function-response-name-changed',
    'is one of g, recorded as one of f',
    part(response),
    part({ functionResponse: { ...response.functionResponse, name: 'g' } }),
  ],
  [
    'function-call-changed',
    'has id 2',
    part(call),
    part({ functionCall: { ...call.functionCall, id: '2' } }),
  ],
  [
    'function-call-changed',
    'one of g',
    part(call),
    part({ functionCall: { ...call.functionCall, name: 'g' } }),
  ],
  ['part-missing', 'the call of f is missing', part(call), part()],
  ['part-added', 'the text was added', part(), part({ text: 'a' })],
  [
    'part-changed',
    'a part',
    part({ executableCode: { code: 'a' } }),
    part({ executableCode: { code: 'b' } }),
  ],
  ['part-changed', 'turn 1', { contents: [{ parts: [], a: 1 }] }, { contents: [{ parts: [], a: 2 }] }],
  ['file-changed', 'is another', part({ fileData: { fileUri: 'a' } }), part({ fileData: { fileUri: 'b' } })],
  [
    'user-text-changed',
    'last user message',
    { content: { parts: [{ text: 'a' }] } },
    { content: { parts: [{ text: 'b' }] } },
  ],
  ['field-changed', '`constructor` was added', {}, JSON.parse('{"constructor":1}') as JsonValue],
  ['body-changed', 'the body is another', [1], [2]],
]

const INTERACTIONS: readonly Row[] = [
  ['model-changed', 'the agent is b', { agent: 'a' }, { agent: 'b' }],
  ['stream-changed', 'a stream is asked for', {}, { stream: true }],
  ['stream-changed', 'a whole answer is asked for', { stream: true }, {}],
  [
    'response-schema-changed',
    'the format of the answer changed',
    { response_format: 1 },
    { response_format: 2 },
  ],
  [
    'generation-config-changed',
    '(thinking_level)',
    { generation_config: { thinking_level: 'low' } },
    { generation_config: {} },
  ],
  ['user-text-changed', 'last user message', { input: 'a' }, { input: 'b' }],
  [
    'history-longer',
    'by 1 turn',
    step({ type: 'user_input', content: 'a' }),
    step({ type: 'user_input', content: 'a' }, { type: 'thought' }),
  ],
  [
    'user-text-changed',
    'last user message',
    { input: { type: 'text', text: 'a' } },
    { input: { type: 'text', text: 'b' } },
  ],
  [
    'function-response-id-changed',
    'answers call 2, recorded as the answer to call 1',
    step({ type: 'function_result', call_id: '1', result: 1 }),
    step({ type: 'function_result', call_id: '2', result: 1 }),
  ],
  [
    'function-call-changed',
    'other arguments',
    step({ type: 'function_call', id: '1', name: 'f', arguments: {} }),
    step({ type: 'function_call', id: '1', name: 'f', arguments: { a: 1 } }),
  ],
  ['media-changed', 'the media', step({ type: 'image', data: 'a' }), step({ type: 'image', data: 'b' })],
  ['file-changed', 'the file', step({ type: 'image', uri: 'a' }), step({ type: 'image', uri: 'b' })],
  ['part-changed', 'a part', step({ type: 'new', a: 1 }), step({ type: 'new', a: 2 })],
  ['part-changed', 'a part', { input: [1] }, { input: [2] }],
  [
    'model-text-changed',
    'sent back changed',
    step({ role: 'model', content: 'a' }),
    step({ role: 'model', content: 'b' }),
  ],
  ['body-changed', 'the body is another', [1], [2]],
]

const OPERATIONS: readonly (readonly [CauseName, string, string])[] = [
  ['method-changed', 'GET files', 'POST files'],
  ['resource-changed', 'DELETE interactions/a', 'DELETE interactions/b'],
  ['operation-unknown', 'GET files/a', 'GET caches/a'],
  ['operation-unknown', 'POST interactions/a:cancel', 'POST interactions/b:delete'],
  ['stream-changed', 'POST models/m:generateContent', 'POST models/m:streamGenerateContent?alt=sse'],
  ['query-changed', 'GET interactions/a?stream=true', 'GET interactions/a'],
]

describe.each([
  ['generate-content', MODELS],
  ['interactions', INTERACTIONS],
])('a request of %s', (name, rows) => {
  const dialect = dialectNamed(name)

  it.each(rows)('differs by %s: %s', (cause, words, recorded, received) => {
    const [first] = dialect?.explain(recorded, received) ?? []
    expect(first?.name).toBe(cause)
    expect(first?.words).toContain(words)
  })

  it.each(rows)('has no cause where nothing differs: %s', (_cause, _words, recorded) => {
    if (!Array.isArray(recorded)) expect(dialect?.explain(recorded, recorded)).toEqual([])
  })
})

it.each(OPERATIONS)('an operation differs by %s: %s, %s', (cause, recorded, received) => {
  const told = explainOperation(recorded, received)
  expect(told.cause.name).toBe(cause)
  expect(told.near).toBe(cause !== 'operation-unknown')
})

it('quotes no more than a short line of what a request says', () => {
  const [first] =
    dialectNamed('generate-content')?.explain({ model: 'a' }, { model: 'b\n'.repeat(500) }) ?? []
  expect(first?.words.length).toBeLessThan(120)
  expect(first?.words).not.toContain('\n')
})

it('has every cause shown here or in a text', () => {
  const shown = new Set([
    ...[...MODELS, ...INTERACTIONS, ...OPERATIONS].map(([cause]) => cause),
    ...[...GOLDEN_REQUESTS, ...GOLDEN_SOCKETS].map(({ cause }) => cause),
  ])
  expect([...shown].toSorted()).toEqual([...CAUSES].toSorted())
})
