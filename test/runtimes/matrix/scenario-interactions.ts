/** The scenario of the Interactions API. */
import type { Part, Scenario, Turn } from '../invariants/run.ts'
import type { Case, CaseExchange } from './case.ts'
import { list, record, records, same, text } from './json.ts'
import { instructionOf, modelName } from './scenario-text.ts'
import { type Named, once, toolsOf } from './scenario-tools.ts'

type Body = Readonly<Record<string, unknown>>

/** The scenario, but for what every scenario has. */
export function interactionsScenario({ name, exchanges }: Case): Omit<Scenario, 'name' | 'backend'> {
  const bodies = exchanges.flatMap(bodyOf)
  const [first] = bodies
  if (first === undefined) throw new Error(`${name} begins no interaction`)
  const agent = text(first['agent'])
  const begun = bodies.filter((body, index) => !same(body, bodies[index - 1]) && turnOf(body) !== undefined)
  const models = begun.map(body => modelName(text(body['model']) ?? ''))
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
      answered: once(bodies.flatMap(body => list(body['input']).flatMap(resultOf))),
    }),
    conversations: [begun.flatMap(body => turnOf(body) ?? [])],
    audio: false,
    resumption: false,
    streamArguments: false,
    thinkingSummaries: summariesIn(first),
  }
}

function bodyOf({ kind, url, said }: CaseExchange): readonly Body[] {
  const asked = said.find(({ from }) => from === 'client')
  const begins = kind === 'interactions' && new URL(url).pathname.endsWith('/interactions')
  return begins && asked !== undefined ? [record(asked.value)] : []
}

/** The turn that a request begins; undefined where it answers calls. `input` has three spellings. */
function turnOf(body: Body): Turn | undefined {
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

function partOf({ type, text: said, data, mime_type }: Body): Part {
  if (type === 'text') return { text: text(said) ?? '' }
  return { inlineData: { mimeType: text(mime_type) ?? '', data: text(data) ?? '' } }
}

function declaredIn(bodies: readonly Body[]): readonly unknown[] {
  const all = bodies.flatMap(({ tools }) => records(tools).filter(({ type }) => type === 'function'))
  return all.filter((one, index) => all.findIndex(({ name }) => name === one['name']) === index)
}

/** The calls in what was answered: steps of a whole answer, or the starts of streamed ones. */
function calledIn(exchanges: readonly CaseExchange[]): readonly Named[] {
  const said = exchanges.flatMap(exchange => exchange.said.map(({ value }) => record(value)))
  return said
    .flatMap(({ step, steps, outputs }) => [record(step), ...records(steps), ...records(outputs)])
    .filter(({ type }) => type === 'function_call')
    .map(({ id, name, arguments: args }) => ({ id: text(id), name: text(name) ?? '', value: args }))
}

function resultOf(step: unknown): readonly Named[] {
  const { type, call_id, name, result } = record(step)
  return type === 'function_result' ? [{ id: text(call_id), name: text(name) ?? '', value: result }] : []
}

function summariesIn(body: Body): boolean {
  const summaries = record(body['generation_config'])['thinking_summaries']
  return summaries !== undefined && summaries !== 'none'
}
