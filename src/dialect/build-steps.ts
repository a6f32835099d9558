/**
 * The steps of an interaction, written by hand: whole, and in the events that they are streamed in.
 *
 * Two orders of keys: that of the examples on ai.google.dev, `documented`, in which `event_type` comes last,
 * and `type-first`, that of the models in the SDKs (js-genai `gaos/models/interactions`). No raw recording is public.
 *
 * Room: dialect.
 */
import type { JsonObject, JsonValue } from '../wire/json.ts'
import {
  plain,
  plainObject,
  wrongUse,
  type CallItem,
  type StreamedCallItem,
  type TextItem,
  type ThoughtItem,
} from './build-items.ts'

/** In which order the keys of an interaction are spelled. */
export type KeyOrder = 'documented' | 'type-first'

/** A signature alone, as a piece of a step. */
export interface SignatureItem {
  /** Always `signature`. */
  readonly type: 'signature'
  /** Base64, as the model signed it. */
  readonly signature: string
}

/** Arguments of a call as JSON text, or a piece of it. */
export interface ArgumentsItem {
  /** Always `arguments`. */
  readonly type: 'arguments'
  /** JSON, or a piece of it. */
  readonly text: string
}

/** What a step begins with. */
export type StepStart = string | TextItem | ThoughtItem | CallItem | StreamedCallItem

/** What is added to a step. */
export type StepPiece = string | TextItem | ThoughtItem | SignatureItem | ArgumentsItem

/** One event of a step. */
export interface StepItem {
  /** Always `step`. */
  readonly type: 'step'
  /** Which of its events this is. */
  readonly does: 'start' | 'delta' | 'stop'
  /** Which step, from 0. */
  readonly index: number
  /** What the event says; undefined for a stop. */
  readonly what: StepStart | StepPiece | JsonObject | undefined
}

/**
 * The events of steps, one by one, where steps run side by side. By itself each thing that is said is a step from its start to its stop.
 *
 * @example
 * ```ts
 * [step.start(0, thought('')), step.start(1, call('get_tide')), step.delta(1, args('{}')), step.stop(0), step.stop(1)]
 * ```
 */
export const step: {
  /** Begins a step: a thought, a call, or `''` for what the model says. Anything else as the API spells it. */
  readonly start: (index: number, what: StepStart | object) => StepItem
  /** Adds to it: text, a thought's summary, a {@link signature}, a piece of {@link args}. Anything else as the API spells it. */
  readonly delta: (index: number, what: StepPiece | object) => StepItem
  /** Ends it. */
  readonly stop: (index: number) => StepItem
} = {
  start: (index, what) => ({ type: 'step', does: 'start', index, what: itemOf(what) }),
  delta: (index, what) => ({ type: 'step', does: 'delta', index, what: itemOf(what) }),
  stop: index => ({ type: 'step', does: 'stop', index, what: undefined }),
}

/** The signature of a thought, where it comes by itself in a {@link step}. */
export function signature(base64: string): SignatureItem {
  return { type: 'signature', signature: base64 }
}

/** A piece of the JSON text of a call's arguments, in a {@link step}. */
export function args(json: string): ArgumentsItem {
  return { type: 'arguments', text: json }
}

/** What the builder made stays what it is; anything else is the API's own. */
function itemOf(what: StepStart | StepPiece | object): StepItem['what'] {
  return typeof what === 'string' || isMade(what) ? what : plainObject(what, 'this step')
}

function isMade(what: object): what is Exclude<StepStart | StepPiece, string> {
  if (!('type' in what)) return false
  return what.type === 'thought'
    ? 'signed' in what
    : ['text', 'call', 'streamed-call', 'signature', 'arguments'].includes(String(what.type))
}

const DOCUMENTED = {
  step: ['id', 'type', 'name', 'arguments', 'signature', 'summary', 'content'],
  delta: ['content', 'text', 'signature', 'arguments', 'type'],
  content: ['text', 'type'],
}
const TYPE_FIRST = {
  step: ['type', 'id', 'name', 'arguments', 'signature', 'summary', 'content'],
  delta: ['type', 'content', 'text', 'signature', 'arguments'],
  content: ['type', 'text'],
}

/** An object with the keys of a list first, in its order; the others after them. Undefined members are left out. */
export function arranged(object: Readonly<Record<string, unknown>>, keys: readonly string[]): JsonObject {
  const first = keys.filter(key => Object.hasOwn(object, key)).map(key => [key, object[key]] as const)
  const rest = Object.entries(object).filter(([key]) => !keys.includes(key))
  return plainObject(Object.fromEntries([...first, ...rest]), 'the fields of this interaction')
}

function textContent(text: string, order: KeyOrder): JsonObject {
  return arranged({ type: 'text', text }, tableOf(order).content)
}

