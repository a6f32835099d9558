/**
 * Collections on one line, `{ a: [b, c] }`, spaced as we write them, for the reader of lines.
 *
 * Room: cassette.
 */
import { decline, plainName, scalarIn, type Lines } from './lines-scalar.ts'
import type { FieldNode, TreeNode } from './tree.ts'

/** A node, and where the text goes on behind it. */
interface Read {
  readonly node: TreeNode
  readonly after: number
}

/** A quoted text, or all up to what ends a plain one. */
const SCALAR = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^,[\]{}\n"'][^,[\]{}\n]*/y

/** The collection or value at `place`. */
export function flowAt(lines: Lines, place: number, depth: number): Read {
  const { text } = lines
  switch (text[place]) {
    case '{':
      return mapAt(lines, place, depth)
    case '[':
      return listAt(lines, place, depth)
    default: {
      const end = endOfScalar(text, place)
      return { node: scalarIn(text, place, end, 'flow'), after: end }
    }
  }
}

function mapAt(lines: Lines, place: number, depth: number): Read {
  const { text } = lines
  if (depth >= lines.limits.depth) decline()
  if (text[place + 1] === '}') return { node: { type: 'map', offset: place, fields: [] }, after: place + 2 }
  const fields: FieldNode[] = []
  for (let at = place; ;) {
    // Behind the bracket or the comma.
    if (text[at + 1] !== ' ') decline()
    const key = at + 2
    const colon = endOfName(text, key)
    const name = plainName(text, key, colon)
    if (fields.some(field => field.name === name)) decline()
    const { node, after } = flowAt(lines, colon + 2, depth + 1)
    fields.push({ name, offset: key, value: node })
    if (text.startsWith(' }', after))
      return { node: { type: 'map', offset: place, fields }, after: after + 2 }
    if (text[after] !== ',') decline()
    at = after
  }
}

function listAt(lines: Lines, place: number, depth: number): Read {
  const { text } = lines
  if (depth >= lines.limits.depth) decline()
  if (text[place + 1] === ']') return { node: { type: 'list', offset: place, items: [] }, after: place + 2 }
  const items: TreeNode[] = []
  for (let at = place + 1; ;) {
    const { node, after } = flowAt(lines, at, depth + 1)
    items.push(node)
    if (text[after] === ']') return { node: { type: 'list', offset: place, items }, after: after + 1 }
    if (!text.startsWith(', ', after)) decline()
    at = after + 2
  }
}

/** Where the colon is that ends the name at `key`. */
function endOfName(text: string, key: number): number {
  const end = matchAt(text, key)
  const mark = text[key]
  const colon = mark === '"' || mark === "'" ? end : text.indexOf(': ', key)
  return text.startsWith(': ', colon) && colon <= end ? colon : decline()
}

/** A plain text before a closing brace ends at the blank. */
function endOfScalar(text: string, place: number): number {
  const end = matchAt(text, place)
  return text[end] === '}' && text[end - 1] === ' ' ? end - 1 : end
}

function matchAt(text: string, place: number): number {
  SCALAR.lastIndex = place
  return SCALAR.test(text) ? SCALAR.lastIndex : decline()
}
