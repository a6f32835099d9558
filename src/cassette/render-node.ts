/**
 * The nodes that the documents of a cassette are laid out from: payloads, values, and maps with keys left out.
 *
 * Room: cassette.
 */
import type { JsonValue } from '../wire/json.ts'
import { isExpiry } from './expiry.ts'
import type { Payload } from './model.ts'
import type { YamlMap, YamlNode } from './render-yaml.ts'

/** A key whose value is left out where it is undefined. */
export type Entry = readonly [key: string, value: YamlNode | undefined]

/** The entry of a payload; none where there is none. */
export function payloadEntries(
  key: 'body' | 'data' | 'raw' | 'client' | 'server',
  payload: Payload | undefined,
): readonly Entry[] {
  if (payload === undefined) return []
  switch (payload.type) {
    case 'text':
      return [[key, { type: 'payload', text: payload.text }]]
    case 'value':
      return [[key, valueNode(payload.value, payload.numbers)]]
    case 'base64':
      return [[`${key}-base64`, string(payload.base64)]]
  }
}

/** A JSON value as nodes; its numbers spelled as `lexemes` say, in order. */
function valueNode(root: JsonValue, lexemes: readonly string[] = []): YamlNode {
  let used = 0

  function node(value: JsonValue): YamlNode {
    if (typeof value === 'string') return string(value)
    if (typeof value === 'number') {
      const lexeme = lexemes[used]
      used += 1
      return verbatim(lexeme ?? value)
    }
    if (typeof value === 'boolean' || value === null) return verbatim(value)
    if (isList(value)) return { type: 'list', layout: 'auto', items: value.map(node) }
    return {
      type: 'map',
      layout: 'auto',
      entries: Object.entries(value).map(([key, item]) => [key, node(item)]),
    }
  }

  return node(root)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** A map that is never a flow. */
export function blockMap(entries: readonly Entry[]): YamlMap {
  return { type: 'map', layout: 'block', entries: entries.filter(isPresent) }
}

/** A map in one line, where it fits. */
export function flowMap(entries: readonly Entry[]): YamlMap {
  return { type: 'map', layout: 'auto', entries: entries.filter(isPresent) }
}

function isPresent(entry: Entry): entry is readonly [string, YamlNode] {
  return entry[1] !== undefined
}

/** What is left out where it is undefined. */
export function optional<T>(value: T | undefined, render: (value: T) => YamlNode): YamlNode | undefined {
  return value === undefined ? undefined : render(value)
}

/** A text. */
export function string(text: string): YamlNode {
  return { type: 'string', text }
}

/** A number. */
export function number(value: number): YamlNode {
  return verbatim(value)
}

/** A word or a number, as it is. */
export function verbatim(value: string | number | boolean | null): YamlNode {
  return { type: 'verbatim', text: String(value) }
}

/** A date or moment of RFC 3339 stays plain: a reader that takes it for a date loses nothing that we read. */
export function moment(text: string): YamlNode {
  return isExpiry(text) ? verbatim(text) : string(text)
}
