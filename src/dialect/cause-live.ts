/**
 * Why two Live client messages differ. They are folded: keys are in camelCase.
 *
 * Source of the fields: js-genai `types.ts`, LiveClientMessage.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue, sameJson } from '../wire/json.ts'
import {
  explainFields,
  field,
  type FieldCauses,
  type FieldTable,
  namedField,
  settings,
} from './cause-fields.ts'
import { ANSWER_SCHEMAS, contentsCauses, modelTools, partPiece } from './cause-models.ts'
import { explainPiece, pieceName } from './cause-pieces.ts'
import { type Cause, cause } from './cause.ts'
import type { DiscreteInput, ResponseInput } from './live-messages.ts'

const SETUP: FieldTable = new Map<string, FieldCauses>([
  ['model', namedField('model-changed', 'the model')],
  ['systemInstruction', field('system-instruction-changed', 'the system instruction')],
  ['tools', modelTools],
  ['generationConfig', settings('generation-config-changed', 'the generation config', ANSWER_SCHEMAS)],
])

const CONTENT: FieldTable = new Map<string, FieldCauses>([['turns', contentsCauses]])

const REALTIME: FieldTable = new Map<string, FieldCauses>([
  ['text', field('user-text-changed', 'the text that the user typed')],
])

/** What is in a message, by the key of its envelope. */
const MESSAGES: ReadonlyMap<string, FieldTable> = new Map([
  ['setup', SETUP],
  ['clientContent', CONTENT],
  ['realtimeInput', REALTIME],
])

/** The causes of a difference between two messages, the likeliest first; none where there is no difference. */
export function explainLive(
  recorded: DiscreteInput | ResponseInput,
  received: DiscreteInput | ResponseInput,
): readonly Cause[] {
  if (recorded.type === 'response' && received.type === 'response') {
    const [one, other] = [recorded.value, received.value].map(value =>
      partPiece({ functionResponse: value }, 'user'),
    )
    if (one === undefined || other === undefined || sameJson(one.value, other.value)) return []
    return explainPiece(one, other, pieceName(other))
  }
  const kind = (): readonly Cause[] => [
    cause('message-kind-changed', `${received.label} came, recorded is ${recorded.label}`),
  ]
  if (recorded.type !== received.type) return kind()
  const [one, other] = [inside(recorded.value), inside(received.value)]
  if (one === undefined || other === undefined || one.key !== other.key) return kind()
  const causes = explainFields(one.body, other.body, MESSAGES.get(one.key) ?? new Map())
  return recorded.label === received.label ? causes : [...kind(), ...causes]
}

/** The one message in an envelope. */
function inside(value: JsonValue): { readonly key: string; readonly body: JsonObject } | undefined {
  if (!isJsonObject(value)) return undefined
  const [entry, ...others] = Object.entries(value)
  if (entry === undefined || others.length > 0) return undefined
  const [key, body] = entry
  return isJsonObject(body) ? { key, body } : undefined
}
