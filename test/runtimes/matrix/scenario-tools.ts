/** The tools of a scenario: as they were declared, as they were called, and what they gave back. */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../../../src/wire/json.ts'
import type { ScenarioTool } from '../invariants/run.ts'
import { record, textOf } from '../json.ts'

/** A call or a response on the wire. */
export interface Named {
  readonly id: string | undefined
  readonly name: string
  /** The arguments, or the response. */
  readonly value: JsonValue | undefined
}

/** What a recording says of tools. */
export interface ToolTraffic {
  /** `functionDeclarations`, each in camelCase. */
  readonly declared: readonly JsonObject[]
  readonly called: readonly Named[]
  /** Each once, in order. */
  readonly answered: readonly Named[]
}

/** The tools; a call of one that nobody declared declares it. */
export function toolsOf({ declared, called, answered }: ToolTraffic): readonly ScenarioTool[] {
  const tools = new Map<string, Omit<ScenarioTool, 'results'>>()
  for (const { name, description, parameters, parametersJsonSchema } of declared) {
    const schema = record(parametersJsonSchema ?? parameters ?? { type: 'object', properties: {} })
    tools.set(textOf(name) ?? '', {
      name: textOf(name) ?? '',
      description: textOf(description) ?? '',
      parameters: record(lowered(schema)),
    })
  }
  for (const { name, value } of called) {
    // What follows the first chunk of a call that is streamed has no name.
    if (name === '' || tools.has(name)) continue
    tools.set(name, { name, description: '', parameters: schemaOf(record(value)) })
  }
  return [...tools.values()].map(tool => {
    const results = answered.filter(({ name }) => name === tool.name).map(({ value }) => resultOf(value))
    return { ...tool, results: results.length === 0 ? [{ ok: true }] : results }
  })
}

/** The first declaration of each name: requests declare again what the ones before them did. */
export function declaredOnce(all: readonly JsonObject[]): readonly JsonObject[] {
  return all.filter((one, index) => all.findIndex(({ name }) => name === one['name']) === index)
}

/** Each thing once: requests repeat what the ones before them held. */
export function once(all: readonly Named[]): readonly Named[] {
  return all.filter(
    (one, index) =>
      !all.slice(0, index).some(other => (one.id === undefined ? other === one : other.id === one.id)),
  )
}

/** A call or a response, of the message that holds it. */
export function named(value: JsonValue | undefined, key: 'args' | 'response'): Named {
  const { id, name, [key]: content } = record(value)
  return { id: textOf(id), name: textOf(name) ?? '', value: content }
}

function resultOf(value: JsonValue | undefined): object {
  return isJsonObject(value) ? value : { result: value }
}

/** A schema with the types of JSON Schema, where the API's are in upper case. */
function lowered(schema: JsonValue): JsonValue {
  if (isJsonList(schema)) return schema.map(lowered)
  if (!isJsonObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'type' && typeof value === 'string' ? value.toLowerCase() : lowered(value),
    ]),
  )
}

/** The schema of arguments that somebody was called with. */
function schemaOf(args: JsonObject): object {
  const properties = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, typeOf(value)]))
  return { type: 'object', properties, required: Object.keys(args) }
}

function typeOf(value: JsonValue): object {
  if (isJsonList(value)) {
    const [first] = value
    return { type: 'array', items: first === undefined ? {} : typeOf(first) }
  }
  if (isJsonObject(value)) return schemaOf(value)
  return value === null ? { type: 'null' } : { type: typeof value }
}
