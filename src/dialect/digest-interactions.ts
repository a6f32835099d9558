/**
 * Digests of Interactions: requests, steps, and the events that they are streamed in.
 *
 * Source: js-genai `gaos/models/interactions/*`; the older events are those of its versions 1.33 to 1.52.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'
import type { DigestItem } from './digest.ts'
import {
  digestError,
  digestMedia,
  digestTools,
  digestUsage,
  earlier,
  listOf,
  setting,
  textOf,
} from './digest-parts.ts'
import { wordOf, type Weigh } from './trace.ts'

/** What the client says itself; everything else in its input is what it was told. */
const OWN: ReadonlySet<string> = new Set(['user_input', 'function_result', 'text', 'image', 'audio', 'video'])

/** A request: what is new in its input, after what it sends along. */
export function digestInteractionRequest(body: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (!isJsonObject(body) || body['input'] === undefined) return [{ kind: 'other', name: '', value: body }]
  const { input, model, agent, system_instruction: system, previous_interaction_id: previous, tools } = body
  const steps = listOf(input)
  const fresh = 1 + steps.findLastIndex(step => isJsonObject(step) && !isOwn(step))
  return [
    ...setting('model', model),
    ...setting('agent', agent),
    ...setting('system', system),
    ...digestTools(tools),
    ...setting('goes on from', previous),
    ...steps.flatMap((step, index) => {
      const items = digestStep(step, weigh)
      return index < fresh ? earlier(items) : items
    }),
  ]
}

function isOwn({ type, role }: JsonObject): boolean {
  return typeof role === 'string' ? role === 'user' : OWN.has(wordOf(type))
}

/** A step, or a content where one stands in its place. */
function digestStep(step: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (typeof step === 'string') return [{ kind: 'text', text: step }]
  if (!isJsonObject(step)) return [{ kind: 'other', name: '', value: step }]
  const { type, content, summary, signature, error, role } = step
  const signed = digestSignature(signature)
  const failed = error === undefined ? [] : [digestError(error)]
  switch (type) {
    case 'user_input':
    case 'model_output':
      return [...listOf(content).flatMap(item => digestContentItem(item, weigh)), ...signed, ...failed]
    case 'thought':
      return [...listOf(summary).flatMap(thoughtOf), ...signed]
    case 'function_call': {
      const { name, id, arguments: args } = step
      return [{ kind: 'call', name: textOf(name), id: textOf(id), args }, ...signed]
    }
    case 'function_result': {
      const { name, call_id: id, result } = step
      return [{ kind: 'result', name: textOf(name), id: textOf(id), value: result ?? null }]
    }
  }
  if (role !== undefined && type === undefined) {
    return listOf(content).flatMap(item => digestContentItem(item, weigh))
  }
  return digestContentItem(step, weigh)
}

function digestContentItem(item: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (typeof item === 'string') return [{ kind: 'text', text: item }]
  if (!isJsonObject(item)) return [{ kind: 'other', name: '', value: item }]
  const { type, text, data } = item
  if (type === 'text') return typeof text === 'string' ? [{ kind: 'text', text }] : []
  if (typeof data === 'string') return [digestMedia(item, weigh)]
  const name = textOf(type)
  if (name === 'thought' || name === 'function_call' || name === 'function_result')
    return digestStep(item, weigh)
  return [{ kind: 'other', name: name ?? '', value: item }]
}

function thoughtOf(item: JsonValue): readonly DigestItem[] {
  if (!isJsonObject(item)) return []
  const { text } = item
  return typeof text === 'string'
    ? [{ kind: 'thought', text }]
    : [{ kind: 'other', name: 'thought', value: item }]
}

function digestSignature(signature: JsonValue | undefined): readonly DigestItem[] {
  const text = textOf(signature)
  return text === undefined ? [] : [{ kind: 'signature', signature: text }]
}

/** An interaction, or one event of it. */
export function digestInteractionAnswer(body: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (!isJsonObject(body)) return [{ kind: 'other', name: '', value: body }]
  const { event_type: type, interaction, index, status } = body
  if (type === undefined) {
    if (body['error'] !== undefined) return [digestError(body['error'])]
    return body['status'] === undefined
      ? [{ kind: 'other', name: '', value: body }]
      : digestWhole(body, weigh)
  }
  switch (type) {
    case 'interaction.created':
    case 'interaction.start':
      return [
        {
          kind: 'mark',
          text: `created ${isJsonObject(interaction) ? wordOf(interaction['id']) : ''}`.trim(),
        },
      ]
    case 'interaction.status_update':
      return [{ kind: 'mark', text: wordOf(status), quiet: true }]
    case 'interaction.completed':
    case 'interaction.complete':
      return isJsonObject(interaction) ? digestWhole(interaction, weigh) : []
    case 'error':
      return [digestError(body['error'] ?? 'unknown')]
  }
  const items = digestStepEvent(wordOf(type), body, weigh)
  return typeof index === 'number' ? items.map(item => ({ ...item, of: index })) : items
}

function digestStepEvent(type: string, body: JsonObject, weigh: Weigh): readonly DigestItem[] {
  switch (type) {
    case 'step.start':
    case 'content.start': {
      const start = body['step'] ?? body['content']
      const called = isJsonObject(start) ? textOf(start['type']) : undefined
      const items = start === undefined ? [] : digestStart(start, weigh)
      return [{ kind: 'mark', text: `${called ?? 'step'} begins`, quiet: true }, ...items]
    }
    case 'step.delta':
    case 'content.delta':
      return body['delta'] === undefined ? [] : digestDelta(body['delta'], weigh)
    case 'step.stop':
    case 'content.stop':
      return [{ kind: 'mark', text: 'step ends', quiet: true }]
  }
  return [{ kind: 'other', name: type, value: body }]
}

/** A call begins with empty arguments, which then come in pieces. */
function digestStart(step: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (isJsonObject(step) && step['type'] === 'text' && step['text'] === undefined) return []
  return digestStep(step, weigh).map(item => {
    if (item.kind !== 'call' || !isJsonObject(item.args) || Object.keys(item.args).length > 0) return item
    return { ...item, args: undefined }
  })
}

function digestDelta(delta: JsonValue, weigh: Weigh): readonly DigestItem[] {
  if (!isJsonObject(delta)) return [{ kind: 'other', name: 'delta', value: delta }]
  switch (delta['type']) {
    case 'thought_summary':
      return thoughtOf(delta['content'] ?? {})
    case 'thought_signature':
      return digestSignature(delta['signature'])
    case 'arguments_delta': {
      const { arguments: piece } = delta
      return typeof piece === 'string' ? [{ kind: 'arguments', path: undefined, text: piece }] : []
    }
  }
  return digestStep(delta, weigh)
}

function digestWhole(interaction: JsonObject, weigh: Weigh): readonly DigestItem[] {
  const { steps, outputs, status, usage, errors } = interaction
  const reason = textOf(status) ?? 'completed'
  return [
    ...listOf(steps ?? outputs).flatMap(step => digestStep(step, weigh)),
    ...listOf(errors).map(digestError),
    { kind: 'finish', reason, well: reason === 'completed' || reason === 'requires_action' },
    ...(usage === undefined ? [] : [digestUsage(usage)]),
  ]
}
