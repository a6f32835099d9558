/**
 * A right client, as the specification of one: what an agent runtime that does it all right sees, stores and sends.
 *
 * Made of a cassette alone: its wire folded into events, and the requests of its recording, for these are a right
 * client's. Every invariant must hold of it, on every cassette; `right-client.test.ts` sees to that.
 */
import type { Exchange } from '../../../src/cassette/model.ts'
import { shallow } from '../../../src/dialect/live-fold.ts'
import type { LoadedCassette } from '../../../src/replay/recorded.ts'
import {
  isJsonList,
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../../../src/wire/json.ts'
import { partsOf } from './fold.ts'
import type { WireCall, WirePart } from './wire-parts.ts'
import { rightLive } from './right-live.ts'
import type { Event, Part, Received, Run, Scenario, ToolRun, TurnError } from './run.ts'
import { sentParts } from './sent.ts'
import { items, textOf } from '../json.ts'
import { endedWell, saidOf } from './view.ts'
import { wireOf, type WireExchange } from './wire.ts'

/** What becomes of a run, while it goes on. */
export interface Story {
  readonly turns: { events: Event[]; error: TurnError | null }[]
  readonly session: Event[]
  readonly toolRuns: ToolRun[]
  readonly received: Received[]
}

/** The name of the agent that a right client runs. */
export const AGENT = 'agent'

/** The run of a right client on a cassette. */
export function rightRun(name: string, loaded: LoadedCassette): Run {
  const wire = wireOf(loaded)
  const exchanges = loaded.cassette.documents.flatMap(document =>
    document.type === 'exchange' ? [document.exchange] : [],
  )
  const scenario = scenarioOf(name, wire, exchanges)
  const story: Story = { turns: [], session: [], toolRuns: [], received: [] }
  if (scenario.api === 'live') rightLive(wire, scenario, story)
  else wire.forEach((exchange, index) => ask(exchange, exchanges.slice(index), scenario, story))
  const { turns, session, toolRuns, received } = story
  const transcript = { runtime: { 'right-client': '1' }, turns, session, toolRuns }
  return { scenario, transcript, wire, received, failures: [], leftovers: [], notes: [] }
}

/** As much of the scenario as the invariants ask for. */
function scenarioOf(name: string, wire: readonly WireExchange[], exchanges: readonly Exchange[]): Scenario {
  const { api = 'live', model = '', answer } = wire[0] ?? {}
  const first = exchanges[0] === undefined ? {} : bodyOf(exchanges[0])
  const setup = shallow(wire[0]?.asked[0]?.message['setup'])
  const delegating = JSON.stringify(first).includes('delegates execution to a specialized agent')
  const names = declared(api === 'live' ? setup['tools'] : first['tools'])
  const tools = names.filter(tool => !delegating || tool === 'get_property')
  return {
    name,
    api,
    backend: 'gemini',
    streaming: answer !== 'body',
    model,
    agent: delegating ? 'delegating' : 'single',
    tools: tools.map(tool => ({ name: tool, description: '', parameters: {}, results: [{ ok: true }] })),
    conversations: [],
    audio: false,
    resumption: setup['sessionResumption'] !== undefined,
    streamArguments: false,
    thinkingSummaries: false,
  }
}

function declared(tools: JsonValue | undefined): readonly string[] {
  return items(tools).flatMap(tool => {
    const { name, functionDeclarations } = shallow(tool)
    const inside = items(functionDeclarations).flatMap(item => textOf(shallow(item)['name']) ?? [])
    return [textOf(name) ?? [], inside].flat()
  })
}

/** Asks, reads the answer to its end, and only then acts on it. */
function ask(exchange: WireExchange, rest: readonly Exchange[], scenario: Scenario, story: Story): void {
  const [own, ...later] = rest
  if (own === undefined) return
  const body = withoutEmpty(bodyOf(own))
  const received: Received = { exchange: exchange.number, operation: operationOf(own), body: body ?? {} }
  story.received.push(received)
  for (const event of freshEvents(received)) {
    if (story.turns.length === 0 || (event.author === 'user' && scenario.agent !== 'delegating'))
      story.turns.push({ events: [], error: null })
    // The responses were stored when the tools had run.
    if (event.author === 'user') story.session.push(event)
    else if (!isStored(event, story)) store(event, story)
  }
  if (story.turns.length === 0) story.turns.push({ events: [], error: null })
  hear(exchange, scenario, story)
  for (const part of endedWell(exchange) ? partsOf(exchange) : []) {
    if (part.kind === 'call' && !isAnsweredLater(part.id, later)) store(responseTo(part), story)
  }
}

/** What is handed out of an answer: pieces as they come, and in the end the whole. */
function hear(exchange: WireExchange, scenario: Scenario, story: Story): void {
  const turn = story.turns.at(-1)
  if (turn === undefined) return
  const error = errorOf(exchange)
  if (exchange.answer === 'stream') {
    for (const { kind, ...saying } of saidOf([exchange], 'text')) {
      if (saying.text === '') continue
      const part = { [kind]: saying.text, ...(saying.thought ? { thought: true } : {}) }
      turn.events.push({ author: AGENT, partial: true, parts: [part] })
    }
  }
  // What did not come to its end is told, and not stored.
  if (error !== undefined) turn.error = error
  if (error !== undefined) return
  const reason = [...saidOf([exchange], 'finish'), ...saidOf([exchange], 'blocked')].at(-1)?.reason
  const usage = saidOf([exchange], 'usage').at(-1)?.usage
  const parts = partsOf(exchange).map(partOf)
  store(
    {
      author: AGENT,
      parts,
      ...(reason === undefined ? {} : { finishReason: reason }),
      ...(usage === undefined ? {} : { usage }),
    },
    story,
  )
  for (const part of partsOf(exchange)) {
    if (part.kind === 'call' && scenario.tools.some(({ name }) => name === part.name)) runTool(part, story)
  }
}

/** Runs the app's tool, once for a call. */
export function runTool({ id, name, args }: WireCall, { toolRuns }: Story): void {
  toolRuns.push({ name, args, ...(id === undefined ? {} : { id }) })
}

/** Hands an event out and stores it. */
export function store(event: Event, { turns, session }: Story): void {
  turns.at(-1)?.events.push(event)
  session.push(event)
}

/** A part as the API spells it. */
export function partOf(part: WirePart): Part {
  const signed = part.signature === undefined ? {} : { thoughtSignature: part.signature }
  switch (part.kind) {
    case 'text':
      return { text: part.text, ...(part.thought ? { thought: true } : {}), ...signed }
    case 'call':
      return {
        functionCall: { ...(part.id === undefined ? {} : { id: part.id }), name: part.name, args: part.args },
        ...signed,
      }
    case 'media':
      return { inlineData: { mimeType: part.mimeType, bytes: part.bytes } }
    case 'code':
      return { executableCode: shallow(part.value) }
    case 'outcome':
      return { codeExecutionResult: shallow(part.value) }
  }
}

function errorOf(exchange: WireExchange): TurnError | undefined {
  const [said] = saidOf([exchange], 'error')
  if (said !== undefined)
    return {
      type: 'ServiceError',
      message: [said.status, said.message].join(' '),
      ...(said.code === undefined ? {} : { code: said.code }),
    }
  const reasons = [...saidOf([exchange], 'finish'), ...saidOf([exchange], 'blocked')]
  if (endedWell(exchange) || (reasons.length > 0 && !exchange.cut)) return undefined
  return { type: 'Incomplete', message: 'the answer did not come to its end' }
}

function bodyOf({ request: { body } }: Exchange): JsonObject {
  const value = body?.type === 'value' ? body.value : parseJson(body?.type === 'text' ? body.text : '{}')
  return isJsonObject(value) ? value : {}
}

/** What the newer SDKs send of an empty text, a right client does not. */
function withoutEmpty(value: JsonValue): JsonValue | undefined {
  if (isJsonList(value)) return value.flatMap(item => withoutEmpty(item) ?? [])
  if (!isJsonObject(value)) return value
  if (value['text'] === '' && Object.keys(value).length === 1) return undefined
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const kept = withoutEmpty(item)
      return kept === undefined ? [] : [[key, kept]]
    }),
  )
}

