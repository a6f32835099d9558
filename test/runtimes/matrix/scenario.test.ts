/** What an app does on a recording is derived from the recording. */
import { describe, expect, it } from 'vitest'
import { parseCassette } from '../../../src/cassette/parse.ts'
import { caseFile, caseNames, caseOf, readCase } from './case.ts'
import { scenarioOf } from './scenario.ts'

const MODELS = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash'
const SOCKET =
  'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** The scenario of a cassette that says this. `documents` are JSON, which is YAML. */
function scenario(documents: readonly object[], name = 'a-case') {
  const text = documents
    .map(one => `---\n${JSON.stringify({ ...one, end: { at: 1 } }, undefined, 1)}\n`)
    .join('')
  const cassette = parseCassette(`cassette: 1\n${text}`, { file: `${name}.cassette.yaml` })
  return scenarioOf(caseOf(cassette, () => undefined))
}

function asked(body: object, method = 'streamGenerateContent') {
  return {
    exchange: 'generate-content',
    request: { method: 'POST', url: `${MODELS}:${method}`, body },
    response: { status: 200, body: {} },
  }
}

function user(text: string) {
  return { role: 'user', parts: [{ text }] }
}

function live(messages: readonly object[]) {
  return { exchange: 'live', request: { url: SOCKET }, messages }
}

function turn(text: string) {
  return { parts: [{ text }], how: 'content' }
}

const CALL = { functionCall: { id: 'f1', name: 'get_weather', args: { city: 'Paris', days: 2 } } }
const RESPONSE = { functionResponse: { id: 'f1', name: 'get_weather', response: { sky: 'clear' } } }

describe('the turns of a conversation over HTTP', () => {
  it('are what the user says last, but neither the answers to calls nor a second attempt', () => {
    const first = [user('Hello.')]
    const answered = [...first, { role: 'model', parts: [CALL] }, { role: 'user', parts: [RESPONSE] }]
    const second = [...answered, { role: 'model', parts: [{ text: 'Clear.' }] }, user('Thanks.')]
    const bodies = [first, first, answered, second].map(contents => asked({ contents }))
    expect(scenario(bodies).conversations).toEqual([[turn('Hello.'), turn('Thanks.')]])
  })

  it('of a coordinator leave out what it says to its specialist', () => {
    const coordinator = { systemInstruction: { parts: [{ text: 'Delegate.' }] } }
    const specialist = { systemInstruction: { parts: [{ text: 'Answer.' }] } }
    const bodies = [
      asked({ contents: [user('What is new?')], ...coordinator }),
      asked({ contents: [user('{"request": "news"}')], ...specialist }),
    ]
    const { agent, conversations } = scenario(bodies, 'chat-wrapper-a-case')
    expect([agent, conversations]).toEqual(['delegating', [[turn('What is new?')]]])
  })

  it('say which model each is for where they differ', () => {
    const other = asked({ contents: [user('One.'), user('Two.')] })
    const url = other.request.url.replace('gemini-2.5-flash', 'gemini-3-pro')
    const { model, models } = scenario([
      asked({ contents: [user('One.')] }),
      { ...other, request: { ...other.request, url } },
    ])
    expect([model, models]).toEqual(['gemini-2.5-flash', ['gemini-2.5-flash', 'gemini-3-pro']])
  })
})

describe('what a request for content asks for', () => {
  it('is in either spelling of its fields', () => {
    const body = {
      contents: [user('Hello.')],
      system_instruction: { parts: [{ text: 'Be brief.\n\nYou are an agent. Your internal name is "a".' }] },
      generation_config: { thinking_config: { include_thoughts: true } },
      tool_config: { function_calling_config: { stream_function_call_arguments: true } },
    }
    expect(scenario([asked(body, 'generateContent')])).toMatchObject({
      api: 'generate-content',
      backend: 'gemini',
      streaming: false,
      instruction: 'Be brief.',
      streamArguments: true,
      thinkingSummaries: true,
    })
  })
})

describe('the tools', () => {
  const contents = [user('Hello.'), { role: 'model', parts: [CALL] }, { role: 'user', parts: [RESPONSE] }]

  it('are declared with the types of JSON Schema, and give back what was recorded', () => {
    const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } } }
    const tools = [{ functionDeclarations: [{ name: 'get_weather', description: 'The sky.', parameters }] }]
    expect(
      scenario([asked({ contents: [user('Hello.')], tools }), asked({ contents, tools })]).tools,
    ).toEqual([
      {
        name: 'get_weather',
        description: 'The sky.',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        results: [{ sky: 'clear' }],
      },
    ])
  })

  it('are made of their calls where nobody declared them', () => {
    expect(scenario([asked({ contents: [user('Hello.')] }), asked({ contents })]).tools).toMatchObject([
      {
        name: 'get_weather',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' }, days: { type: 'number' } },
          required: ['city', 'days'],
        },
      },
    ])
  })
})

