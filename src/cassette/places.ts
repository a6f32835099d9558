/**
 * Where things stand in a cassette's text, and what its own keys say: for those who point into a file that
 * has been read already.
 *
 * Room: cassette.
 */
import { DEFAULT_LIMITS } from './limits.ts'
import { openText, type ParseOptions } from './parse-text.ts'
import { treeOf } from './parse-tree.ts'
import { composeDocument, documentRanges } from './parse-yaml.ts'
import { positionOf, type Source } from './source.ts'
import type { MapNode, TreeNode } from './tree.ts'

/** Lines from 1. */
export interface ExchangePlaces {
  /** The line of its first key. */
  readonly line: number
  /** The line of each event or message, in order. */
  readonly steps: readonly number[]
  /** The names in `x-lint-allow`. */
  readonly allowed: readonly { readonly name: string; readonly line: number }[]
}

/** The places of each exchange, in order, of a text that {@link ParseOptions} have read without a mistake. */
export function placesOf(text: string, options: ParseOptions): readonly ExchangePlaces[] {
  const limits = options.limits ?? DEFAULT_LIMITS
  const source = openText(text, options)
  return documentRanges(source, limits).flatMap(range => {
    const tree = treeOf(source, composeDocument(source, range, limits), limits)
    if (tree.type !== 'map' || fieldOf(tree, 'exchange') === undefined) return []
    return [exchangePlaces(source, tree)]
  })
}

function exchangePlaces(source: Source, tree: MapNode): ExchangePlaces {
  const response = fieldOf(tree, 'response')
  const events = response?.type === 'map' ? fieldOf(response, 'events') : undefined
  const allowed = listOf(fieldOf(tree, 'x-lint-allow')).flatMap(node =>
    node.type === 'scalar' ? [{ name: String(node.value), line: lineOf(source, node) }] : [],
  )
  return {
    line: lineOf(source, tree),
    steps: listOf(events ?? fieldOf(tree, 'messages')).map(node => lineOf(source, node)),
    allowed,
  }
}

function fieldOf({ fields }: MapNode, name: string): TreeNode | undefined {
  return fields.find(field => field.name === name)?.value
}

/** The items of a list; one value alone is a list of one. */
function listOf(node: TreeNode | undefined): readonly TreeNode[] {
  if (node === undefined) return []
  return node.type === 'list' ? [...node.items] : [node]
}

function lineOf(source: Source, { offset }: TreeNode): number {
  return positionOf(source, offset).line
}
