/**
 * Why two requests of the models API differ. Bodies are folded: keys are in camelCase.
 *
 * Source of the fields: js-genai `types.ts`, GenerateContentRequest; the same in both APIs.
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
import { declaredTools, explainTools } from './cause-tools.ts'
import { explainTurns, type Turn } from './cause-turns.ts'
import { type Cause, cause } from './cause.ts'

/** Settings that say how an answer looks. */
export const ANSWER_SCHEMAS: ReadonlySet<string> = new Set([
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
])

/** The causes of a difference in what tools are declared. */
export const modelTools: FieldCauses = (recorded, received) =>
  explainTools(declaredTools(recorded), declaredTools(received))

/** The causes of a difference in a list of contents. */
export const contentsCauses: FieldCauses = (recorded, received) =>
  explainTurns(turnsOf(recorded), turnsOf(received))

const FIELDS: FieldTable = new Map<string, FieldCauses>([
  ['model', namedField('model-changed', 'the model')],
  ['systemInstruction', field('system-instruction-changed', 'the system instruction')],
  ['tools', modelTools],
  ['toolConfig', settings('tool-config-changed', 'the tool config', new Set())],
  ['contents', contentsCauses],
  ['content', (recorded, received) => contentsCauses(listOf(recorded), listOf(received))],
  ['generationConfig', settings('generation-config-changed', 'the generation config', ANSWER_SCHEMAS)],
  ['safetySettings', field('safety-settings-changed', 'the list of safety settings')],
  ['cachedContent', namedField('cached-content-changed', 'the cached content')],
])

/** The causes of a difference between two bodies, the likeliest first; none where there is no difference. */
export function explainModels(recorded: JsonValue, received: JsonValue): readonly Cause[] {
  if (!isJsonObject(recorded) || !isJsonObject(received)) {
    return [cause('body-changed', 'the body is another')]
  }
  return explainFields(recorded, received, FIELDS)
}

function turnsOf(contents: JsonValue | undefined): readonly Turn[] {
  return (isJsonList(contents) ? contents : []).map(content => {
    const by = isJsonObject(content) && content['role'] === 'model' ? 'model' : 'user'
    const parts = isJsonObject(content) ? own(content, 'parts') : undefined
    return { by, pieces: listed(parts).map(part => partPiece(part, by)), value: content }
  })
}

/** A part of a content as a piece. */
export function partPiece(part: JsonValue, by: Turn['by']): Piece {
  if (!isJsonObject(part)) return piece('other', part, part)
  const { thoughtSignature, ...rest } = part
  const signature = typeof thoughtSignature === 'string' ? thoughtSignature : undefined
  const { functionCall, functionResponse, inlineData, fileData, text } = rest
  if (isJsonObject(functionCall)) return named('call', part, functionCall, 'args', signature)
  if (isJsonObject(functionResponse)) return named('response', part, functionResponse, 'response', signature)
  if (inlineData !== undefined) return { ...piece('media', part, rest), signature }
  if (fileData !== undefined) return { ...piece('file', part, rest), signature }
  if (text === undefined) return { ...piece('other', part, rest), signature }
  const kind = rest['thought'] === true ? 'thought' : by === 'model' ? 'model-text' : 'user-text'
  const { text: _text, thought: _thought, ...more } = rest
  return { ...piece(kind, part, Object.keys(more).length === 0 ? text : { text, ...more }), signature }
}

function named(
  kind: 'call' | 'response',
  part: JsonObject,
  inner: JsonObject,
  what: string,
  signature: string | undefined,
): Piece {
  const { id, name, ...rest } = inner
  const says = Object.keys(rest).every(key => key === what) ? (rest[what] ?? {}) : rest
  return { kind, value: part, says, id: textOf(id), name: textOf(name), signature }
}

function piece(kind: Piece['kind'], value: JsonValue, says: JsonValue): Piece {
  return { kind, value, says, id: undefined, name: undefined, signature: undefined }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function listed(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonList(value) ? value : []
}

/** One value as a list, for a field that holds a single content. */
function listOf(value: JsonValue | undefined): JsonValue {
  return value === undefined ? [] : [value]
}
