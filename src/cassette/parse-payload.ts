/**
 * Payloads: text, a JSON value, or bytes as base64.
 *
 * A value is what JSON can hold, and only if it survives being read: YAML has numbers, words and keys
 * that JSON has not, and they would be sent as something else than was written.
 *
 * Room: cassette.
 */
import { decodeBase64 } from '../wire/base64.ts'
import { numberSurvives, type JsonValue } from '../wire/json.ts'
import { referredName } from './blobs.ts'
import { excerpt } from './code-frame.ts'
import { fail, freeText, textAt, JSON_NUMBER, type Fields } from './parse-fields.ts'
import type { Payload } from './model.ts'
import { checkReferences, type BlobSizes } from './parse-references.ts'
import type { Source } from './source.ts'
import type { FieldNode, MapNode, ScalarNode, TreeNode } from './tree.ts'

/** The words of JSON, as YAML must spell them here. */
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** The payload in `name` or in `name-base64`; undefined where neither is there. */
export function payloadAt(
  source: Source,
  fields: Fields,
  name: 'body' | 'data' | 'raw' | 'client' | 'server',
  blobs: BlobSizes,
): Payload | undefined {
  const plain = fields.get(name)
  const encoded = fields.get(`${name}-base64`)
  if (plain !== undefined && encoded !== undefined) failBoth(source, encoded, plain.name)
  if (encoded !== undefined) return { type: 'base64', base64: base64At(source, encoded, blobs) }
  if (plain === undefined) return undefined
  checkReferences(source, plain.value, 'payload', blobs)
  return name === 'raw' ? { type: 'text', text: textAt(source, plain, '`raw`') } : valueOrText(source, plain)
}

/** Throws: two keys that exclude each other. */
export function failBoth(source: Source, field: FieldNode, other: string): never {
  return fail(source, field.offset, {
    what: `\`${other}\` and \`${field.name}\` in one place`,
    expected: 'one of the two',
    hint: `Remove \`${other}\` or \`${field.name}\`.`,
  })
}

function valueOrText(source: Source, { name, value: node }: FieldNode): Payload {
  if (node.type === 'scalar' && typeof node.value === 'string') {
    return { type: 'text', text: freeText(source, node) }
  }
  if (isDoneMark(node)) {
    fail(source, node.offset, {
      what: `\`${name}: [DONE]\` is a list with one text in it`,
      expected: 'the text `[DONE]`',
      hint: `Quote it: \`${name}: "[DONE]"\`.`,
    })
  }
  const numbers: string[] = []
  const value = jsonAt(source, node, numbers)
  const asUsual = numbers.every(lexeme => String(Number(lexeme)) === lexeme)
  return { type: 'value', value, ...(asUsual ? {} : { numbers }) }
}

function isDoneMark(node: TreeNode): boolean {
  if (node.type !== 'list') return false
  const [item, second] = node.items
  return second === undefined && item?.type === 'scalar' && item.style === 'plain' && item.lexeme === 'DONE'
}

/** The JSON value of a node; the spellings of its numbers are added to `numbers`. */
export function jsonAt(source: Source, node: TreeNode, numbers: string[]): JsonValue {
  switch (node.type) {
    case 'scalar':
      return jsonScalar(source, node, numbers)
    case 'list':
      return Array.from(node.items, item => jsonAt(source, item, numbers))
    case 'map':
      return jsonObject(source, node, numbers)
  }
}

function jsonScalar(source: Source, node: ScalarNode, numbers: string[]): JsonValue {
  const { value, lexeme } = node
  if (typeof value === 'string') return freeText(source, node)
  if (typeof value !== 'number') {
    if (WORDS.has(lexeme)) return value
    return fail(source, node.offset, {
      what: `\`${lexeme}\` is not how JSON spells it`,
      expected: `\`${String(value)}\``,
      hint: `Write \`${String(value)}\`, or quote a text: \`"${lexeme}"\`.`,
    })
  }
  if (!JSON_NUMBER.test(lexeme)) {
    fail(source, node.offset, {
      what: `\`${excerpt(lexeme)}\` is a number to YAML, but not to JSON`,
      expected: 'a number as JSON spells it',
      hint: `Write it in plain digits, or quote a text: \`"${excerpt(lexeme)}"\`.`,
    })
  }
  if (!numberSurvives(lexeme)) {
    fail(source, node.offset, {
      what: `the number \`${excerpt(lexeme)}\` would be sent as ${String(value)}`,
      expected: 'a number that a double holds',
      hint: 'Write the whole payload as text, e.g. with `|-`.',
    })
  }
  numbers.push(lexeme)
  return value
}

function jsonObject(source: Source, node: MapNode, numbers: string[]): JsonValue {
  const object = Object.fromEntries(
    node.fields.map(field => [field.name, jsonAt(source, field.value, numbers)]),
  )
  if (!node.fields.some(({ name }) => /^\d/.test(name))) return object
  const moved = Object.keys(object).findIndex((key, index) => key !== node.fields[index]?.name)
  const field = node.fields[moved]
  if (field === undefined) return object
  return fail(source, field.offset, {
    what: `the keys of this object would be sent in another order: whole numbers come first`,
    hint: 'Put keys that are whole numbers first, in ascending order, or write the payload as text.',
  })
}

function base64At(source: Source, field: FieldNode, blobs: BlobSizes): string {
  const text = textAt(source, field, `\`${field.name}\``)
  if (decodeBase64(text) !== undefined) return text
  const blob = referredName(text)
  if (blob !== undefined && blobs.has(blob)) {
    checkReferences(source, field.value, 'base64', blobs)
    return text
  }
  return fail(source, field.value.offset, {
    what: `\`${field.name}\` is not base64`,
    expected: 'base64 with its padding, in one line, or `blob:NAME@offset+length`',
    hint: blob === undefined ? undefined : `List the blob in \`blobs\`: \`{ ${excerpt(blob)}: LENGTH }\`.`,
  })
}
