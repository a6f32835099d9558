/**
 * Why two requests of the Interactions API differ. Keys are in snake_case and never folded.
 *
 * Source: js-genai `gaos/models/interactions/create-model-interaction.ts`; steps as in its `Step`.
 *
 * Room: dialect.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue, own } from '../wire/json.ts'
import {
  explainFields,
  field,
  type FieldCauses,
  type FieldTable,
  namedField,
  settings,
} from './cause-fields.ts'
import type { Piece } from './cause-pieces.ts'
import { explainTools, typedTools } from './cause-tools.ts'
import { explainTurns, type Turn } from './cause-turns.ts'
import { cause, type Cause, changeOf } from './cause.ts'

const FIELDS: FieldTable = new Map<string, FieldCauses>([
  ['model', namedField('model-changed', 'the model')],
  ['agent', namedField('model-changed', 'the agent')],
  ['previous_interaction_id', continues],
  ['system_instruction', field('system-instruction-changed', 'the system instruction')],
  ['tools', (recorded, received) => explainTools(typedTools(recorded), typedTools(received))],
  ['input', (recorded, received) => explainTurns(turnsOf(recorded), turnsOf(received))],
  ['response_format', field('response-schema-changed', 'the format of the answer')],
  ['generation_config', settings('generation-config-changed', 'the generation config', new Set())],
  ['stream', streams],
])

/** The causes of a difference between two bodies, the likeliest first; none where there is no difference. */
export function explainInteractions(recorded: JsonValue, received: JsonValue): readonly Cause[] {
  if (!isJsonObject(recorded) || !isJsonObject(received)) {
    return [cause('body-changed', 'the body is another')]
  }
  return explainFields(recorded, received, FIELDS)
}

function continues(recorded: JsonValue | undefined, received: JsonValue | undefined): readonly Cause[] {
  const how = changeOf(recorded, received)
  return [
    cause(
      'previous-interaction-changed',
      `the id of the interaction that it continues ${how}`,
      'Take the id from the answer before: replayed answers have the recorded ids.',
    ),
  ]
}

function streams(_recorded: JsonValue | undefined, received: JsonValue | undefined): readonly Cause[] {
  return [
    cause(
      'stream-changed',
      received === true
        ? 'a stream is asked for, recorded is a whole answer'
        : 'a whole answer is asked for, recorded is a stream',
    ),
  ]
}

/** `input` is a text, a content, or a list of contents, steps or (once) turns. */
function turnsOf(input: JsonValue | undefined): readonly Turn[] {
  if (typeof input === 'string') return [{ by: 'user', pieces: [textPiece(input, 'user')], value: input }]
  const items = isJsonList(input) ? input : isJsonObject(input) ? [input] : []
  return items.map(turnOf)
}

function turnOf(item: JsonValue): Turn {
  if (!isJsonObject(item)) return { by: 'user', pieces: [plain('other', item)], value: item }
  const by = item['role'] === 'model' || MODEL_STEPS.has(textOf(item['type']) ?? '') ? 'model' : 'user'
  const content = own(item, 'content')
  const pieces = isJsonList(content)
    ? content.map(one => contentPiece(one, by))
    : [typeof content === 'string' ? textPiece(content, by) : contentPiece(item, by)]
  return { by, pieces, value: item }
}

/** Steps that the model took; what comes back of a tool is the user's. */
const MODEL_STEPS: ReadonlySet<string> = new Set(['thought', 'function_call', 'model_output'])

function contentPiece(content: JsonValue, by: Turn['by']): Piece {
  if (!isJsonObject(content)) return plain('other', content)
  switch (content['type']) {
    case 'text':
      return { ...textPiece(own(content, 'text') ?? '', by), value: content }
    case 'thought':
      return signed('thought', content)
    case 'function_call':
      return signed('call', content)
    case 'function_result':
      return signed('response', content)
    case 'image':
    case 'audio':
    case 'video':
    case 'document':
      return plain(own(content, 'uri') === undefined ? 'media' : 'file', content)
    default:
      return plain('other', content)
  }
}

function signed(kind: Piece['kind'], content: JsonObject): Piece {
  const { type: _, id, call_id: callId, name, signature, ...says } = content
  return {
    kind,
    value: content,
    says,
    name: textOf(name),
    id: textOf(kind === 'response' ? callId : id),
    signature: textOf(signature),
  }
}

function textPiece(text: JsonValue, by: Turn['by']): Piece {
  return plain(by === 'model' ? 'model-text' : 'user-text', text)
}

function plain(kind: Piece['kind'], value: JsonValue): Piece {
  return { kind, value, says: value, name: undefined, id: undefined, signature: undefined }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
