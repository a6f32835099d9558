/**
 * Live client messages as they are compared: one spelling for what every SDK means by the same message.
 *
 * Key case and placeholders are folded as in any proto-JSON body; Live adds the base64 alphabets and the
 * many names of a model.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../wire/json.ts'
import { foldProtoJson, oneAlphabet } from './fold.ts'
import { withoutProject } from './vertex.ts'

/** Values that are the user's own, whatever their keys are. */
const OPAQUE: ReadonlySet<string> = new Set(['args', 'response'])
/** Keys of bytes: Python spells them in the URL-safe alphabet, the others do not. */
const BYTES: ReadonlySet<string> = new Set(['data', 'thoughtSignature'])

/** A message, folded. */
export function foldMessage(message: JsonObject): JsonObject {
  const folded = inOneAlphabet(foldProtoJson(message))
  return isJsonObject(folded) ? folded : {}
}

function inOneAlphabet(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOneAlphabet)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, below]): [string, JsonValue] => {
    if (OPAQUE.has(key)) return [key, below]
    if (BYTES.has(key) && typeof below === 'string') return [key, oneAlphabet(below)]
    return [key, inOneAlphabet(below)]
  })
  return Object.fromEntries(entries)
}

/** A key in camelCase. */
function camel(key: string): string {
  if (!key.includes('_')) return key
  return key.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** An object with its own keys in camelCase and nothing below them touched; empty for anything else. */
export function shallow(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [camel(key), below]))
}

/** A model by its name alone: `models/m`, `publishers/google/models/m` and `projects/.../models/m` are one. */
export function modelName(model: string): string {
  return withoutProject(model).replace(/^(?:publishers\/google\/)?(?:models\/)?/, '')
}

/** The object that this JSON text is; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isJsonObject(value) ? value : undefined
}
