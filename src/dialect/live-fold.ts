/**
 * Live client messages as they are compared: one spelling for what every SDK means by the same message.
 *
 * proto-JSON takes snake_case and camelCase alike; Python sends the envelope in one and the inside in the
 * other. What a user or a model named is never touched: arguments, function results, schemas.
 *
 * Room: dialect.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'

/** Keys whose values hold names that are not the API's own. */
const OPAQUE: ReadonlySet<string> = new Set([
  'args',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
  'responseSchema',
])
/** Keys of bytes: Python spells them in the URL-safe alphabet, the others do not. */
const BYTES: ReadonlySet<string> = new Set(['data', 'thoughtSignature'])

/** A key in camelCase. */
export function camel(key: string): string {
  return key.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** A message with its key case folded and its base64 in one alphabet. */
export function fold(value: JsonValue): JsonValue {
  if (isJsonObject(value)) return foldObject(value)
  return Array.isArray(value) ? value.map(item => fold(item)) : value
}

/** The same for an object, which stays one. */
export function foldObject(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => foldEntry(camel(key), value)))
}

function foldEntry(key: string, value: JsonValue): [string, JsonValue] {
  if (OPAQUE.has(key)) return [key, value]
  if (BYTES.has(key) && typeof value === 'string') return [key, oneAlphabet(value)]
  return [key, fold(value)]
}

function oneAlphabet(base64: string): string {
  return base64.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
}

/** A model by its name alone: `models/m`, `publishers/google/models/m` and `projects/…/models/m` are one. */
export function modelName(model: string): string {
  return model
    .replace(/^projects\/[^/]+\/(?:locations\/[^/]+\/)?/, '')
    .replace(/^publishers\/google\//, '')
    .replace(/^models\//, '')
}

/** The object that this JSON text is; undefined for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
