/**
 * Mappings with known keys, and the simple values in them.
 *
 * Every function takes the source for its errors, throws `WIRETAPE_CASSETTE_INVALID`, and names the thing
 * that is wrong, what was expected and, where it can tell, what was meant.
 *
 * Room: cassette.
 */
import type { Instant } from '../clock.ts'
import { excerpt } from './code-frame.ts'
import { invalid, type Mistake, type Source } from './source.ts'
import { didYouMean, oneOf } from './suggest.ts'
import {
  kindOf,
  type FieldNode,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type TreeNode,
} from './tree.ts'

/** The fields of a mapping by name. */
export type Fields = ReadonlyMap<string, FieldNode>

/** How JSON spells a number, and so how a cassette does. */
export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

/** Refuses the file for a mistake in it. */
export function fail(source: Source, offset: number, mistake: Omit<Mistake, 'offset'>): never {
  throw invalid(source, { ...mistake, offset })
}

/** A mapping; `what` names it in the message if it is something else. */
export function mapAt(source: Source, node: TreeNode, what: string): MapNode {
  if (node.type === 'map') return node
  return fail(source, node.offset, {
    what: `${what} is ${kindOf(node)}`,
    expected: 'a mapping, `key: value`',
  })
}

/** A list; `what` names it in the message if it is something else. */
export function listAt(source: Source, node: TreeNode, what: string): ListNode {
  if (node.type === 'list') return node
  return fail(source, node.offset, { what: `${what} is ${kindOf(node)}`, expected: 'a list' })
}

/** The fields of a mapping whose keys are known. Keys that begin with `x-` belong to others and are passed over. */
export function fieldsAt(source: Source, node: TreeNode, what: string, known: readonly string[]): Fields {
  const fields = new Map<string, FieldNode>()
  for (const field of mapAt(source, node, what).fields) {
    if (field.name.startsWith('x-')) continue
    if (!known.includes(field.name)) {
      fail(source, field.offset, {
        what: `${what} has an unknown key: \`${excerpt(field.name)}\``,
        expected: oneOf(known),
        hint: didYouMean(field.name, known) ?? 'A key of your own must begin with `x-`.',
      })
    }
    fields.set(field.name, field)
  }
  return fields
}

/** A field that must be there. */
export function required(
  source: Source,
  fields: Fields,
  name: string,
  owner: FieldNode | MapNode,
): FieldNode {
  const field = fields.get(name)
  if (field !== undefined) return field
  const what = 'name' in owner ? `\`${owner.name}\`` : 'this document'
  return fail(source, owner.offset, { what: `${what} has no \`${name}\``, hint: `Add \`${name}\` to it.` })
}

/** The value of a field that may be missing. */
export function optional<T>(fields: Fields, name: string, read: (field: FieldNode) => T): T | undefined {
  const field = fields.get(name)
  return field === undefined ? undefined : read(field)
}

/** A text. What YAML reads as a number, a truth value or null must be quoted. */
export function textAt(source: Source, { value: node }: { readonly value: TreeNode }, what: string): string {
  if (node.type === 'scalar' && typeof node.value === 'string') return freeText(source, node)
  const hint = node.type === 'scalar' ? `Quote it: \`"${excerpt(node.lexeme)}"\`.` : undefined
  return fail(source, node.offset, { what: `${what} is ${kindOf(node)}`, expected: 'a text', hint })
}

/** The value of a text node. A ` #` after an unquoted text may have been meant as part of it. */
export function freeText(source: Source, node: ScalarNode): string {
  if (node.commented && node.style === 'plain') {
    fail(source, node.offset, {
      what: 'an unquoted text is cut by a ` #`',
      hint: 'Quote the whole text, or put the comment on a line of its own.',
    })
  }
  const text = String(node.value)
  if (!/\p{Surrogate}/u.test(text)) return text
  return fail(source, node.offset, {
    what: 'a text with half a surrogate pair, which UTF-8 cannot hold',
    hint: 'Write the bytes as base64.',
  })
}

/** One of a few words. */
export function wordAt<Word extends string>(source: Source, field: FieldNode, words: readonly Word[]): Word {
  const text = textAt(source, field, `\`${field.name}\``)
  const word = words.find(candidate => candidate === text)
  if (word !== undefined) return word
  return fail(source, field.value.offset, {
    what: `\`${field.name}\` is \`${excerpt(text)}\``,
    expected: oneOf(words),
    hint: didYouMean(text, words),
  })
}

/** A whole number of at least `least`, in digits. */
export function countAt(source: Source, field: FieldNode, least: number): number {
  const node = field.value
  if (node.type === 'scalar' && node.style === 'plain' && typeof node.value === 'number') {
    if (/^\d+$/.test(node.lexeme) && JSON_NUMBER.test(node.lexeme) && Number.isSafeInteger(node.value)) {
      if (node.value >= least) return node.value
    }
  }
  return fail(source, node.offset, {
    what: `\`${excerpt(field.name)}\` is ${kindOf(node)}`,
    expected: `a whole number, ${least} or more`,
  })
}

/** Milliseconds: a number of 0 or more, with a fraction where one was measured. */
export function timeAt(source: Source, field: FieldNode): Instant {
  const node = field.value
  if (node.type === 'scalar' && node.style === 'plain' && typeof node.value === 'number') {
    if (/^\d/.test(node.lexeme) && JSON_NUMBER.test(node.lexeme) && Number.isFinite(node.value))
      return node.value
  }
  return fail(source, node.offset, {
    what: `\`${field.name}\` is ${kindOf(node)}`,
    expected: 'milliseconds: a number, 0 or more',
  })
}

/** A mark that is there or not: `true` is all it can say. */
export function markAt(source: Source, field: FieldNode): true {
  const node = field.value
  if (node.type === 'scalar' && node.value === true && node.lexeme === 'true') return true
  return fail(source, node.offset, {
    what: `\`${field.name}\` is ${kindOf(node)}`,
    expected: '`true`',
    hint: `Leave \`${field.name}\` out where it is not so.`,
  })
}
