/**
 * Reads a document that is laid out as we write it, line by line: the same nodes as the YAML reader gives,
 * in a fraction of its time and memory.
 *
 * It knows a part of YAML only, and that for certain. Whatever else a document has (a comment, another
 * indentation, an anchor) makes it decline, and the YAML reader reads the document instead. So do
 * mistakes: it reports none.
 *
 * Room: cassette.
 */
import type { Limits } from './limits.ts'
import { flowAt } from './lines-flow.ts'
import { decline, literalAt, plainName, scalarIn, type Lines } from './lines-scalar.ts'
import type { FieldNode, ListNode, MapNode, TreeNode } from './tree.ts'

const LF = 10
const BLANK = 32
const DASH = 45
const STEP = 2
/** The longest key that YAML allows has 1,024 characters, as it is spelled. */
const MAX_KEY = 1000
/** From this many keys on a set finds those that come twice. */
const MANY = 8

/** The key of an exchange whose list may be longer than memory is large: its items are read as they are asked for. */
const LONG_LIST = 'messages'

/**
 * The nodes of one document.
 *
 * @param range - Where the document begins and ends; it may begin with a line `---`.
 * @throws Declined, also later, while the items of {@link LONG_LIST} are read.
 */
export function readLines(text: string, [start, end]: readonly [number, number], limits: Limits): MapNode {
  if (text.charCodeAt(end - 1) !== LF) decline()
  const from = text.startsWith('---\n', start) ? start + 4 : start
  const cursor = cursorAt({ text, end, limits }, from)
  const node = cursor.column() === 0 ? readMap(cursor, from, 0, 0) : decline()
  if (cursor.at() < end) decline()
  return node
}

/** Goes through a document by lines. */
interface Cursor {
  readonly lines: Lines
  /** Where the line begins. */
  at(): number
  /** The column of its first character that is no blank; -1 behind the last line. */
  column(): number
  /** True if the line's first character is the dash of an item, in this column. */
  hasDash(indent: number): boolean
  /** Goes to the line that begins here. */
  go(line: number): void
}

function cursorAt(lines: Lines, from: number): Cursor {
  const { text, end } = lines
  let at = from
  let column = columnAt(at)

  function columnAt(line: number): number {
    if (line >= end) return -1
    let index = line
    while (text.charCodeAt(index) === BLANK) index += 1
    // A blank line is only expected inside a text.
    return text.charCodeAt(index) === LF ? decline() : index - line
  }

  return {
    lines,
    at: () => at,
    column: () => column,
    hasDash: indent => column === indent && isDash(text, at + indent),
    go(line) {
      at = line
      column = columnAt(line)
    },
  }
}

/** The map whose keys stand in column `indent`; the first of them is at `first`. */
function readMap(cursor: Cursor, first: number, indent: number, depth: number): MapNode {
  checkDepth(cursor.lines, depth)
  const fields = [readField(cursor, first, indent, depth)]
  while (cursor.column() === indent) {
    if (cursor.hasDash(indent)) decline()
    fields.push(readField(cursor, cursor.at() + indent, indent, depth))
  }
  if (cursor.column() > indent) decline()
  checkNames(fields)
  return { type: 'map', offset: first, fields }
}

function readField(cursor: Cursor, key: number, indent: number, depth: number): FieldNode {
  const { text } = cursor.lines
  const eol = text.indexOf('\n', key)
  const colon = endOfKey(text, key, eol)
  const name = plainName(text, key, colon)
  if (colon + 1 < eol) {
    return { name, offset: key, value: readInline(cursor, colon + 2, eol, indent, depth + 1) }
  }
  cursor.go(eol + 1)
  if (cursor.column() !== indent + STEP) decline()
  const first = cursor.at() + indent + STEP
  // An empty collection behind a key that is as long as a line.
  if (text.startsWith('{}\n', first) || text.startsWith('[]\n', first)) {
    return { name, offset: key, value: readInline(cursor, first, first + 2, indent, depth + 1) }
  }
  if (!cursor.hasDash(indent + STEP)) {
    return { name, offset: key, value: readMap(cursor, first, indent + STEP, depth + 1) }
  }
  const isLong = depth === 0 && name === LONG_LIST
  return {
    name,
    offset: key,
    value: isLong ? longList(cursor) : readList(cursor, first, indent + STEP, depth + 1),
  }
}

