/**
 * Where two request bodies differ, told so that a reader sees it: a path and both sides, cut to what matters.
 *
 * Room: replay.
 */
import type { JsonValue } from '../wire/json.ts'
import { writePointer } from '../wire/pointer.ts'
import { type ComparableBody, isSameBody } from './body.ts'
import { type Parting, partings } from './parting.ts'

/** One difference. A side is undefined where it has nothing at that place. */
export interface Difference {
  /** Where: a JSON path such as `$.contents[0].parts[0].text`, or a place in text or bytes. */
  readonly path: string
  /** The same as a JSON pointer, as `ignore` takes it; undefined where there is none. */
  readonly pointer: string | undefined
  readonly recorded: string | undefined
  readonly received: string | undefined
}

/** A difference that was found; what it looks like is worked out when it is to be shown. */
export interface FoundDifference {
  /** True where both sides have a plain value at that place: then `ignore` may be what is wanted. */
  readonly plain: boolean
  path(): string
  show(): Difference
}

/** How much of a value is shown, in characters. */
const SHOWN = 200
/** How much of what both sides share is shown before the place where they part. */
const LEAD = 40
/**
 * How much of a value is looked through for secrets, in characters around what is shown: a secret that begins
 * before the part that is shown must still be seen as one.
 */
const MARGIN = 8192
/** How many bytes of a binary body are shown. */
const SHOWN_BYTES = 16

/**
 * The differences, the first one first; none for equal bodies. There are `MOST_PARTINGS` at most.
 *
 * @param redact - Takes out what a decoded value may show that the bytes did not, before anything is cut.
 */
export function differences(
  recorded: ComparableBody,
  received: ComparableBody,
  redact: (text: string) => string,
): readonly FoundDifference[] {
  if (recorded.type === 'json' && received.type === 'json') {
    return partings(recorded.value, received.value).map(parting => jsonDifference(parting, redact))
  }
  if (isSameBody(recorded, received)) return []
  if (recorded.type === 'bytes' && received.type === 'bytes') {
    const at = shared(recorded.bytes, received.bytes)
    return [found(`byte ${at}`, () => [bytesFrom(recorded.bytes, at), bytesFrom(received.bytes, at)])]
  }
  const bothText = recorded.type === 'text' && received.type === 'text'
  const path = bothText ? `character ${shared(recorded.text, received.text)}` : '$'
  return [found(path, () => sides(shown(recorded), shown(received), redact))]
}

type Sides = readonly [recorded: string | undefined, received: string | undefined]

function found(path: string, show: () => Sides): FoundDifference {
  return {
    plain: false,
    path: () => path,
    show() {
      const [recorded, received] = show()
      return { path, pointer: undefined, recorded, received }
    },
  }
}

/** A place where two JSON values part, ready to be shown. */
export function jsonDifference(
  { steps, recorded, received }: Parting,
  redact: (text: string) => string,
): FoundDifference {
  const path = (): string => shorten(redact(jsonPath(steps)), SHOWN)
  return {
    plain: isPlain(recorded) && isPlain(received),
    path,
    show() {
      const pointer = writePointer(steps)
      const usable = pointer !== '' && pointer.length <= SHOWN && redact(pointer) === pointer
      const [mine, theirs] = sides(spelled(recorded), spelled(received), redact)
      return { path: path(), pointer: usable ? pointer : undefined, recorded: mine, received: theirs }
    },
  }
}

function isPlain(value: JsonValue | undefined): boolean {
  return value !== undefined && (value === null || typeof value !== 'object')
}

function spelled(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

/** The text of a whole body; undefined where there is none. */
function shown(body: ComparableBody): string | undefined {
  switch (body.type) {
    case 'none':
      return undefined
    case 'json':
      return JSON.stringify(body.value)
    case 'text':
      return body.text
    case 'bytes':
      return bytesFrom(body.bytes, 0)
  }
}

/** How many items, from the first on, are the same in both. */
function shared(one: ArrayLike<unknown>, other: ArrayLike<unknown>): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  return same
}

function bytesFrom(bytes: Uint8Array, at: number): string {
  const part = [...bytes.subarray(at, at + SHOWN_BYTES)].map(byte => byte.toString(16).padStart(2, '0'))
  return `${[...part, ...(at + SHOWN_BYTES < bytes.length ? ['...'] : [])].join(' ')} (${bytes.length} bytes)`
}

/** Both sides, redacted, and cut so that the place where they part is in sight. */
function sides(
  recorded: string | undefined,
  received: string | undefined,
  redact: (text: string) => string,
): Sides {
  if (recorded === undefined || received === undefined) {
    return [whole(recorded, redact), whole(received, redact)]
  }
  const window = Math.max(0, shared(recorded, received) - MARGIN)
  const [mine, theirs] = [recorded, received].map(text => redact(text.slice(window, window + 2 * MARGIN)))
  if (mine === undefined || theirs === undefined) return [undefined, undefined]
  const fits = window === 0 && Math.max(mine.length, theirs.length) <= SHOWN
  const from = fits ? 0 : Math.max(0, shared(mine, theirs) - LEAD)
  const lead = window > 0 || from > 0 ? '...' : ''
  return [excerpt(mine, from, lead), excerpt(theirs, from, lead)]
}

function whole(text: string | undefined, redact: (text: string) => string): string | undefined {
  return text === undefined ? undefined : oneLine(shorten(redact(text.slice(0, MARGIN)), SHOWN))
}

/** `lead`: what stands for all that is left out before. */
function excerpt(text: string, from: number, lead: '' | '...'): string {
  return oneLine(`${lead}${shorten(text.slice(from), SHOWN - lead.length)}`)
}

/** A text of any length, cut to so many characters. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`
}

/** A text with its line ends as escapes, so that it takes one line of a message. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\n\r\u2028\u2029]/g, end => JSON.stringify(end).slice(1, -1))
}

/** `$.contents[0].parts` from `['contents', 0, 'parts']`. */
function jsonPath(steps: readonly (string | number)[]): string {
  const rest = steps.map(step => {
    if (typeof step === 'number') return `[${step}]`
    return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
  })
  return `$${rest.join('')}`
}
