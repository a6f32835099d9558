/**
 * Why two lists of tools differ: which tool is missing, new, renamed or declared in another way.
 *
 * Room: dialect.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue, own, sameJson } from '../wire/json.ts'
import { cause, type Cause, quoted } from './cause.ts'

/** Tools by name: declared functions by theirs, built-in tools by their key. */
export type ToolTable = ReadonlyMap<string, JsonValue>

/** How many tools are told of. */
const TOLD = 3

/** Tells the tools of two requests apart. */
export function explainTools(recorded: ToolTable, received: ToolTable): readonly Cause[] {
  const missing = [...recorded.keys()].filter(name => !received.has(name))
  const added = [...received.keys()].filter(name => !recorded.has(name))
  const [lost, found] = [missing[0], added[0]]
  const renamed =
    lost !== undefined &&
    found !== undefined &&
    missing.length === 1 &&
    added.length === 1 &&
    sameJson(nameless(recorded.get(lost)), nameless(received.get(found)))
  const changed = [...recorded].flatMap(([name, declared]) => {
    const now = received.get(name)
    return now === undefined || sameJson(declared, now) ? [] : [explainDeclaration(name, declared, now)]
  })
  const causes = [
    ...(renamed
      ? [cause('tool-renamed', `tool ${quoted(lost)} was renamed to ${quoted(found)}`)]
      : [
          ...missing.map(name => cause('tool-missing', `tool ${quoted(name)} is missing`)),
          ...added.map(name => cause('tool-added', `tool ${quoted(name)} was added`)),
        ]),
    ...changed,
  ]
  if (causes.length > 0) return causes.slice(0, TOLD)
  const names = [...received.keys()]
  return [...recorded.keys()].every((name, index) => names[index] === name)
    ? [cause('tool-changed', 'the tools are the same, but put together in another way')]
    : [cause('tools-reordered', 'the tools are in another order')]
}

function explainDeclaration(name: string, recorded: JsonValue, received: JsonValue): Cause {
  const otherwise = cause('tool-changed', `tool ${quoted(name)} is declared in another way`)
  if (!isJsonObject(recorded) || !isJsonObject(received)) return otherwise
  const [one, other] = [recorded, received]
  const { description: _one, ...before } = one
  const { description: _other, ...now } = other
  if (sameJson(before, now)) {
    return cause('tool-description-changed', `the description of tool ${quoted(name)} changed`)
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const isSchema = keys.some(key => {
    const [left, right] = [own(one, key) ?? null, own(other, key) ?? null]
    return /^(?:parameters|response)/i.test(key) && !sameJson(left, right)
  })
  return isSchema ? cause('tool-schema-changed', `the schema of tool ${quoted(name)} changed`) : otherwise
}

/** Tools of the models API: `[{ functionDeclarations: […] }, { googleSearch: {} }]`. */
export function declaredTools(tools: JsonValue | undefined): ToolTable {
  const table = new Map<string, JsonValue>()
  for (const tool of objectsIn(tools)) {
    for (const [key, value] of Object.entries(tool)) {
      const declarations = key === 'functionDeclarations' ? objectsIn(value) : []
      if (declarations.length === 0) table.set(key, value)
      for (const declaration of declarations) table.set(nameIn(declaration), declaration)
    }
  }
  return table
}

/** Tools of Interactions: `[{ type: function, name, … }, { type: google_search }]`. */
export function typedTools(tools: JsonValue | undefined): ToolTable {
  return new Map(objectsIn(tools).map(tool => [nameIn(tool), tool]))
}

function nameIn(tool: JsonObject): string {
  const name = own(tool, 'name') ?? own(tool, 'type')
  return typeof name === 'string' ? name : 'without a name'
}

function nameless(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return value ?? null
  const { name: _, ...rest } = value
  return rest
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonList(value) ? value.filter(isJsonObject) : []
}