function tableOf(order: KeyOrder): typeof DOCUMENTED {
  return order === 'documented' ? DOCUMENTED : TYPE_FIRST
}

/** A step as it begins. A call has no arguments yet, a thought no summary. */
export function stepStarted(
  what: StepItem['what'],
  idOf: (call: CallItem | StreamedCallItem) => string,
  order: KeyOrder,
): JsonValue {
  const { step: keys } = tableOf(order)
  if (isItem(what, 'thought')) {
    const begins = what.signed === 'start' && what.signature !== undefined
    return arranged({ type: 'thought', ...(begins ? { signature: what.signature } : {}) }, keys)
  }
  if (isItem(what, 'call') || isItem(what, 'streamed-call')) {
    const { name, signature: signed } = what
    return arranged({ type: 'function_call', id: idOf(what), name, arguments: {}, signature: signed }, keys)
  }
  const said = typeof what === 'string' ? what : isItem(what, 'text') ? what.text : undefined
  if (said === undefined) return plain(what ?? {}, 'this step')
  return arranged(
    { type: 'model_output', ...(said === '' ? {} : { content: [textContent(said, order)] }) },
    keys,
  )
}

/** What is added to a step. */
export function stepAdded(what: StepItem['what'], order: KeyOrder): JsonValue {
  const { delta: keys } = tableOf(order)
  if (typeof what === 'string') return arranged({ type: 'text', text: what }, keys)
  if (isItem(what, 'text')) return arranged({ type: 'text', text: what.text }, keys)
  if (isItem(what, 'thought'))
    return arranged({ type: 'thought_summary', content: textContent(what.text, order) }, keys)
  if (isItem(what, 'signature'))
    return arranged({ type: 'thought_signature', signature: what.signature }, keys)
  if (isItem(what, 'arguments')) return arranged({ type: 'arguments_delta', arguments: what.text }, keys)
  return plain(what ?? {}, 'this step')
}

interface Items {
  readonly text: TextItem
  readonly thought: ThoughtItem
  readonly call: CallItem
  readonly 'streamed-call': StreamedCallItem
  readonly signature: SignatureItem
  readonly arguments: ArgumentsItem
}

/** True for what the builder made, and not the API's own object of that type: those have other fields. */
function isItem<Type extends keyof Items>(what: StepItem['what'], type: Type): what is Items[Type] {
  if (typeof what !== 'object' || what.type !== type) return false
  return type !== 'thought' || 'signed' in what
}

/** A step of what is said, from its start to its stop. */
export function stepEvents(
  index: number,
  said: readonly (string | TextItem)[] | ThoughtItem | CallItem | StreamedCallItem,
): readonly StepItem[] {
  if (!('type' in said))
    return [step.start(index, ''), ...said.map(one => step.delta(index, one)), step.stop(index)]
  switch (said.type) {
    case 'thought': {
      const summary = said.text === '' ? [] : [step.delta(index, said)]
      const late = said.signed === 'end' && said.signature !== undefined
      const signed = late ? [step.delta(index, signature(said.signature ?? ''))] : []
      return [step.start(index, said), ...summary, ...signed, step.stop(index)]
    }
    case 'call':
      return [step.start(index, said), step.delta(index, args(JSON.stringify(said.args))), step.stop(index)]
    case 'streamed-call': {
      const pieces = said.pieces.map(piece => step.delta(index, args(textOf(piece, said.name))))
      return [step.start(index, said), ...pieces, step.stop(index)]
    }
  }
}

function textOf(piece: StreamedCallItem['pieces'][number], name: string): string {
  if (typeof piece === 'string') return piece
  throw wrongUse(
    `streamedCall('${name}') has argument('${piece.path}'), which is of a model.`,
    'On an interaction the pieces are the JSON text of the arguments, cut anywhere: \'{"harbour":\', \'"Whitby"}\'.',
  )
}

/** The steps of an interaction that comes at once. */
export function wholeSteps(
  said: readonly (readonly (string | TextItem)[] | ThoughtItem | CallItem)[],
  idOf: (call: CallItem) => string,
): readonly JsonObject[] {
  const keys = TYPE_FIRST.step
  return said.map(one => {
    if (!('type' in one)) {
      const whole = one.map(piece => (typeof piece === 'string' ? piece : piece.text)).join('')
      return arranged({ type: 'model_output', content: [textContent(whole, 'type-first')] }, keys)
    }
    if (one.type === 'call') {
      const { name, args: given, signature: signed } = one
      return arranged(
        { type: 'function_call', id: idOf(one), name, arguments: given, signature: signed },
        keys,
      )
    }
    const summary = one.text === '' ? undefined : [textContent(one.text, 'type-first')]
    return arranged({ type: 'thought', signature: one.signature, summary }, keys)
  })
}
