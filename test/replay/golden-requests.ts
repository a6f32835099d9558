/** Requests that leave a recording, one for each kind of failure over HTTP: what is recorded, what comes, and why. */
import type { CauseName } from '../../src/dialect/cause.ts'
import type { Failure } from '../../src/replay/http.ts'
import type { JsonObject, JsonValue } from '../../src/wire/json.ts'
import { SERVICE, text, unary } from './exchanges.ts'
import { playbook, type Playbook, type PlaybookOptions } from './playbook.ts'

/** One failure: the file that holds its text, its cause, what its first line must say. */
export interface Golden {
  readonly file: string
  readonly cause: CauseName
  readonly says: string
  readonly fail: () => Failure
}

type Body = JsonValue | undefined
type Ask = readonly [path: string, body: Body | string | Uint8Array]

const GENERATE = '/models/gemini-2.5-flash:generateContent'
const STREAM = '/models/gemini-2.5-flash:streamGenerateContent?alt=sse'
const INTERACTIONS = '/interactions'

const said = (words: string): JsonObject => ({ role: 'user', parts: [{ text: words }] })
const told = (words: string): JsonObject => ({ role: 'model', parts: [{ text: words }] })
const tides = { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] }
const tool = { name: 'get_tide', description: 'The next high tide.', parametersJsonSchema: tides }
const called = (
  more: JsonObject = {},
  signature: JsonObject = { thoughtSignature: 'c2lnbmVk' },
): JsonObject => ({
  role: 'model',
  parts: [
    { functionCall: { id: 't4d8', name: 'get_tide', args: { harbour: 'Whitby' }, ...more }, ...signature },
  ],
})
const answered = (more: JsonObject = {}): JsonObject => ({
  role: 'user',
  parts: [{ functionResponse: { id: 't4d8', name: 'get_tide', response: { at: '14:05' }, ...more } }],
})

/** A request with everything in it. */
const full: JsonObject = {
  systemInstruction: { parts: [{ text: 'You know the sea. Be brief.' }] },
  tools: [{ functionDeclarations: [tool] }, { googleSearch: {} }],
  contents: [said('When is high tide in Whitby?')],
  generationConfig: {
    temperature: 0.5,
    responseSchema: { type: 'OBJECT', properties: { at: { type: 'STRING' } } },
  },
}
/** The second request of a tool turn. */
const tooled: JsonObject = { contents: [said('When is high tide in Whitby?'), called(), answered()] }

