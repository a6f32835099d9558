/**
 * The timeline of an exchange: what was said, in order, with what came in pieces put together.
 *
 * Text that comes in many events is one entry, and so is sound; what stands between two pieces parts them
 * only if it is of the same side and kind, or something that happens at one point.
 *
 * Room: view.
 */
import type { Instant } from '../clock.ts'
import { digesterNamed, type DigestItem } from '../dialect/digest.ts'
import type { Said, Trace, Weigh } from '../dialect/trace.ts'

/** A piece of arguments: of the value at `path`, or of their JSON text. */
export interface ArgumentPiece {
  readonly path: string | undefined
  readonly text: string
}

/** What an entry shows: a digest's item, or what has none. */
export type Shown =
  | Exclude<DigestItem, { kind: 'arguments' }>
  | {
      readonly kind: 'arguments'
      readonly pieces: readonly ArgumentPiece[]
      readonly of?: number | undefined
    }
  | { readonly kind: 'plain'; readonly text: string; readonly what: string }
  | { readonly kind: 'bytes'; readonly length: number; readonly what: string }

/** One line of the timeline. */
export interface Entry {
  readonly from: Said['from']
  /** Milliseconds since the request's head had arrived. */
  readonly at: Instant | undefined
  /** When its last piece came; undefined where it came at once. */
  readonly until: Instant | undefined
  /** How many pieces it came in. */
  readonly pieces: number
  /** It stands in a body, which says its parts one by one: nothing is put together. */
  readonly whole: boolean
  readonly shown: Shown
}

/** Each item on its own: one for each thing that an event or a message says. */
export function itemsOf(trace: Trace, weigh: Weigh): readonly Entry[] {
  const digester = digesterNamed(trace.dialect)
  return trace.said.flatMap(said =>
    shownOf(said, digester[said.from], weigh).map(shown => ({
      from: said.from,
      at: said.at,
      until: undefined,
      pieces: 1,
      whole: said.carrier === 'request' || said.carrier === 'body',
      shown,
    })),
  )
}

function shownOf(
  { content, carrier, lines }: Said,
  digest: (value: Extract<Said['content'], { type: 'json' }>['value'], weigh: Weigh) => readonly DigestItem[],
  weigh: Weigh,
): readonly Shown[] {
  const what = carrier === 'raw' ? 'raw' : ''
  if (content === undefined) return [{ kind: 'plain', what: 'event', text: Object.values(lines).join(' ') }]
  switch (content.type) {
    case 'text':
      return [{ kind: 'plain', what, text: content.text }]
    case 'bytes':
      return [{ kind: 'bytes', what, length: content.length }]
    case 'json': {
      const items = digest(content.value, weigh)
      // A message that says nothing is something too.
      if (items.length === 0) return [{ kind: 'mark', text: 'says nothing', quiet: true }]
      return items.map(item =>
        item.kind === 'arguments'
          ? { kind: 'arguments', pieces: [{ path: item.path, text: item.text }], of: item.of }
          : item,
      )
    }
  }
}

/** What goes on in pieces, and beside what: pieces of two strands don't part each other. */
function strandOf(shown: Shown): string | undefined {
  switch (shown.kind) {
    case 'text':
    case 'thought':
    case 'arguments':
      return 'words'
    case 'media':
      return 'media'
    case 'transcript':
      return `transcript ${shown.whose}`
    default:
      return undefined
  }
}

/** The entries with pieces put together, and of the counts of tokens only the last before the client speaks again. */
export function joined(entries: readonly Entry[]): readonly Entry[] {
  const rows: Entry[] = []
  // Where in `rows` the entry is that a strand goes on in.
  const open = new Map<string, number>()
  let usage: Entry | undefined
  // It goes where it came, but once: what it came with may have gone on.
  const settle = () => {
    if (usage === undefined) return
    const { at = 0 } = usage
    const index = 1 + rows.findLastIndex(row => row.at === undefined || row.at <= at)
    rows.splice(index, 0, usage)
    if (index < rows.length - 1) open.clear()
    usage = undefined
  }
  for (const entry of entries) {
    if (entry.shown.kind === 'usage') {
      usage = entry
      continue
    }
    const strand = strandOf(entry.shown)
    if (strand === undefined) {
      if (entry.from === 'client') settle()
      open.clear()
      rows.push(entry)
      continue
    }
    const key = `${entry.from} ${strand}`
    const index = open.get(key)
    const before = index === undefined ? undefined : rows[index]
    const both = before === undefined ? undefined : together(before, entry)
    if (index !== undefined && both !== undefined) {
      rows[index] = both
      continue
    }
    if (entry.from === 'client' && strand === 'words') settle()
    open.set(key, rows.length)
    rows.push(entry)
  }
  settle()
  return rows
}

function together(before: Entry, next: Entry): Entry | undefined {
  const shown = before.whole || next.whole ? undefined : appended(before.shown, next.shown)
  if (shown === undefined) return undefined
  return { ...before, shown, until: next.at ?? before.until, pieces: before.pieces + 1 }
}

function appended(left: Shown, right: Shown): Shown | undefined {
  if (placeOf(left) !== placeOf(right)) return undefined
  if (left.kind === 'text' && right.kind === 'text') return { ...left, text: left.text + right.text }
  if (left.kind === 'thought' && right.kind === 'thought') return { ...left, text: left.text + right.text }
  if (left.kind === 'transcript' && right.kind === 'transcript')
    return { ...left, text: left.text + right.text }
  if (left.kind === 'arguments' && right.kind === 'arguments') {
    return { ...left, pieces: joinPieces([...left.pieces, ...right.pieces]) }
  }
  if (left.kind === 'media' && right.kind === 'media' && left.mimeType === right.mimeType) {
    const ms = left.ms === undefined || right.ms === undefined ? undefined : left.ms + right.ms
    return { ...left, bytes: left.bytes + right.bytes, ms }
  }
  return undefined
}

function placeOf(shown: Shown): string {
  return `${'of' in shown ? shown.of : ''} ${'earlier' in shown ? shown.earlier : ''}`
}

function joinPieces(pieces: readonly ArgumentPiece[]): readonly ArgumentPiece[] {
  const whole: ArgumentPiece[] = []
  for (const piece of pieces) {
    const last = whole.at(-1)
    if (last === undefined || last.path !== piece.path) whole.push(piece)
    else whole[whole.length - 1] = { path: piece.path, text: last.text + piece.text }
  }
  return whole
}
