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

/** A request to the Interactions API, as its JSON. */
export interface InteractionRequest {
  readonly model: string
  readonly input: string | readonly object[]
  readonly [setting: string]: unknown
}

/** An answer, or one piece of a streamed one, as far as the demo looks at it: of a model, or an Interactions event. */
export interface Piece {
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly Part[] } }[]
  readonly index?: number
  readonly step?: { readonly type: string; readonly id?: string; readonly name?: string }
  readonly delta?: {
    readonly content?: { readonly text?: string }
    readonly text?: string
    readonly signature?: string
    readonly arguments?: string
  }
}

/** What the demo asks of a client. */
export interface DemoClient {
  stream(request: ModelRequest): Promise<readonly Piece[]>
  generate(request: ModelRequest): Promise<readonly Piece[]>
  interact(request: InteractionRequest): Promise<readonly Piece[]>
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

type StreamedInteraction = Interactions.InteractionCreateParams.CreateModelInteractionParamsStreaming

/** All goes through JSON: the SDK's types have enumerations and classes where the wire has strings and objects. */
function sdkClient(ai: GoogleGenAI): DemoClient {
  return {
    stream: async request => collect(await ai.models.generateContentStream(parameters(request))),
    generate: async request => [copied(await ai.models.generateContent(parameters(request)))],
    async interact(request) {
      const params: StreamedInteraction = JSON.parse(JSON.stringify({ ...request, stream: true }))
      return collect(await ai.interactions.create(params))
    },
  }
}

function parameters({ model, contents, functions, settings }: ModelRequest): GenerateContentParameters {
  return JSON.parse(JSON.stringify({ model, contents, config: { ...settings, ...toolsOf(functions) } }))
}

function toolsOf(functions: ModelRequest['functions']): object {
  return functions === undefined ? {} : { tools: [{ functionDeclarations: functions }] }
}

async function collect(stream: AsyncIterable<unknown>): Promise<readonly Piece[]> {
  const pieces: Piece[] = []
  for await (const piece of stream) pieces.push(copied(piece))
  return pieces
}

function copied(piece: unknown): Piece {
  return JSON.parse(JSON.stringify(piece))
}

function fetchClient(baseUrl: string): DemoClient {
  const post = async (path: string, value: unknown) => {
    const response = await fetch(`${baseUrl}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'none' },
      body: JSON.stringify(value),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
  return {
    stream: async request =>
      eventData(await post(`models/${request.model}:streamGenerateContent?alt=sse`, body(request))),
    generate: async request => [
      JSON.parse(await post(`models/${request.model}:generateContent`, body(request))),
    ],
    interact: async request => eventData(await post('interactions', { ...request, stream: true })),
  }
}

function body({ contents, functions, settings }: ModelRequest): object {
  return { contents, ...toolsOf(functions), generationConfig: { ...settings } }
}

/** The JSON of each `data:` line. The Interactions API ends a stream with one that is no JSON. */
function eventData(stream: string): readonly Piece[] {
  return stream
    .split(/\r?\n/)
    .filter(line => line.startsWith('data: {'))
    .map(line => JSON.parse(line.slice('data: '.length)))
}
