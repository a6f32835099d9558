/**
 * From a YAML document to plain nodes: here YAML's traps are refused, whatever they stand in.
 *
 * Keys that come twice, values that are empty, tags, keys that are no text, aliases without end, and
 * text blocks whose last line some readers drop.
 *
 * Room: cassette.
 */
import { isAlias, isMap, isScalar, isSeq, type Alias, type Pair, type Scalar } from 'yaml'
import { excerpt } from './code-frame.ts'
import type { Limits } from './limits.ts'
import type { YamlDocument } from './parse-yaml.ts'
import { invalid, positionOf, type Mistake, type Source } from './source.ts'
import type { FieldNode, MapNode, ScalarNode, TreeNode } from './tree.ts'

/** Keys that an exchange or a header has once, so that a second one says where a document should begin. */
const ONCE: ReadonlySet<string> = new Set(['cassette', 'exchange', 'request', 'response', 'end'])

/** One document on its way. Offsets of YAML nodes count from `yaml.start`. */
interface Reading {
  readonly source: Source
  readonly yaml: YamlDocument
  readonly limits: Limits
  /** Aliases expanded so far. */
  aliases: number
}

/** Turns a document without mistakes in syntax into nodes. Throws `WIRETAPE_CASSETTE_INVALID`. */
export function treeOf(source: Source, yaml: YamlDocument, limits: Limits): TreeNode {
  return valueOf({ source, yaml, limits, aliases: 0 }, yaml.document.contents, 0, 0, 'this document')
}

/** The node for a key's value, an item, or a document; `subject` names it where there is none. */
function valueOf(reading: Reading, node: unknown, place: number, depth: number, subject: string): TreeNode {
  const at = offsetOf(node, place)
  if (isScalar(node) && !(node.type === 'PLAIN' && node.source === '')) return scalarOf(reading, node, at)
  if (isAlias(node)) return valueOf(reading, targetOf(reading, node, at, depth), at, depth + 1, subject)
  if (isMap(node)) {
    checkTag(reading, node.tag, at)
    return mapOf(reading, node.items, at, depth)
  }
  if (isSeq(node)) {
    checkTag(reading, node.tag, at)
    const items = node.items.map(item => valueOf(reading, item, at, depth + 1, 'this item of a list'))
    return { type: 'list', offset: reading.yaml.start + at, items }
  }
  return fail(reading, place, {
    what: `${subject} has no value`,
    hint: 'Leave it out, or write `""` for an empty text and `null` for a JSON null.',
  })
}

/** What an alias stands for. One that stands in its own anchor, or in many others, runs into a limit. */
function targetOf(reading: Reading, alias: Alias, at: number, depth: number): unknown {
  reading.aliases += 1
  if (reading.aliases > reading.limits.aliases || depth > reading.limits.depth) {
    const what = `more than ${reading.limits.aliases} aliases in one document, or one inside itself`
    fail(reading, at, { what, hint: 'Write the values out.' })
  }
  return alias.resolve(reading.yaml.document)
}

function mapOf(reading: Reading, items: readonly Pair[], at: number, depth: number): MapNode {
  const { start } = reading.yaml
  const seen = new Map<string, number>()
  const fields = items.map(({ key, value }): FieldNode => {
    const place = offsetOf(key, at)
    const name = nameOf(reading, key, place)
    const first = seen.get(name)
    if (first !== undefined) failTwice(reading, name, [first, place], depth)
    seen.set(name, place)
    const subject = `\`${excerpt(name)}\``
    return { name, offset: start + place, value: valueOf(reading, value, place, depth + 1, subject) }
  })
  return { type: 'map', offset: start + at, fields }
}

function nameOf(reading: Reading, key: unknown, at: number): string {
  if (isScalar(key) && typeof key.value === 'string') {
    checkTag(reading, key.tag, at)
    return key.value
  }
  const lexeme = isScalar(key) ? (key.source ?? '') : ''
  return fail(reading, at, {
    what: 'a key that is not a text',
    expected: 'a text',
    hint: lexeme === '' ? undefined : `Quote it: \`"${excerpt(lexeme)}":\`.`,
  })
}

function failTwice(
  reading: Reading,
  name: string,
  [first, second]: readonly [number, number],
  depth: number,
): never {
  const { line } = positionOf(reading.source, reading.yaml.start + first)
  return fail(reading, second, {
    what: `\`${excerpt(name)}\` comes twice, first in line ${line}`,
    hint:
      depth === 0 && ONCE.has(name)
        ? 'Begin each document with a line `---`.'
        : 'Remove one of the two. A JSON payload that really has a key twice must be written as text.',
  })
}

function scalarOf(reading: Reading, node: Scalar, at: number): ScalarNode {
  checkTag(reading, node.tag, at)
  const { value, source: lexeme = '', type } = node
  const { start, text } = reading.yaml
  const block = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED'
  const end = node.range?.[1] ?? at
  if (block) checkBlock(reading, at, end)
  return {
    type: 'scalar',
    offset: start + at,
    // The core schema knows no other kinds.
    value: isPlainValue(value) ? value : lexeme,
    lexeme,
    style: block ? 'block' : type === 'PLAIN' ? 'plain' : 'quoted',
    commented: !block && /^[ \t]+#/.test(text.slice(end, end + 200)),
  }
}

function isPlainValue(value: unknown): value is ScalarNode['value'] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** YAML readers disagree on a last line of blanks after a header like `|2`: the package used here drops it. */
function checkBlock(reading: Reading, at: number, end: number): void {
  const { text } = reading.yaml
  const isIndented = /^[|>][-+]?\d/.test(text.slice(at, at + 3))
  if (!isIndented || !/^ +(?:\n|$)/.test(text.slice(end, end + 1000))) return
  fail(reading, end, {
    what: 'a text block ends in a line of blanks, which some readers drop',
    hint: 'Remove the blanks, or write the text in double quotes.',
  })
}

function checkTag(reading: Reading, tag: string | undefined, at: number): void {
  if (tag === undefined) return
  const hint = 'Remove the tag; quote a value that must be a text.'
  fail(reading, at, { what: `a YAML tag: \`${excerpt(tag)}\``, expected: 'a plain value', hint })
}

function offsetOf(node: unknown, fallback: number): number {
  return isAlias(node) || isScalar(node) || isMap(node) || isSeq(node)
    ? (node.range?.[0] ?? fallback)
    : fallback
}

function fail(reading: Reading, offset: number, mistake: Omit<Mistake, 'offset'>): never {
  throw invalid(reading.source, { ...mistake, offset: reading.yaml.start + offset })
}
