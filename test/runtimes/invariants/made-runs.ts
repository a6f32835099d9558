/** Runs that are made by hand, for the tests: a wire of a few payloads, and what a runtime made of them. */
import type { JsonObject, JsonValue } from '../../../src/wire/json.ts'
import { framingOf } from './framing.ts'
import { judge } from './judge.ts'
import { readStream } from './read-stream.ts'
import type { Event, Finding, Part, Received, Run, Transcript } from './run.ts'
import type { Saying } from './said.ts'
import { sayInteractions } from './say-interactions.ts'
import { sayLive } from './say-live.ts'
import { sayModels } from './say-models.ts'
import type { WireExchange } from './wire.ts'

const PLAIN: Omit<WireExchange, 'api' | 'answer' | 'said'> = {
  number: 1,
  model: 'gemini-2.5-flash',
  status: 200,
  asked: [],
  cut: false,
  close: undefined,
  framing: { odd: [], chunks: [] },
}

/** A stream of the models API, by its events. */
export function modelStream(...payloads: readonly JsonValue[]): WireExchange {
  return { ...PLAIN, api: 'generate-content', answer: 'stream', said: saidBy(payloads, sayModels) }
}

/** The same, by its chunks. */
export function chunkedStream(...chunks: readonly (string | Uint8Array)[]): WireExchange {
  const bytes = chunks.map(part => (typeof part === 'string' ? new TextEncoder().encode(part) : part))
  const payloads = readStream(Buffer.concat(bytes).toString('utf8'))
  const said = payloads.flatMap((payload, at) =>
    payload.type === 'json'
      ? sayModels(payload.value).map(saying => ({ ...saying, at }))
      : [{ kind: 'raw' as const, text: payload.text, at }],
  )
  return {
    ...PLAIN,
    api: 'generate-content',
    answer: 'stream',
    said,
    framing: framingOf(bytes, 'generate-content'),
  }
}

/** A stream of Interactions, by its events. */
export function interactionStream(...payloads: readonly JsonValue[]): WireExchange {
  return { ...PLAIN, api: 'interactions', answer: 'stream', said: saidBy(payloads, sayInteractions) }
}

/** A connection of Live: the server's messages, and `client` ones between. */
export function connection(...messages: readonly JsonObject[]): WireExchange {
  const numbered = messages.map((message, index) => ({ message, at: index + 1 }))
  const server = numbered.filter(({ message }) => message['client'] === undefined)
  const asked = numbered.flatMap(({ message: { client }, at }) =>
    isObject(client) ? [{ at, message: client }] : [],
  )
  const said = server.flatMap(({ message, at }) => sayLive(message).map(saying => ({ ...saying, at })))
  return { ...PLAIN, api: 'live', answer: 'socket', said, asked }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function saidBy(
  payloads: readonly JsonValue[],
  say: (value: JsonValue) => readonly Saying[],
): WireExchange['said'] {
  return payloads.flatMap((payload, at) => say(payload).map(saying => ({ ...saying, at })))
}

/** One event of the models API: its parts, and a finish reason. */
export function chunk(parts: readonly JsonValue[], finishReason?: string): JsonObject {
  return {
    candidates: [
      { content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }) },
    ],
  }
}

/** What a run came to; what is not told is as in a run that has nothing to show. */
export interface Made {
  readonly wire: readonly WireExchange[]
  /** Of one turn, or of each. */
  readonly events?: readonly Event[]
  readonly turns?: Transcript['turns']
  /** The same as the events that are not partial, unless told. */
  readonly session?: readonly Event[] | null
  readonly toolRuns?: Transcript['toolRuns']
  /** The bodies or messages that were sent; one for each exchange, empty, unless told. */
  readonly received?: readonly Received[]
  readonly runtime?: Transcript['runtime']
  readonly scenario?: Partial<Run['scenario']>
  readonly failures?: Run['failures']
  readonly leftovers?: Run['leftovers']
  readonly notes?: Run['notes']
}

/** A run of an agent runtime with one tool, `get_weather`. */
export function madeRun(made: Made): Run {
  const {
    wire,
    events = [],
    turns = [{ events, error: null }],
    toolRuns = [],
    failures = [],
    leftovers = [],
    notes = [],
  } = made
  const numbered = wire.map((exchange, index) => ({ ...exchange, number: index + 1 }))
  const api = wire[0]?.api ?? 'live'
  const session =
    made.session === undefined
      ? turns.flatMap(turn => turn.events).filter(({ partial }) => !partial)
      : made.session
  const received =
    made.received ?? numbered.map(({ number }) => ({ exchange: number, operation: operationOf(api) }))
  return {
    scenario: {
      name: 'made',
      api,
      backend: 'gemini',
      streaming: true,
      model: 'gemini-2.5-flash',
      agent: 'single',
      tools: [{ name: 'get_weather', description: '', parameters: {}, results: [{ ok: true }] }],
      conversations: [],
      audio: false,
      resumption: false,
      streamArguments: false,
      thinkingSummaries: false,
      ...made.scenario,
    },
    transcript: { runtime: made.runtime ?? { 'made-agent': '1.0.0' }, turns, session, toolRuns },
    wire: numbered,
    received,
    failures,
    leftovers,
    notes,
  }
}

function operationOf(api: string): string {
  if (api === 'live') return 'GenerativeService.BidiGenerateContent'
  return api === 'interactions'
    ? 'POST interactions'
    : 'POST models/gemini-2.5-flash:streamGenerateContent?alt=sse'
}

/** A request for exchange `number`. */
export function request(number: number, body: JsonValue, api = 'generate-content'): Received {
  return { exchange: number, operation: operationOf(api), body }
}

/** A message of the client on exchange `number`. */
export function sent(number: number, message: JsonValue): Received {
  return { exchange: number, operation: operationOf('live'), message, socket: number }
}

/** An event of the agent. */
export function event(parts: readonly Part[], more: Partial<Event> = {}): Event {
  return { author: 'agent', parts, ...more }
}

/** A piece of text that is handed out. */
export function piece(text: string, more: Partial<Part> = {}): Event {
  return event([{ text, ...more }], { partial: true })
}

/** What the user says. */
export function user(text: string): Event {
  return { author: 'user', parts: [{ text }] }
}

/** A call of `get_weather`, as a part. */
export function call(id: string | undefined, args: object = {}, name = 'get_weather'): Part {
  return { functionCall: { ...(id === undefined ? {} : { id }), name, args } }
}

/** Its response, as a part. */
export function response(id: string | undefined, name = 'get_weather'): Part {
  return { functionResponse: { ...(id === undefined ? {} : { id }), name, response: { ok: true } } }
}

/** What one invariant says of the run; undefined where it does not apply. */
export function findingsOf(number: string, run: Run): readonly Finding[] | undefined {
  const verdict = judge(run).find(other => other.number === number)
  return verdict === undefined || verdict.outcome === 'not-applicable' ? undefined : verdict.findings
}

/** The numbers of what is broken. */
export function brokenIn(run: Run): readonly string[] {
  return judge(run).flatMap(({ number, outcome }) => (outcome === 'broken' ? [number] : []))
}
