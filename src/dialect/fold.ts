/**
 * Request bodies made comparable: key case, base64 alphabets, placeholders, projects, and what is volatile.
 *
 * For comparison only; nothing folded is ever sent or written. Conservative: what is not known to mean
 * the same is different.
 *
 * Room: dialect.
 */
import { unnumbered } from '../redact/placeholders.ts'
import { createCallIds, isVolatile } from './volatile.ts'
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

/** Fields whose `id` is that of a call. */
const CALLS: ReadonlySet<string> = new Set(['functionCall', 'functionResponse', 'functionResponses'])

/** Maps: the keys are the user's, the values are messages again. */
const MAPS: ReadonlySet<string> = new Set(['$defs', 'defs', 'headers', 'labels', 'properties'])

const PROJECT = /(^|\/)projects\/[^/]+\/locations\//g

/**
 * Folds a proto-JSON body: both key cases are one, except where keys are the user's own (call arguments,
 * responses, schema properties, labels); volatile fields are gone; strings as in {@link foldText}.
 */
export function foldProtoJson(body: JsonValue): JsonValue {
  return message(body, '', createCallIds())
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
function message(value: JsonValue, field: string, callId: (id: string) => string): JsonValue {
  if (isJsonList(value)) return value.map(item => message(item, field, callId))
  if (!isJsonObject(value)) return foldText(value)
  // A prediction's instances and parameters are Values, whatever is in them (Vertex PredictionService).
  const predicts = value['instances'] !== undefined
  const folded: [string, JsonValue][] = []
  for (const [key, item] of Object.entries(value)) {
    const name = nameOf(key, value)
    if (isVolatile(name, item)) continue
    const opaque =
      OPAQUE.has(name) ||
      (name === 'parameters' && predicts) ||
      // A declaration's `response` is a schema of the API's own; anywhere else it is what a tool gave.
      (name === 'response' && field !== 'functionDeclarations')
    if (typeof item === 'string' && isBytes(name, field)) folded.push([name, oneAlphabet(item)])
    else if (typeof item === 'string' && name === 'id' && CALLS.has(field)) folded.push([name, callId(item)])
    else if (opaque) folded.push([name, foldText(item)])
    else if (MAPS.has(name) && isJsonObject(item)) folded.push([name, map(item, callId)])
    else folded.push([name, message(item, name, callId)])
  }
  return Object.fromEntries(folded)
}

function map(entries: JsonObject, callId: (id: string) => string): JsonValue {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, message(value, '', callId)]))
}

/** Fields of bytes: Python spells them in the URL-safe alphabet, the others do not. */
function isBytes(name: string, field: string): boolean {
  return name === 'thoughtSignature' || (name === 'data' && field === 'inlineData')
}

/** RFC 4648 §4 without padding; proto-JSON takes §5 as well, padded or not. */
export function oneAlphabet(base64: string): string {
  return base64
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '')
}

/** The camelCase name of a field; as it is where both cases are there, since the service refuses that. */
function nameOf(key: string, object: JsonObject): string {
  const name = key.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
  return name !== key && Object.hasOwn(object, name) ? key : name
}
