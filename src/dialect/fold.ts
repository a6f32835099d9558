/**
 * Request bodies made comparable: key case, placeholders, projects, and what an app takes from its clock.
 *
 * For comparison only; nothing folded is ever sent or written. Conservative: what is not known to mean
 * the same is different.
 *
 * Room: dialect.
 */
import { unnumbered } from '../redact/placeholders.ts'
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../wire/json.ts'

/** Values of these fields are the user's own JSON: Struct and Value in the protos, JSON Schema as it is. */
const OPAQUE: ReadonlySet<string> = new Set([
  'args',
  'default',
  'example',
  'instances',
  'modelParameters',
  'parametersJsonSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'structValue',
])

/** Maps: the keys are the user's, the values are messages again. */
const MAPS: ReadonlySet<string> = new Set(['$defs', 'defs', 'headers', 'labels', 'properties'])

/** Moments that an app computes from its clock: a token's or a cache's end. They differ in every run. */
const VOLATILE: ReadonlySet<string> = new Set(['expireTime', 'newSessionExpireTime'])

/** Names that a client library makes of the time (js-genai and python-genai `batches`). */
const CLOCK_NAME = /^genai_?batch_?job_[\d.]+$/i

const PROJECT = /(^|\/)projects\/[^/]+\/locations\//g

/**
 * Folds a proto-JSON body: both key cases are one, except where keys are the user's own (call arguments,
 * responses, schema properties, labels); volatile fields are gone; strings as in {@link foldText}.
 */
export function foldProtoJson(body: JsonValue): JsonValue {
  return message(body, '')
}

/** Folds nothing but strings: placeholders lose their number, resource names their project. */
export function foldText(body: JsonValue): JsonValue {
  if (typeof body === 'string') {
    return unnumbered(body).replace(PROJECT, '$1projects/redacted-project/locations/')
  }
  if (isJsonObject(body)) {
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, foldText(value)]))
  }
  return isJsonList(body) ? body.map(foldText) : body
}

/** `field` is the one that the value stands in, in camelCase. */
function message(value: JsonValue, field: string): JsonValue {
  if (isJsonList(value)) return value.map(item => message(item, field))
  if (!isJsonObject(value)) return foldText(value)
  // A prediction's instances and parameters are Values, whatever is in them (Vertex PredictionService).
  const predicts = value['instances'] !== undefined
  const folded: [string, JsonValue][] = []
  for (const [key, item] of Object.entries(value)) {
    const name = nameOf(key, value)
    if (VOLATILE.has(name)) continue
    if (name === 'displayName' && typeof item === 'string' && CLOCK_NAME.test(item)) continue
    const opaque =
      OPAQUE.has(name) ||
      (name === 'parameters' && predicts) ||
      // A declaration's `response` is a schema of the API's own; anywhere else it is what a tool gave.
      (name === 'response' && field !== 'functionDeclarations')
    if (opaque) folded.push([name, foldText(item)])
    else if (MAPS.has(name) && isJsonObject(item)) folded.push([name, map(item)])
    else folded.push([name, message(item, name)])
  }
  return Object.fromEntries(folded)
}

function map(entries: JsonObject): JsonValue {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, message(value, '')]))
}

/** The camelCase name of a field; as it is where both cases are there, since the service refuses that. */
function nameOf(key: string, object: JsonObject): string {
  const name = key.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
  return name !== key && Object.hasOwn(object, name) ? key : name
}
