/** The apps that the shipped cassettes answer: what each does with the official SDK, and what it gets to see. */
import { Type, type FunctionDeclaration, type GoogleGenAI, type Interactions } from '@google/genai'
import { clientAt, type Reach } from './reach.ts'

/** Runs an app, and returns what it saw. */
export type Client = (reach: Reach) => Promise<unknown>

const GET_TIDE: FunctionDeclaration = {
  name: 'get_tide',
  description: 'The next high tide at a harbour.',
  parameters: {
    type: Type.OBJECT,
    properties: { harbour: { type: Type.STRING } },
    required: ['harbour'],
  },
}

/** What the app's own tool finds out. */
const TIDE = { time: '16:42', height_m: 5.4 }

function gemini(reach: Reach): GoogleGenAI {
  return clientAt(reach)
}

/** Asks for a stream and takes what comes, an error at its end included. */
async function streamed(reach: Reach, contents: string): Promise<{ texts: unknown[]; error: unknown }> {
  const texts: unknown[] = []
  try {
    const stream = await gemini(reach).models.generateContentStream({ model: 'gemini-2.5-flash', contents })
    for await (const chunk of stream) texts.push(chunk.candidates?.[0]?.content?.parts?.[0]?.text)
    return { texts, error: undefined }
  } catch (error) {
    return { texts, error }
  }
}

/** What one turn of the Interactions app below adds up to. */
interface Turn {
  thought: string
  signature: string
  call: { id: string; name: string } | undefined
  arguments: string
  text: string
}

async function turnOf(events: AsyncIterable<Interactions.InteractionSSEEvent>): Promise<Turn> {
  const turn: Turn = { thought: '', signature: '', call: undefined, arguments: '', text: '' }
  for await (const event of events) {
    if (event.event_type === 'step.start' && event.step.type === 'function_call') {
      turn.call = { id: event.step.id, name: event.step.name }
    }
    if (event.event_type !== 'step.delta') continue
    const { delta } = event
    if (delta.type === 'thought_summary' && delta.content?.type === 'text') turn.thought += delta.content.text
    if (delta.type === 'thought_signature') turn.signature += delta.signature ?? ''
    if (delta.type === 'arguments_delta') turn.arguments += delta.arguments ?? ''
    if (delta.type === 'text') turn.text += delta.text
  }
  return turn
}

/** Each by the name of its cassette. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'streamed-answer': async reach => {
    const stream = await gemini(reach).models.generateContentStream({
      model: 'gemini-2.5-flash',
      contents: 'Why is the sea salty?',
      config: { temperature: 0.5, maxOutputTokens: 64 },
    })
    const texts: unknown[] = []
    for await (const chunk of stream) texts.push(chunk.text)
    return texts
  },

  'tool-turn': async reach => {
    const chat = gemini(reach).chats.create({
      model: 'gemini-3-pro-preview',
      config: { tools: [{ functionDeclarations: [GET_TIDE] }] },
    })
    const asked = await chat.sendMessage({ message: 'When is high tide in Whitby?' })
    const [call] = asked.functionCalls ?? []
    const told = await chat.sendMessage({
      message: { functionResponse: { id: call?.id ?? '', name: call?.name ?? '', response: TIDE } },
    })
    return { call, text: told.text }
  },

  'streamed-arguments': async reach => {
    // With a key Vertex is asked without a project, which counts for nothing when requests are compared.
    const vertex = clientAt(reach, { vertexai: true })
    const stream = await vertex.models.generateContentStream({
      model: 'gemini-3-pro-preview',
      contents: 'Book a berth in Whitby for a boat of 9.5 metres.',
      config: {
        tools: [
          {
            functionDeclarations: [
              {
                name: 'book_berth',
                description: 'Books a berth in a harbour.',
                parameters: {
                  type: Type.OBJECT,
                  properties: { harbour: { type: Type.STRING }, length_m: { type: Type.NUMBER } },
                  required: ['harbour', 'length_m'],
                },
              },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } },
      },
    })
    const calls: unknown[] = []
    for await (const chunk of stream) calls.push(chunk.candidates?.[0]?.content?.parts?.[0]?.functionCall)
    return calls
  },

  'interactions-tool-turn': async reach => {
    const { interactions } = gemini(reach)
    const question = 'When is high tide in Whitby?'
    const common = {
      model: 'gemini-3-flash-preview',
      store: false,
      stream: true as const,
      generation_config: { thinking_summaries: 'auto' as const },
      tools: [
        {
          type: 'function' as const,
          name: 'get_tide',
          description: 'The next high tide at a harbour.',
          parameters: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
        },
      ],
    }

    const asked = await turnOf(await interactions.create({ ...common, input: question }))
    const { id = '', name = '' } = asked.call ?? {}
    const args: Record<string, unknown> = JSON.parse(asked.arguments)
    const told = await turnOf(
      await interactions.create({
        ...common,
        input: [
          { type: 'user_input', content: [{ type: 'text', text: question }] },
          { type: 'thought', signature: asked.signature, summary: [{ type: 'text', text: asked.thought }] },
          { type: 'function_call', id, name, arguments: args },
          { type: 'function_result', call_id: id, name, result: TIDE },
        ],
      }),
    )
    return { asked, told }
  },

  'quota-429': async reach => {
    const ask = (): Promise<unknown> =>
      gemini(reach).models.generateContent({ model: 'gemini-2.5-flash', contents: 'Name a lighthouse.' })
    return [await ask().catch((error: unknown) => error), await ask().catch((error: unknown) => error)]
  },

  'unknown-model-404': async reach =>
    gemini(reach)
      .models.generateContentStream({ model: 'gemini-0.1-lighthouse', contents: 'Is anyone there?' })
      .catch((error: unknown) => error),

  'error-in-mid-stream': async reach => {
    const event = await streamed(reach, 'Tell me of the Dogger Bank.')
    const bare = await streamed(reach, 'And of Doggerland?')
    // Which error a bare one becomes depends on the chunk that it is read with.
    return [event, { ...bare, error: bare.error instanceof Error }]
  },
}
