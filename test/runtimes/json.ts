/** Reads JSON that nobody vouches for: what is not of the kind that is asked for reads as an empty one. */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../../src/wire/json.ts'

/** An object, its keys as they are spelled; everything else reads as one without keys. */
export function record(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The items of a list; none of anything else. */
export function items(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonList(value) ? value : []
}

/** The items of a list, each as an object. */
export function records(value: JsonValue | undefined): readonly JsonObject[] {
  return items(value).map(record)
}

/** A text; undefined for anything else. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Values of these fields are the user's own: their keys are left as they are. */
const OPAQUE: ReadonlySet<string> = new Set([
  'args',
  'parametersJsonSchema',
  'properties',
  'response',
  'responseJsonSchema',
])

/** The same value with the field names of protos in camelCase, as the API spells them: SDKs send either. */
export function camelCased(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(camelCased)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      return [name, OPAQUE.has(name) ? item : camelCased(item)]
    }),
  )
}
