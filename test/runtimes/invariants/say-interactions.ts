/** What an interaction says, or one event of its stream. */
import { base64Length } from '../../../src/wire/base64.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/wire/json.ts'
import type { Saying } from './said.ts'
import { items, textOf } from '../json.ts'
import { sayError, sayText, sayUsage, signatureOf } from './say-parts.ts'
import type { TextKind } from './words.ts'

/** One event, or the whole interaction of a unary answer. */
export function sayInteractions(payload: JsonValue): readonly Saying[] {
  if (!isJsonObject(payload)) return [{ kind: 'unknown', what: JSON.stringify(payload) }]
  const { event_type: type, error } = payload
  if (type === undefined) {
    if (error !== undefined) return [sayError(error)]
    return sayInteraction(payload, items(payload['steps']), 'over')
  }
  switch (type) {
    case 'interaction.created':
    case 'interaction.completed': {
      const { interaction } = payload
      return isJsonObject(interaction)
        ? sayInteraction(interaction, [], type === 'interaction.completed' ? 'over' : 'begun')
        : []
    }
    case 'interaction.status_update':
      return [
        {
          kind: 'interaction',
          id: textOf(payload['interaction_id']),
          status: textOf(payload['status']) ?? '',
          done: false,
        },
      ]
    case 'error':
      return [sayError(error ?? 'unknown')]
    case 'step.start':
    case 'step.delta':
    case 'step.stop':
      return sayEvent(type, payload)
  }
  return [{ kind: 'unknown', what: `an event ${JSON.stringify(type)}` }]
}

function sayInteraction(
  interaction: JsonObject,
  steps: readonly JsonValue[],
  state: 'begun' | 'over',
): readonly Saying[] {
  const status = textOf(interaction['status']) ?? ''
  return [
    ...steps.flatMap((step, index) => (isJsonObject(step) ? wholeStep(step, index) : [])),
    ...items(interaction['errors']).map(sayError),
    { kind: 'interaction', id: textOf(interaction['id']), status, done: state === 'over' },
    ...sayUsage(interaction['usage']),
  ]
}

function wholeStep(step: JsonObject, index: number): readonly Saying[] {
  return [
    ...startOf(step, index),
    { kind: 'step', type: textOf(step['type']) ?? '', begins: false, step: index },
  ]
}

function sayEvent(type: string, { index, step, delta }: JsonObject): readonly Saying[] {
  const at = typeof index === 'number' ? index : undefined
  if (type === 'step.start') return isJsonObject(step) ? startOf(step, at) : []
  if (type === 'step.stop') return [{ kind: 'step', type: '', begins: false, step: at }]
  return isJsonObject(delta) ? deltaOf(delta).map(saying => ({ ...saying, step: at })) : []
}

/** A step as it begins, or whole: what it holds already is said in it. */
function startOf(step: JsonObject, index: number | undefined): readonly Saying[] {
  const type = textOf(step['type']) ?? ''
  const begins: Saying = { kind: 'step', type, begins: true, step: index }
  const said = [...contentOf(type, step), ...signatureIn(step)]
  return [begins, ...said.map(saying => ({ ...saying, step: index }))]
}

function contentOf(type: string, step: JsonObject): readonly Saying[] {
  switch (type) {
    case 'thought':
      return items(step['summary']).flatMap(item => contentItem(item, 'thought'))
    case 'model_output':
      return items(step['content']).flatMap(item => contentItem(item, 'text'))
    case 'function_call': {
      const { id, name, arguments: args } = step
      const whole = isJsonObject(args) ? args : undefined
      return [
        {
          kind: 'call',
          id: textOf(id),
          name: textOf(name),
          args: whole,
          pieces: [],
          willContinue: false,
        },
      ]
    }
  }
  return []
}

function contentItem(item: JsonValue, kind: TextKind): readonly Saying[] {
  if (!isJsonObject(item)) return []
  const { text, data, mime_type: mimeType, type } = item
  if (typeof text === 'string') return [sayText(text, kind)]
  if (typeof data === 'string')
    return [{ kind: 'media', mimeType: textOf(mimeType) ?? '', bytes: base64Length(data) }]
  return type === undefined || type === 'text'
    ? []
    : [{ kind: 'unknown', what: `a content ${JSON.stringify(type)}` }]
}

function deltaOf(delta: JsonObject): readonly Saying[] {
  switch (delta['type']) {
    case 'text':
      return contentItem(delta, 'text')
    case 'thought_summary':
      return contentItem(delta['content'] ?? null, 'thought')
    case 'thought_signature':
      return signatureIn(delta)
    case 'arguments_delta': {
      const json = textOf(delta['arguments'])
      return json === undefined ? [] : [{ kind: 'arguments', json }]
    }
  }
  return contentItem(delta, 'text')
}

function signatureIn({ signature }: JsonObject): readonly Saying[] {
  const value = signatureOf(signature)
  return value === undefined || value === '' ? [] : [{ kind: 'signature', signature: value }]
}
