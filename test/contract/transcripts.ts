/** What an app does with the official SDK, and what it gets to see: one transcript per way of calling. */
import type * as genai from '@google/genai'

/** The official SDK, in whatever version. */
export type Sdk = Pick<typeof genai, 'GoogleGenAI'>

/** Where the SDK is pointed: the service itself, the recording proxy or a replay. */
export interface BaseUrls {
  readonly url: string
  readonly vertexUrl: string
}

/** Runs against base URLs and returns everything that the caller could see. */
export type Scenario = (sdk: Sdk, at: BaseUrls) => Promise<unknown>

function client(sdk: Sdk, at: BaseUrls): genai.GoogleGenAI {
  return new sdk.GoogleGenAI({ apiKey: 'a-key-of-no-account', httpOptions: { baseUrl: at.url } })
}

async function collect(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = []
  for await (const item of stream) seen.push(plain(item))
  return seen
}

/** Everything that can be seen on an object, without its classes. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown)
}

async function failure(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return { unexpected: plain(await run()) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { name: error.name, message: error.message, ...plainObject(error) }
  }
}

function plainObject(error: Error): Record<string, unknown> {
  const { status, statusCode, body } = error as Error & Record<string, unknown>
  return { status, statusCode, body }
}

/** The ways of calling that must not tell a replay from the recording. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a stream': async (sdk, at) => {
    const stream = await client(sdk, at).models.generateContentStream({
      model: 'gemini-2.5-flash',
      contents: 'Greetings?',
    })
    return collect(stream)
  },

  'a unary answer': async (sdk, at) =>
    plain(
      await client(sdk, at).models.generateContent({
        model: 'gemini-2.5-flash',
        contents: [{ role: 'user', parts: [{ text: 'The weather, please.' }] }],
        config: { temperature: 0.25 },
      }),
    ),

  'a chat with tools': async (sdk, at) => {
    const chat = client(sdk, at).chats.create({
      model: 'gemini-2.5-flash',
      config: { tools: [{ functionDeclarations: [{ name: 'get_weather', description: 'The weather.' }] }] },
    })
    const call = await chat.sendMessage({ message: 'How is Paris?' })
    const [{ id, name } = {}] = call.functionCalls ?? []
    const response = { id: id ?? '', name: name ?? '', response: { output: 'sunny' } }
    const reply = await chat.sendMessage({ message: [{ functionResponse: response }] })
    return plain([call, reply, chat.getHistory()])
  },

  'an Interactions stream': async (sdk, at) => {
    const stream = await client(sdk, at).interactions.create({
      model: 'gemini-2.5-flash',
      input: 'How is Paris?',
      stream: true,
    })
    return collect(stream)
  },

  'a unary interaction': async (sdk, at) =>
    plain(await client(sdk, at).interactions.create({ model: 'gemini-2.5-flash', input: 'Hello?' })),

  'an interaction that is resumed, read, cancelled and deleted': async (sdk, at) => {
    const { interactions } = client(sdk, at)
    const rest = await interactions.get('v1_a', { stream: true, last_event_id: 'e-2' })
    return [
      await collect(rest),
      plain(await interactions.get('v1_b', {})),
      plain(await interactions.cancel('v1_b', {})),
      plain(await interactions.delete('v1_b', {})),
    ]
  },

  'an interaction that is refused': (sdk, at) =>
    failure(() => client(sdk, at).interactions.create({ model: 'missing-model', input: '?' })),

  'Vertex, by API key': async (sdk, at) => {
    const ai = new sdk.GoogleGenAI({
      vertexai: true,
      apiKey: 'a-key-of-no-account',
      httpOptions: { baseUrl: at.vertexUrl },
    })
    const question = { model: 'gemini-2.5-flash', contents: 'Greetings?' }
    return [
      plain(await ai.models.generateContent(question)),
      await collect(await ai.models.generateContentStream(question)),
    ]
  },

  'a 404 on a stream': (sdk, at) =>
    failure(async () =>
      collect(await client(sdk, at).models.generateContentStream({ model: 'missing-model', contents: '?' })),
    ),

  'a 429': (sdk, at) =>
    failure(() => client(sdk, at).models.generateContent({ model: 'busy-model', contents: '?' })),

  'a stream that the app aborts': async (sdk, at) => {
    const abort = new AbortController()
    const stream = await client(sdk, at).models.generateContentStream({
      model: 'endless-model',
      contents: '?',
      config: { abortSignal: abort.signal },
    })
    const seen: unknown[] = []
    const end = await failure(async () => {
      for await (const item of stream) {
        seen.push(plain(item))
        abort.abort()
      }
    })
    return { seen, end }
  },
}
