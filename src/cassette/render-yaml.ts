/**
 * Lays out a tree of values as YAML that Prettier and oxfmt leave as it is.
 *
 * A collection is a flow (`{ a: 1 }`) only where its whole line fits 80 columns and it nests three levels
 * at most; formatters break a longer one into a line per brace. Knows nothing of cassettes.
 *
 * Room: cassette.
 */
import { literal, scalar } from './render-scalar.ts'

/** What can be laid out. */
export type YamlNode =
  /** A number, `true`, `null`: written as it is. */
  | { readonly type: 'verbatim'; readonly text: string }
  | { readonly type: 'string'; readonly text: string }
  /** A string that gets a line of its own even where it has but one. */
  | { readonly type: 'payload'; readonly text: string }
  | YamlMap
  | YamlList

/** Keys and values in order; `block`: never a flow. */
export interface YamlMap {
  readonly type: 'map'
  readonly layout: 'auto' | 'block'
  readonly entries: readonly (readonly [key: string, value: YamlNode])[]
}

/** Items in order; `block`: never a flow. */
interface YamlList {
  readonly type: 'list'
  readonly layout: 'auto' | 'block'
  readonly items: readonly YamlNode[]
}

const LINE_WIDTH = 80
const FLOW_DEPTH = 3
/** The longest header of a literal block: ` |2+`. Formatters move one that does not fit to a line of its own. */
const LITERAL_HEADER = 4
const EMPTY = { map: '{}', list: '[]' } as const
const STEP = 2

/** A map as a whole document, with the line feed that ends it. */
export function layOut(map: YamlMap): string {
  return `${block(map, 0)}\n`
}

/** The key of a block list at the start of a line, for items that are laid out one by one. */
export function layOutKey(key: string): string {
  return `${scalar(key, 'block')}:\n`
}

/** One item of such a list. */
export function layOutItem(node: YamlNode): string {
  return `  -${after(node, STEP, STEP + 1, ' ')}\n`
}

/** The lines of a collection; the first is not indented, for what it follows has brought it there. */
function block(node: YamlMap | YamlList, indent: number): string {
  if ((node.type === 'map' ? node.entries : node.items).length === 0) return EMPTY[node.type]
  const pad = `\n${' '.repeat(indent)}`
  if (node.type === 'list') {
    return node.items.map(item => `-${after(item, indent, indent + 1, ' ')}`).join(pad)
  }
  const gap = `\n${' '.repeat(indent + STEP)}`
  return node.entries
    .map(([key, value]) => {
      const start = `${scalar(key, 'block')}:`
      return start + after(value, indent, indent + columns(start), gap)
    })
    .join(pad)
}

/**
 * What follows a key's colon or an item's dash.
 *
 * @param column - Where it begins.
 * @param gap - What stands before a collection that is no flow.
 */
function after(node: YamlNode, indent: number, column: number, gap: string): string {
  switch (node.type) {
    case 'verbatim':
      return ` ${node.text}`
    case 'string':
    case 'payload': {
      const fits = column + LITERAL_HEADER <= LINE_WIDTH
      const lines = fits && wantsLiteral(node) ? literal(node.text, indent + STEP) : undefined
      return ` ${lines ?? scalar(node.text, 'block')}`
    }
    case 'map':
    case 'list': {
      const line = flow(node, LINE_WIDTH - column - 1, FLOW_DEPTH)
      return line === undefined ? gap + block(node, indent + STEP) : ` ${line}`
    }
  }
}

/** One line that ends in line feeds reads better quoted, but a payload's single one is not worth it. */
function wantsLiteral(node: { readonly type: 'string' | 'payload'; readonly text: string }): boolean {
  const first = node.text.indexOf('\n')
  if (first === -1) return node.type === 'payload'
  return (node.type === 'payload' && first === node.text.length - 1) || /[^\n]/.test(node.text.slice(first))
}

/** A node in one line of at most `room` columns; undefined where there is none. */
function flow(node: YamlNode, room: number, depth: number): string | undefined {
  switch (node.type) {
    case 'verbatim':
      return fitting(node.text, room)
    case 'string':
      return node.text.length > room || node.text.includes('\n')
        ? undefined
        : fitting(scalar(node.text, 'flow'), room)
    case 'payload':
      return undefined
    case 'map':
    case 'list':
      return flowOf(node, room, depth)
  }
}

function flowOf(node: YamlMap | YamlList, room: number, depth: number): string | undefined {
  const members: readonly (readonly [string | undefined, YamlNode])[] =
    node.type === 'map' ? node.entries : node.items.map(item => [undefined, item] as const)
  // After a key that is too long, Prettier (80 columns) moves an empty one to a line of its own; oxfmt
  // (100 columns) joins it again where it can. No spelling suits both; such keys are not worth more.
  if (members.length === 0) return fitting(EMPTY[node.type], room)
  if (node.layout === 'block' || depth === 0) return undefined
  const [open, close] = node.type === 'map' ? ['{ ', ' }'] : ['[', ']']
  let text = open
  for (const [key, value] of members) {
    if (text !== open) text += ', '
    if (key !== undefined) text += `${scalar(key, 'flow')}: `
    const member = flow(value, room - columns(text) - close.length, depth - 1)
    if (member === undefined) return undefined
    text += member
  }
  return fitting(text + close, room)
}

function fitting(text: string, room: number): string | undefined {
  return columns(text) > room ? undefined : text
}

/** How wide a text is at most: what is neither Latin nor ASCII may take two columns. */
function columns(text: string): number {
  let wide = 0
  for (let index = 0; index < text.length; index += 1) wide += text.charCodeAt(index) < 0x300 ? 1 : 2
  return wide
}