function operationOf({ request: { method, url } }: Exchange): string {
  return `${method} ${url.replace(/^.*\/(?=models\/|interactions)/, '')}`
}

/** What a request has that the one before had not: what comes after the model's last part. */
function freshEvents(received: Received): readonly Event[] {
  const parts = sentParts(received)
  // Where an answer was not stored, two turns of the user stand side by side.
  const last = parts.at(-1)?.content
  const fresh = parts.slice(parts.findLastIndex(({ role }) => role === 'model') + 1)
  return fresh
    .filter(({ kind, content }) => kind !== 'text' || content === last)
    .flatMap(({ kind, text, id, name = '' }): readonly Event[] => {
      if (kind === 'text') return [{ author: 'user', parts: [{ text }] }]
      if (kind !== 'response') return []
      return [responseTo({ id, name })]
    })
}

function isStored({ parts: [part] }: Event, { session }: Story): boolean {
  const id = part?.functionResponse?.id
  return (
    id !== undefined &&
    session.some(({ parts }) => parts.some(({ functionResponse }) => functionResponse?.id === id))
  )
}

function isAnsweredLater(id: string | undefined, later: readonly Exchange[]): boolean {
  return later.some(exchange =>
    sentParts({ operation: '', body: bodyOf(exchange) }).some(
      part => part.kind === 'response' && (id === undefined || part.id === id),
    ),
  )
}

/** What the app's tool gives back to a call. */
export function responseTo({ id, name }: Pick<WireCall, 'id' | 'name'>): Event {
  return {
    author: AGENT,
    parts: [{ functionResponse: { ...(id === undefined ? {} : { id }), name, response: {} } }],
  }
}
