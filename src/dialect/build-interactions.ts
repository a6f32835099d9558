/**
 * Interactions, written by hand: the events of a stream from `interaction.created` to `[DONE]`, and the body of one that comes at once.
 *
 * Source: ai.google.dev and js-genai `gaos/models/interactions`; see `build-steps.ts` for the order of keys.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonValue } from '../wire/json.ts'
import { draftOf, ofStreams, tokensOf, type AnswerContext, type DraftEvent } from './build-draft.ts'
import type { ErrorItem } from './build-errors.ts'
import {
  events,
  runsOf,
  withMarks,
  withSteps,
  type EventsItem,
  type InteractionItem,
  type InteractionStretch,
  type Loose,
  type MarkItem,
} from './build-interaction-items.ts'
import type { CallItem, StreamedCallItem, TextItem, ThoughtItem } from './build-items.ts'
import { arranged, stepAdded, stepStarted, wholeSteps, type StepItem } from './build-steps.ts'
import { unplaced, type FieldsItem, type Placing, type UsageItem } from './build-stream.ts'

const KEYS = {
  documented: {
    event: ['interaction', 'interaction_id', 'status', 'index', 'step', 'delta', 'event_id', 'event_type'],
    interaction: ['id', 'status', 'usage', 'created', 'updated', 'service_tier', 'object', 'model', 'agent'],
  },
  'type-first': {
    event: ['event_type', 'event_id', 'interaction', 'interaction_id', 'status', 'index', 'step', 'delta'],
    interaction: ['id', 'object', 'status', 'model', 'agent', 'created', 'updated', 'steps', 'usage'],
  },
} as const

/** What holds for the whole answer. */
interface Whole {
  readonly spelling: EventsItem
  /** `id`, `model` and whatever else was given. */
  readonly shared: FieldsItem['value']
  readonly usage: JsonValue | undefined
  readonly status: string
  readonly idOf: (call: CallItem | StreamedCallItem) => string
}

/** The events of a streamed interaction. */
export function interactionEvents(
  items: readonly InteractionItem[],
  context: AnswerContext,
): readonly DraftEvent[] {
  const all = items.map(unplaced<InteractionStretch>)
  const whole = wholeOf(all, context)
  const made = all.filter(
    ({ item }) => typeof item === 'string' || !['fields', 'usage', 'events'].includes(item.type),
  )
  const written = withSteps(made)
  // What is cut is cut in the middle of what it says: nothing stops that step.
  const stops = context.ends === 'cut' && isSaying(made.at(-1)?.item)
  const steps = stops ? written.slice(0, -1) : written
  const isFailed = steps.some(({ item }) => item.type === 'error')
  const ends = context.ends === 'cut' ? [] : isFailed ? (['done'] as const) : (['completed', 'done'] as const)
  let number = 0
  return withMarks(steps, ends).map(({ placing, item }) => {
    if (item.type === 'data' || item.type === 'raw') return draftOf(item, placing)
    if (item.type === 'mark' && item.mark === 'done') {
      return { placing, event: 'done', content: { type: 'text', text: '[DONE]' } }
    }
    number += 1
    return eventOf(item, placing, whole, number)
  })
}

/** The body of an interaction that comes at once. */
export function interactionBody(items: readonly InteractionItem[], context: AnswerContext): JsonValue {
  const said = items.flatMap((item): readonly (string | TextItem | ThoughtItem | CallItem)[] => {
    if (typeof item === 'string') return [item]
    switch (item.type) {
      case 'text':
      case 'thought':
      case 'call':
        return [item]
      case 'fields':
      case 'usage':
      case 'events':
        return []
      case 'streamed-call':
      case 'step':
      case 'mark':
      case 'data':
      case 'raw':
      case 'error':
      case 'placed':
        throw ofStreams(item)
    }
  })
  const { idOf, shared, status, usage } = wholeOf(items.map(unplaced<InteractionStretch>), context)
  const steps = wholeSteps(runsOf(said), idOf)
  return arranged({ object: 'interaction', status, ...shared, steps, usage }, KEYS['type-first'].interaction)
}

function wholeOf(all: readonly Loose[], context: AnswerContext): Whole {
  let spelling: EventsItem = events({})
  const { model, agent } = isJsonObject(context.asked) ? context.asked : {}
  let shared: FieldsItem['value'] = { id: `interaction-${context.number}`, model, agent }
  let counted: UsageItem | undefined
  for (const { item } of all) {
    if (typeof item === 'string') continue
    if (item.type === 'events') spelling = item
    if (item.type === 'fields') shared = { ...shared, ...item.value }
    if (item.type === 'usage') counted = item
  }
  const calls = all.some(({ item }) => isCall(item))
  const idOf: Whole['idOf'] = one => context.ids.give(one, 'call')
  const [asked, answered] = [tokensOf(context.asked), tokensOf(all.map(({ item }) => textIn(item)))]
  const usage =
    counted === undefined
      ? { total_input_tokens: asked, total_output_tokens: answered, total_tokens: asked + answered }
      : counted.value
  return { spelling, shared, usage, status: calls ? 'requires_action' : 'completed', idOf }
}

function isSaying(item: InteractionStretch | undefined): boolean {
  if (typeof item === 'string') return true
  return item !== undefined && ['text', 'thought', 'call', 'streamed-call'].includes(item.type)
}

function isCall(item: InteractionStretch): boolean {
  if (typeof item === 'string') return false
  if (item.type === 'call' || item.type === 'streamed-call') return true
  return (
    item.type === 'step' &&
    typeof item.what === 'object' &&
    (item.what.type === 'call' || item.what.type === 'streamed-call')
  )
}

function textIn(item: InteractionStretch): string {
  if (typeof item === 'string') return item
  return item.type === 'text' || item.type === 'thought' ? item.text : ''
}

function eventOf(
  item: StepItem | MarkItem | ErrorItem,
  placing: Placing,
  whole: Whole,
  number: number,
): DraftEvent {
  const { keys, ids } = whole.spelling
  const { name, value } = saidBy(item, whole)
  const id = ids === undefined ? {} : { event_id: `${ids}${number}` }
  const spelled = arranged({ event_type: name, ...id, ...value }, KEYS[keys].event)
  return { placing, event: name, content: { type: 'json', value: spelled } }
}

function saidBy(
  item: StepItem | MarkItem | ErrorItem,
  { spelling, shared, usage, status, idOf }: Whole,
): { readonly name: string; readonly value: Readonly<Record<string, unknown>> } {
  const { interaction: keys } = KEYS[spelling.keys]
  if (item.type === 'error') {
    const { status: code, message } = item.error
    return { name: 'error', value: { error: { code, message } } }
  }
  if (item.type === 'step') {
    const { index, does, what } = item
    if (does === 'stop') return { name: 'step.stop', value: { index } }
    return does === 'start'
      ? { name: 'step.start', value: { index, step: stepStarted(what, idOf, spelling.keys) } }
      : { name: 'step.delta', value: { index, delta: stepAdded(what, spelling.keys) } }
  }
  switch (item.mark) {
    case 'created': {
      const interaction = { object: 'interaction', ...shared, status: 'in_progress', ...item.value }
      return { name: 'interaction.created', value: { interaction: arranged(interaction, keys) } }
    }
    case 'status':
      return { name: 'interaction.status_update', value: { interaction_id: shared['id'], ...item.value } }
    case 'completed':
    case 'done': {
      const interaction = { object: 'interaction', status, ...shared, usage, ...item.value }
      return { name: 'interaction.completed', value: { interaction: arranged(interaction, keys) } }
    }
  }
}
