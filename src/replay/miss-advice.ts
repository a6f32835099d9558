/**
 * What to do about a request without a match: one thing a line.
 *
 * Room: replay.
 */
import type { Miss } from './miss.ts'
import { recordAgain } from './record-again.ts'
import type { Selection } from './selection.ts'

/** In how many places a request may differ for each to be offered to `ignore`. */
const IGNORABLE = 3

/** The likeliest thing first. */
export function adviceOn(miss: Miss, selection: Selection): readonly string[] {
  const [nearest] = miss.near
  const [first] = miss.causes
  if (nearest === undefined) {
    const file = selection.all[0]?.file
    return file === undefined
      ? ['Replay a cassette that holds this request.']
      : ['Is this the right cassette?', recordAgain(file)]
  }
  const again = recordAgain(nearest.recorded.file)
  switch (first?.name) {
    case 'same-request-again':
      return [
        `If the app may ask that often, set \`repeat: ${nearest.uses + 1}\` (or \`always\`) on that exchange.`,
        again,
      ]
    case 'out-of-order':
      return ['If the order does not matter, take `strict-order` out of the exchange or the options.']
    default:
      return [
        ...(first?.advice === undefined ? [] : [first.advice]),
        ...ignoreHint(nearest),
        again,
        ...(nearest.recorded.operation === miss.asked.operation
          ? ['If the body does not matter, set `match: route` on that exchange.']
          : []),
      ]
  }
}

function ignoreHint({ found, causes }: Miss['near'][number]): readonly string[] {
  const sane = causes.every(({ advice }) => advice === undefined)
  if (found.length === 0 || found.length > IGNORABLE || !sane || !found.every(({ plain }) => plain)) return []
  const pointers = found.map(one => one.show().pointer)
  if (pointers.some(pointer => pointer === undefined)) return []
  const list = pointers.map(pointer => `'${pointer?.replaceAll("'", String.raw`\'`)}'`).join(', ')
  const what = found.length === 1 ? 'this value differs' : 'these values differ'
  return [`If ${what} from run to run, ignore ${found.length === 1 ? 'it' : 'them'}: \`ignore: [${list}]\`.`]
}