describe('an interaction', () => {
  const interaction = (body: object) => ({
    exchange: 'interactions',
    request: { method: 'POST', url: 'https://generativelanguage.googleapis.com/v1beta/interactions', body },
    response: {
      status: 200,
      body: { steps: [{ type: 'function_call', id: 'c', name: 'f', arguments: {} }] },
    },
  })

  it('has turns, tools and results of its own spelling', () => {
    const model = 'gemini-3.6-flash'
    const result = { type: 'function_result', call_id: 'c', name: 'f', result: { sky: 'clear' } }
    const next = { type: 'user_input', content: [{ type: 'text', text: 'Thanks.' }] }
    const told = scenario([
      interaction({ model, input: 'Hello.', stream: true }),
      interaction({ model, input: [result], previous_interaction_id: 'int_1', stream: true }),
      interaction({ model, input: [next], previous_interaction_id: 'int_2', stream: true }),
    ])
    expect(told).toMatchObject({ agent: 'single', streaming: true, model })
    expect(told.conversations).toEqual([[turn('Hello.'), turn('Thanks.')]])
    expect(told.tools).toMatchObject([{ name: 'f', results: [{ sky: 'clear' }] }])
  })

  it('is one of an agent that the service runs where it names that', () => {
    expect(scenario([interaction({ agent: 'a-1', input: 'Hello.' })])).toMatchObject({
      agent: 'managed',
      agentId: 'a-1',
      streaming: false,
    })
  })
})

describe('a Live session', () => {
  const setup = { setup: { model: 'models/m', generationConfig: { responseModalities: ['AUDIO'] } } }
  const says = (text: string) => ({ client: { clientContent: { turns: [user(text)], turnComplete: true } } })
  const history = { client: { clientContent: { turns: [user('Hello.')], turnComplete: false } } }
  const over = { server: { serverContent: { turnComplete: true } } }

  it('has a list of turns for each connection, without the history that begins it', () => {
    const told = scenario([
      live([{ client: setup }, says('Hello.'), over]),
      live([{ client: setup }, history, says('Thanks.'), over]),
    ])
    expect(told.conversations).toEqual([[turn('Hello.')], [turn('Thanks.')]])
    expect(told).toMatchObject({ api: 'live', model: 'm', audio: true, resumption: false })
  })

  it('goes on where the runtime reconnects with a handle', () => {
    const resumed = (handle: object) => ({ client: { setup: { ...setup.setup, sessionResumption: handle } } })
    const told = scenario([
      live([resumed({}), says('Hello.'), over]),
      live([resumed({ handle: 'h1' }), says('Thanks.'), over]),
    ])
    expect(told.conversations).toEqual([[turn('Hello.'), turn('Thanks.')]])
    expect(told.resumption).toBe(true)
  })

  it('has sound as one turn, however it was cut', () => {
    const sound = (data: string) => ({
      client: { realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data } } },
    })
    const told = scenario([
      live([{ client: setup }, sound('AAE='), sound('AgM='), over, sound('BAU='), over]),
    ])
    expect(told.conversations[0]?.map(({ how, parts }) => [how, parts])).toEqual([
      ['audio', [{ inlineData: { mimeType: 'audio/pcm;rate=16000', data: 'AAECAw==' } }]],
      ['audio', [{ inlineData: { mimeType: 'audio/pcm;rate=16000', data: 'BAU=' } }]],
    ])
  })

  it('has the tools that the service called', () => {
    const call = { server: { toolCall: { functionCalls: [CALL.functionCall] } } }
    const answer = { client: { toolResponse: { functionResponses: [RESPONSE.functionResponse] } } }
    const [tool] = scenario([live([{ client: setup }, says('Hello.'), call, answer, over])]).tools
    expect([tool?.name, tool?.results]).toEqual(['get_weather', [{ sky: 'clear' }]])
  })
})

describe('every case', () => {
  it.each(caseNames())('%s is a scenario with something to say', async name => {
    const { conversations } = scenarioOf(await readCase(caseFile(name)))
    expect(conversations.length).toBeGreaterThan(0)
    for (const turns of conversations) expect(turns.length).toBeGreaterThan(0)
  })
})
