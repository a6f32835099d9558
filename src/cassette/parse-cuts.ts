/**
 * Chunk edges: `cuts`, and the rule that time goes on.
 *
 * Room: cassette.
 */
import type { Instant } from '../clock.ts'
import { excerpt } from './code-frame.ts'
import type { Cut } from './model.ts'
import { fail, listAt } from './parse-fields.ts'
import type { Source } from './source.ts'
import type { FieldNode, TreeNode } from './tree.ts'

const CUT = /^(0|[1-9]\d*)(?:@((?:0|[1-9]\d*)(?:\.\d+)?))?$/

/** Checks times in the order in which they come. */
export interface TimeOrder {
  /** Takes the next time; throws where it is before the last one. Undefined passes. */
  next(at: Instant | undefined, offset: number): void
}

/** Starts at 0, which is when the request's head had arrived. */
export function timeOrderOf(source: Source): TimeOrder {
  let last: Instant = 0
  return {
    next(at, offset) {
      if (at === undefined) return
      if (at < last) {
        fail(source, offset, {
          what: `time goes back: ${at} ms after ${last} ms`,
          expected: `${last} or more`,
          hint: 'Times count from the start of the exchange, in the order of the file.',
        })
      }
      last = at
    },
  }
}

/** A cut and where it is, for checks that need to know how long the whole is. */
export interface PlacedCut extends Cut {
  readonly place: number
}

/** The list in `cuts`. `first` is the least offset: 0 in a body, 1 in an event. */
export function cutsAt(
  source: Source,
  field: FieldNode,
  first: 0 | 1,
  times: TimeOrder,
): readonly PlacedCut[] {
  const list = listAt(source, field.value, '`cuts`')
  const items = [...list.items]
  if (items.length === 0)
    fail(source, list.offset, { what: '`cuts` is an empty list', hint: 'Leave it out.' })
  let least: number = first
  return items.map(item => {
    const cut = cutAt(source, item)
    if (cut.offset < least) failOrder(source, cut, least)
    if (cut.offset === 0 && cut.at === undefined) {
      fail(source, cut.place, {
        what: 'a cut at 0 without a time says nothing',
        hint: 'Write when the first chunk came, `0@MILLISECONDS`, or leave it out.',
      })
    }
    times.next(cut.at, cut.place)
    least = cut.offset + 1
    return cut
  })
}

function failOrder(source: Source, cut: PlacedCut, least: number): never {
  if (cut.offset === 0) {
    fail(source, cut.place, {
      what: 'a cut at 0 in an event',
      expected: '1 or more',
      hint: 'An event begins a chunk of its own unless it is marked `joined: true`.',
    })
  }
  return fail(source, cut.place, {
    what: `the cut at ${cut.offset} does not come after the one before`,
    expected: `${least} or more`,
    hint: 'Cuts are byte offsets from the start of the event or body, each once, in ascending order.',
  })
}

function cutAt(source: Source, item: TreeNode): PlacedCut {
  const [, digits, time] = (item.type === 'scalar' && CUT.exec(item.lexeme)) || []
  const offset = Number(digits)
  if (digits !== undefined && Number.isSafeInteger(offset)) {
    return { offset, at: time === undefined ? undefined : Number(time), place: item.offset }
  }
  return fail(source, item.offset, {
    what: item.type === 'scalar' ? `the cut \`${excerpt(item.lexeme)}\`` : 'a cut that is no number',
    expected: 'a byte offset, `57`, or one with the time of what follows, `57@483`',
  })
}

/** Throws the first cut that is not inside a whole of `length` bytes. Gives the cuts as the model has them. */
export function cutsWithin(
  source: Source,
  cuts: readonly PlacedCut[],
  length: number,
  whole: string,
): readonly Cut[] {
  return cuts.map(({ offset, at, place }) => {
    // The first chunk of an empty body would be empty too: no cut is inside of it.
    if (offset < length) return { offset, at }
    return fail(source, place, {
      what: `the cut at ${offset} is not inside ${whole}, which is ${length} bytes long on the wire`,
      expected: `less than ${length}`,
      hint: 'Offsets count bytes of UTF-8; in an event, its `event:` and `data:` prefixes and line ends too.',
    })
  })
}
