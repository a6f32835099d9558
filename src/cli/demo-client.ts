/**
 * How the demo talks to the service: with the official SDK where it is installed, else with `fetch`.
 *
 * Both take and give JSON of the same shape, so one script serves both.
 *
 * Room: cli.
 */
import type { GenerateContentParameters, GoogleGenAI, Interactions } from '@google/genai'

/** A part of a message, as far as the demo looks at it. */
export interface Part {
  readonly text?: string
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: object }
  readonly thoughtSignature?: string
}

/** A request to a model. */
export interface ModelRequest {
  readonly model: string
  readonly contents: readonly object[]
  readonly functions?: readonly object[]
  readonly settings?: object
}

/** An answer of a model, or one piece of it. */
export interface ModelAnswer {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly Part[] } }[]
}

/** A request to the Interactions API, as its JSON. */
export interface InteractionRequest {
  readonly model: string
  readonly input: string | readonly object[]
  readonly [setting: string]: unknown
}

/** An event of the Interactions API, as far as the demo looks at it. */
export interface InteractionEvent {
  readonly index?: number
  readonly step?: { readonly type: string; readonly id?: string; readonly name?: string }
  readonly delta?: {
    readonly content?: { readonly text?: string }
    readonly text?: string
    readonly signature?: string
    readonly arguments?: string
  }
}

/** What the demo asks of a client. An answer is an array: one item for each piece of a stream. */
export interface DemoClient {
  stream(request: ModelRequest): Promise<readonly ModelAnswer[]>
  generate(request: ModelRequest): Promise<readonly ModelAnswer[]>
  interact(request: InteractionRequest): Promise<readonly InteractionEvent[]>
}

/** Makes clients for a base URL. */
export interface DemoClients {
  readonly name: string
  at(baseUrl: string): DemoClient
}

/** Clients that are plain `fetch`. */
export const FETCH_CLIENTS: DemoClients = { name: 'fetch', at: fetchClient }

/** Clients that are the SDK, or `fetch` where it is not installed. */
export async function installedClients(): Promise<DemoClients> {
  try {
    const { GoogleGenAI } = await import('@google/genai')
    return {
      name: '@google/genai',
      at: baseUrl => sdkClient(new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } })),
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return FETCH_CLIENTS
    throw error
  }
}

function sdkClient(ai: GoogleGenAI): DemoClient {
  const parameters = ({ model, contents, functions, settings }: ModelRequest): GenerateContentParameters => {
    const tools = functions === undefined ? {} : { tools: [{ functionDeclarations: functions }] }
    return asJson({ model, contents, config: { ...settings, ...tools } })
  }
  return {
    stream: async request => collect(await ai.models.generateContentStream(parameters(request))),
    generate: async request => [asJson(await ai.models.generateContent(parameters(request)))],
    async interact(request) {
      const params: StreamedInteraction = asJson({ ...request, stream: true })
      return collect(await ai.interactions.create(params))
    },
  }
}

type StreamedInteraction = Interactions.InteractionCreateParams.CreateModelInteractionParamsStreaming

async function collect<Piece>(stream: AsyncIterable<unknown>): Promise<readonly Piece[]> {
  const pieces: Piece[] = []
  for await (const piece of stream) pieces.push(asJson(piece))
  return pieces
}

/** A copy as plain JSON. The SDK's types have enumerations and classes where the wire has strings and objects. */
function asJson<Shape>(value: unknown): Shape {
  return JSON.parse(JSON.stringify(value))
}

function fetchClient(baseUrl: string): DemoClient {
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'none' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
  const body = ({ contents, functions, settings }: ModelRequest) => ({
    contents,
    ...(functions === undefined ? {} : { tools: [{ functionDeclarations: functions }] }),
    generationConfig: { ...settings },
  })
  return {
    stream: async request =>
      eventData(await post(`models/${request.model}:streamGenerateContent?alt=sse`, body(request))),
    generate: async request => [
      JSON.parse(await post(`models/${request.model}:generateContent`, body(request))),
    ],
    interact: async request => eventData(await post('interactions', { ...request, stream: true })),
  }
}

/** The JSON of each `data:` line. The Interactions API ends a stream with one that is no JSON. */
function eventData<Piece>(stream: string): readonly Piece[] {
  return stream
    .split(/\r?\n/)
    .filter(line => line.startsWith('data: {'))
    .map(line => JSON.parse(line.slice('data: '.length)))
}
