/**
 * A document of a cassette as plain nodes with places: what is left of YAML once its traps are checked.
 *
 * Everything that reads a document works on this, so it does not matter which YAML reader made it.
 *
 * Room: cassette.
 */

/** A single value: text, number, true, false or null. */
export interface ScalarNode {
  readonly type: 'scalar'
  readonly offset: number
  readonly value: string | number | boolean | null
  /** As the file spells it, without quotes. */
  readonly lexeme: string
  /** How it is written: `plain` is without quotes, `block` is `|` or `>`. */
  readonly style: 'plain' | 'quoted' | 'block'
  /** True if a comment follows on its line: then a `#` may have been meant as text. */
  readonly commented: boolean
}

/** A list, `[a, b]` or `- a`. */
export interface ListNode {
  readonly type: 'list'
  readonly offset: number
  /** Those of a long list are read as they are asked for. */
  readonly items: Iterable<TreeNode>
  /** Reads the item at this offset once more; there where a list is so long that what its items say is not kept. */
  readonly again?: ((offset: number) => TreeNode) | undefined
}

/** A key and its value. */
export interface FieldNode {
  readonly name: string
  /** Where the key is. */
  readonly offset: number
  readonly value: TreeNode
}

/** A mapping, `{ a: b }` or `a: b`. No key comes twice. */
export interface MapNode {
  readonly type: 'map'
  readonly offset: number
  readonly fields: readonly FieldNode[]
}

/** Any node. */
export type TreeNode = ScalarNode | ListNode | MapNode

/** What a node is, for messages. */
export function kindOf(node: TreeNode): string {
  switch (node.type) {
    case 'list':
      return 'a list'
    case 'map':
      return 'a mapping'
    case 'scalar':
      if (node.value === null) return '`null`'
      return typeof node.value === 'string' ? 'a text' : `the ${typeof node.value} \`${node.lexeme}\``
  }
}