/** What stands on the line of its key or dash, from `place` on. */
function readInline(cursor: Cursor, place: number, eol: number, indent: number, depth: number): TreeNode {
  const { lines } = cursor
  const mark = lines.text[place]
  if (mark === '|') {
    const { node, after } = literalAt(lines, place, indent + STEP)
    cursor.go(after)
    return node
  }
  if (mark === '{' || mark === '[') {
    const { node, after } = flowAt(lines, place, depth)
    if (after !== eol) decline()
    cursor.go(eol + 1)
    return node
  }
  const node = scalarIn(lines.text, place, eol, 'block')
  cursor.go(eol + 1)
  return node
}

/** The list whose dashes stand in column `indent`; the first of them is at `first`. */
function readList(cursor: Cursor, first: number, indent: number, depth: number): ListNode {
  return { type: 'list', offset: first, items: [...readItems(cursor, first, indent, depth)] }
}

function* readItems(cursor: Cursor, first: number, indent: number, depth: number): Generator<TreeNode> {
  checkDepth(cursor.lines, depth)
  yield readItem(cursor, first, indent, depth + 1)
  while (cursor.hasDash(indent)) yield readItem(cursor, cursor.at() + indent, indent, depth + 1)
  if (cursor.column() >= indent) decline()
}

function readItem(cursor: Cursor, dash: number, indent: number, depth: number): TreeNode {
  const { text } = cursor.lines
  const place = dash + STEP
  if (isDash(text, place)) return readList(cursor, place, indent + STEP, depth)
  const eol = text.indexOf('\n', place)
  if (isKeyed(text, place, eol)) return readMap(cursor, place, indent + STEP, depth)
  return readInline(cursor, place, eol, indent, depth)
}

/** Passes over a list at the top of the document. Its items are read when they are asked for. */
function longList(cursor: Cursor): ListNode {
  const { lines } = cursor
  const begin = cursor.at()
  const after = /^[^ \n]/gm
  after.lastIndex = begin
  const stop = Math.min(after.exec(lines.text)?.index ?? lines.end, lines.end)
  cursor.go(stop)
  const inside = { ...lines, end: stop }
  const items = { [Symbol.iterator]: () => readAll(cursorAt(inside, begin), begin + STEP) }
  const again = (offset: number): TreeNode =>
    readItem(cursorAt(inside, offset - 2 * STEP), offset - STEP, STEP, 2)
  return { type: 'list', offset: begin + STEP, items, ...(stop - begin > lines.limits.kept ? { again } : {}) }
}

/** The items of a list at the top of the document, which must be all that there is up to its end. */
function* readAll(cursor: Cursor, first: number): Generator<TreeNode> {
  yield* readItems(cursor, first, STEP, 1)
  if (cursor.at() < cursor.lines.end) decline()
}

function isDash(text: string, place: number): boolean {
  return text.charCodeAt(place) === DASH && text.charCodeAt(place + 1) === BLANK
}

function checkDepth({ limits }: Lines, depth: number): void {
  if (depth >= limits.depth) decline()
}

/** Where the colon is that ends the key at `key`. */
function endOfKey(text: string, key: number, eol: number): number {
  const colon = colonAfter(text, key, eol)
  return colon === -1 || colon - key > MAX_KEY ? decline() : colon
}

/** True if a key stands at `place`. */
function isKeyed(text: string, place: number, eol: number): boolean {
  const mark = text[place]
  return mark !== '|' && mark !== '{' && mark !== '[' && colonAfter(text, place, eol) !== -1
}

/** The first colon that ends a key: what follows is a blank or the line's end. -1 where there is none. */
function colonAfter(text: string, key: number, eol: number): number {
  const from = endOfQuoted(text, key)
  for (
    let colon = text.indexOf(':', from);
    colon !== -1 && colon < eol;
    colon = text.indexOf(':', colon + 1)
  ) {
    const next = text.charCodeAt(colon + 1)
    if (next === BLANK || next === LF) return from > key && colon !== from ? -1 : colon
  }
  return -1
}

const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'/y

/** The end of the quoted text at `key`; `key` itself where there is none. */
function endOfQuoted(text: string, key: number): number {
  const mark = text[key]
  if (mark !== '"' && mark !== "'") return key
  QUOTED.lastIndex = key
  return QUOTED.test(text) ? QUOTED.lastIndex : decline()
}

function checkNames(fields: readonly FieldNode[]): void {
  if (fields.length >= MANY) {
    if (new Set(fields.map(({ name }) => name)).size < fields.length) decline()
    return
  }
  for (let one = 1; one < fields.length; one += 1) {
    for (let other = 0; other < one; other += 1) {
      if (fields[one]?.name === fields[other]?.name) decline()
    }
  }
}