const without = (body: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
const contents = (...turns: readonly JsonValue[]): JsonObject => ({ contents: turns })

function exchange([path, body]: Ask) {
  const payload =
    body === undefined
      ? undefined
      : typeof body === 'string'
        ? text(body)
        : body instanceof Uint8Array
          ? text('')
          : ({ type: 'value', value: body } as const)
  return unary('', '{}', { request: { method: 'POST', url: SERVICE + path, headers: [], body: payload } })
}

function asks(play: Playbook, [path, body]: Ask): Playbook {
  const bytes = body instanceof Uint8Array ? body : encode(body)
  return play.asks(1, { url: `/v1beta${path}`, body: bytes })
}

function encode(body: Body): Uint8Array {
  if (body === undefined) return new Uint8Array()
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The failure of the last of some requests, on a recording of others. */
function failing(
  recorded: readonly Ask[],
  asked: readonly Ask[],
  options: PlaybookOptions = {},
): () => Failure {
  return () => {
    const play = playbook(recorded.map(exchange), { file: 'cassettes/tides.cassette.yaml', ...options })
    for (const ask of asked) asks(play, ask)
    return play.failure()
  }
}

/** One recorded body, and one that came instead. */
const changed = (recorded: Body, received: Body | string, path = GENERATE): (() => Failure) =>
  failing([[path, recorded]], [[path, received]])

const golden = (file: string, cause: CauseName, says: string, fail: () => Failure): Golden => ({
  file,
  cause,
  says,
  fail,
})

const operations: readonly Golden[] = [
  golden(
    'model',
    'model-changed',
    'the model is gemini-2.5-pro, recorded with gemini-2.5-flash',
    failing([[GENERATE, full]], [['/models/gemini-2.5-pro:generateContent', full]]),
  ),
  golden(
    'stream',
    'stream-changed',
    'a whole answer is asked for, recorded is a stream',
    failing([[STREAM, full]], [[GENERATE, full]]),
  ),
  golden('query', 'query-changed', 'the address has no query, recorded with ?alt=sse', () =>
    failing([[STREAM, full]], [[STREAM.replace('?alt=sse', ''), full]])(),
  ),
  golden(
    'resource',
    'resource-changed',
    'the resource is b, recorded with a',
    failing([['/files/a', {}]], [['/files/b', {}]]),
  ),
  golden(
    'operation',
    'operation-unknown',
    'no such operation is recorded',
    failing(
      [
        [STREAM, full],
        [INTERACTIONS, {}],
      ],
      [['/cachedContents', {}]],
    ),
  ),
  golden('nothing', 'nothing-recorded', 'nothing is recorded at all', failing([], [[GENERATE, full]])),
]

const fields: readonly Golden[] = [
  golden(
    'system-instruction',
    'system-instruction-changed',
    'the system instruction changed',
    changed(full, { ...full, systemInstruction: { parts: [{ text: 'You know the sea. Be thorough.' }] } }),
  ),
  golden(
    'system-instruction-missing',
    'system-instruction-changed',
    'the system instruction is missing',
    changed(full, without(full, 'systemInstruction')),
  ),
  golden(
    'tool-schema',
    'tool-schema-changed',
    'the schema of tool get_tide changed',
    changed(full, {
      ...full,
      tools: [
        { functionDeclarations: [{ ...tool, parametersJsonSchema: { ...tides, required: [] } }] },
        { googleSearch: {} },
      ],
    }),
  ),
  golden(
    'tool-description',
    'tool-description-changed',
    'the description of tool get_tide changed',
    changed(full, {
      ...full,
      tools: [{ functionDeclarations: [{ ...tool, description: 'When it is high.' }] }, { googleSearch: {} }],
    }),
  ),
  golden(
    'tool-renamed',
    'tool-renamed',
    'tool get_tide was renamed to find_tide',
    changed(full, {
      ...full,
      tools: [{ functionDeclarations: [{ ...tool, name: 'find_tide' }] }, { googleSearch: {} }],
    }),
  ),
  golden(
    'tool-missing',
    'tool-missing',
    'tool googleSearch is missing',
    changed(full, { ...full, tools: [{ functionDeclarations: [tool] }] }),
  ),
  golden(
    'generation-config',
    'generation-config-changed',
    'the generation config changed (temperature, seed)',
    changed(full, {
      ...full,
      generationConfig: { ...(full['generationConfig'] as JsonObject), temperature: 0.7, seed: 7 },
    }),
  ),
  golden(
    'response-schema',
    'response-schema-changed',
    'the schema of the answer changed',
    changed(full, { ...full, generationConfig: { temperature: 0.5, responseSchema: { type: 'STRING' } } }),
  ),
  golden(
    'two-causes',
    'system-instruction-changed',
    'the system instruction is missing; also tool get_tide is missing',
    changed(full, without({ ...full, tools: [{ googleSearch: {} }] }, 'systemInstruction')),
  ),
  golden('field', 'field-changed', '`labels` was added', changed(full, { ...full, labels: { team: 'sea' } })),
]

const turns = [said('Hello'), told('Hi. What do you want to know?'), said('The tides.')] as const

const conversation: readonly Golden[] = [
  golden(
    'user-text',
    'user-text-changed',
    'the text of the last user message changed',
    changed(contents(...turns), contents(turns[0], turns[1], said('The tides of Whitby.'))),
  ),
  golden(
    'model-text',
    'model-text-changed',
    'the text of turn 2 (model) is sent back changed',
    changed(contents(...turns), contents(turns[0], told('Hi.'), turns[2])),
  ),
  golden(
    'history-longer',
    'history-longer',
    'the history is longer by 2 turns',
    changed(contents(turns[2]), contents(...turns)),
  ),
  golden(
    'history-shorter',
    'history-shorter',
    'the history is shorter by 1 turn',
    changed(contents(...turns), contents(turns[0], turns[2])),
  ),
  golden(
    'role',
    'role-changed',
    "turn 2 is the user's, recorded as the model's",
    changed(contents(...turns), contents(turns[0], said('Hi. What do you want to know?'), turns[2])),
  ),
  golden(
    'signature-missing',
    'thought-signature-missing',
    'the thought signature of the call of get_tide of turn 2 (model) is missing',
    changed(tooled, contents(said('When is high tide in Whitby?'), called({}, {}), answered())),
  ),
  golden(
    'signature-changed',
    'thought-signature-changed',
    'the thought signature of the call of get_tide of turn 2 (model) changed',
    changed(
      tooled,
      contents(said('When is high tide in Whitby?'), called({}, { thoughtSignature: 'b3RoZXI' }), answered()),
    ),
  ),
  golden(
    'call-arguments',
    'function-call-changed',
    'is sent back with other arguments',
    changed(
      tooled,
      contents(said('When is high tide in Whitby?'), called({ args: { harbour: 'Hull' } }), answered()),
    ),
  ),
  golden(
    'response-missing',
    'function-response-missing',
    'the function response of get_tide is missing, the answer to call t4d8',
    changed(tooled, contents(said('When is high tide in Whitby?'), called())),
  ),
  golden(
    'response-id',
    'function-response-id-changed',
    'answers call t4d9, recorded as the answer to call t4d8',
    changed(tooled, contents(said('When is high tide in Whitby?'), called(), answered({ id: 't4d9' }))),
  ),
  golden(
    'response-says',
    'function-response-changed',
    'the function response of get_tide of the last user message says something else',
    changed(
      tooled,
      contents(said('When is high tide in Whitby?'), called(), answered({ response: { at: 'noon' } })),
    ),
  ),
  golden(
    'media-of-megabytes',
    'media-changed',
    'the media of the last user message changed',
    changed(contents(photo('A')), contents(photo('B'))),
  ),
]

function photo(byte: string): JsonObject {
  const data = `${'/9j/'.repeat(500_000)}${byte}${'AAAA'.repeat(500_000)}`
  return {
    role: 'user',
    parts: [{ inlineData: { mimeType: 'image/jpeg', data } }, { text: 'What is this?' }],
  }
}

const many = Array.from({ length: 400 }, (_, index) => said(`Question ${index}, ${'with words '.repeat(40)}`))

const others: readonly Golden[] = [
  golden(
    'again',
    'same-request-again',
    'it is the same request again',
    failing(
      [
        [GENERATE, full],
        [GENERATE, tooled],
      ],
      [
        [GENERATE, full],
        [GENERATE, full],
      ],
    ),
  ),
  golden(
    'order',
    'out-of-order',
    'it is asked out of order',
    failing(
      [
        [GENERATE, full],
        [GENERATE, tooled],
      ],
      [[GENERATE, tooled]],
      { match: 'strict-order' },
    ),
  ),
  golden(
    'ranked',
    'user-text-changed',
    'the text of the last user message changed',
    failing(
      [
        [GENERATE, full],
        [GENERATE, contents(said('Why is the sky blue?'))],
        [GENERATE, contents(...turns)],
        [GENERATE, contents(said('Why is the sea blue?'))],
      ],
      [
        [GENERATE, contents(said('Why is the sky blue?'))],
        [GENERATE, contents(said('Why is the sea blue, then?'))],
      ],
    ),
  ),
  golden('not-json', 'body-not-json', 'the body is no JSON', changed(full, 'contents=tides')),
  golden('no-body', 'body-missing', 'the request has no body', changed(full, undefined)),
  golden(
    'body-unexpected',
    'body-unexpected',
    'the request has a body, recorded is none',
    changed(undefined, full),
  ),
  golden(
    'everything-changed',
    'user-text-changed',
    'the text of turn 1 (user) changed',
    changed(contents(...many), contents(...many.map((_, index) => said(`${index}`)))),
  ),
  golden(
    'match-function',
    'match-function-failed',
    'it threw TypeError',
    failing([[GENERATE, full]], [[GENERATE, full]], {
      match: () => {
        throw new TypeError('undefined is no function')
      },
    }),
  ),
]

const turnInput = (signature: JsonObject): JsonValue => [
  { type: 'user_input', content: [{ type: 'text', text: 'When is high tide in Whitby?' }] },
  { type: 'thought', summary: [{ type: 'text', text: 'The table has it.' }], ...signature },
  { type: 'function_call', id: 't4d8', name: 'get_tide', arguments: { harbour: 'Whitby' } },
  { type: 'function_result', call_id: 't4d8', name: 'get_tide', result: [{ type: 'text', text: '14:05' }] },
]
const interaction = (more: JsonObject): JsonObject => ({
  model: 'gemini-3-flash-preview',
  input: 'And tomorrow?',
  previous_interaction_id: 'v1_abc',
  tools: [{ type: 'function', name: 'get_tide', parameters: tides }],
  ...more,
})

const interactions: readonly Golden[] = [
  golden(
    'interaction-model',
    'model-changed',
    'the model is gemini-3-pro-preview, recorded with gemini-3-flash-preview',
    changed(interaction({}), interaction({ model: 'gemini-3-pro-preview' }), INTERACTIONS),
  ),
  golden(
    'interaction-previous',
    'previous-interaction-changed',
    'the id of the interaction that it continues is missing',
    changed(interaction({}), without(interaction({}), 'previous_interaction_id'), INTERACTIONS),
  ),
  golden(
    'interaction-tool',
    'tool-schema-changed',
    'the schema of tool get_tide changed',
    changed(
      interaction({}),
      interaction({ tools: [{ type: 'function', name: 'get_tide', parameters: { type: 'object' } }] }),
      INTERACTIONS,
    ),
  ),
  golden(
    'interaction-signature',
    'thought-signature-missing',
    'the thought signature of the thought of turn 2 (model) is missing',
    changed(
      interaction({ input: turnInput({ signature: 'c2lnbmVk' }) }),
      interaction({ input: turnInput({}) }),
      INTERACTIONS,
    ),
  ),
]

/** Every failure over HTTP. */
export const GOLDEN_REQUESTS: readonly Golden[] = [
  ...operations,
  ...fields,
  ...conversation,
  ...others,
  ...interactions,
]
