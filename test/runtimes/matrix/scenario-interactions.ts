/** The scenario of the Interactions API. */
import { type JsonObject, type JsonValue, sameJson } from '../../../src/wire/json.ts'
import type { Part, Scenario, Turn } from '../invariants/run.ts'
import type { Case, CaseExchange } from './case.ts'
import { items, record, records, textOf } from '../json.ts'
import { instructionOf, modelName } from './scenario-text.ts'
import { declaredOnce, type Named, once, toolsOf } from './scenario-tools.ts'

/** The scenario, but for what every scenario has. */
export function interactionsScenario({ name, exchanges }: Case): Omit<Scenario, 'name' | 'backend'> {
  const bodies = exchanges.flatMap(bodyOf)
  const [first] = bodies
  if (first === undefined)
    throw new Error(
      `${name} has no request that begins an interaction: nobody knows what its app says. Record one.`,
    )
  const agent = textOf(first['agent'])
  const begun = bodies.filter(
    (body, index) => !sameJson(body, bodies[index - 1]) && turnOf(body) !== undefined,
  )
  const models = begun.map(body => modelName(textOf(body['model']) ?? ''))
  const instruction = instructionOf(first['system_instruction'])
  return {
    api: 'interactions',
    streaming: first['stream'] === true,
    model: models[0] ?? '',
    ...(new Set(models).size > 1 ? { models } : {}),
    agent: agent === undefined ? 'single' : 'managed',
    ...(agent === undefined ? {} : { agentId: agent }),
    ...(instruction === undefined ? {} : { instruction }),
    tools: toolsOf({
      declared: declaredIn(bodies),
      called: calledIn(exchanges),
      answered: once(bodies.flatMap(body => items(body['input']).flatMap(resultOf))),
    }),
    conversations: [begun.flatMap(body => turnOf(body) ?? [])],
    audio: false,
    resumption: false,
    streamArguments: false,
    thinkingSummaries: summariesIn(first),
  }
}

function bodyOf({ kind, url, said }: CaseExchange): readonly JsonObject[] {
  const asked = said.find(({ from }) => from === 'client')
  const begins = kind === 'interactions' && new URL(url).pathname.endsWith('/interactions')
  return begins && asked !== undefined ? [record(asked.value)] : []
}

/** The turn that a request begins; undefined where it answers calls. `input` has three spellings. */
function turnOf(body: JsonObject): Turn | undefined {
  const { input } = body
  if (typeof input === 'string') return { parts: [{ text: input }], how: 'content' }
  const steps = records(input)
  const last = steps.at(-1)
  if (last === undefined) return undefined
  if (last['type'] === 'user_input' || last['role'] === 'user') {
    const content = last['content']
    const parts = typeof content === 'string' ? [{ text: content }] : records(content).map(partOf)
    return { parts, how: 'content' }
  }
  if (steps.every(({ type }) => type === 'text')) return { parts: steps.map(partOf), how: 'content' }
  return undefined
}

function partOf({ type, text: said, data, mime_type }: JsonObject): Part {
  if (type === 'text') return { text: textOf(said) ?? '' }
  return { inlineData: { mimeType: textOf(mime_type) ?? '', data: textOf(data) ?? '' } }
}

function declaredIn(bodies: readonly JsonObject[]): readonly JsonObject[] {
  return declaredOnce(bodies.flatMap(({ tools }) => records(tools).filter(({ type }) => type === 'function')))
}

/** The calls in what was answered: steps of a whole answer, or the starts of streamed ones. */
function calledIn(exchanges: readonly CaseExchange[]): readonly Named[] {
  const said = exchanges.flatMap(exchange => exchange.said.map(({ value }) => record(value)))
  return said
    .flatMap(({ step, steps, outputs }) => [record(step), ...records(steps), ...records(outputs)])
    .filter(({ type }) => type === 'function_call')
    .map(({ id, name, arguments: args }) => ({ id: textOf(id), name: textOf(name) ?? '', value: args }))
}

function resultOf(step: JsonValue): readonly Named[] {
  const { type, call_id, name, result } = record(step)
  return type === 'function_result' ? [{ id: textOf(call_id), name: textOf(name) ?? '', value: result }] : []
}

function summariesIn(body: JsonObject): boolean {
  const summaries = record(body['generation_config'])['thinking_summaries']
  return summaries !== undefined && summaries !== 'none'
}
