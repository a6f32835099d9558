/**
 * JSON pointers (RFC 6901), with `*` for any key or index: where they lead, and a value without what is there.
 *
 * Room: wire.
 */
import { isJsonList, isJsonObject, type JsonValue } from './json.ts'

/** The steps of a pointer: keys and indices as text, `*` for any. Never empty. */
export type Pointer = readonly string[]

/** A pointer that was read, or what is wrong with it and what would be right. */
export type PointerReading =
  | { readonly type: 'pointer'; readonly pointer: Pointer }
  | { readonly type: 'wrong'; readonly why: string; readonly right: string }

/** Any key or index. A key that is a star can't be pointed at alone. */
const ANY = '*'

/** Reads `/contents/0/parts/*\/text`; `~1` is a slash in a key, `~0` a tilde (RFC 6901 §3). */
export function readPointer(text: string): PointerReading {
  if (text === '') return { type: 'wrong', why: 'it points at the whole body', right: '/key' }
  if (text.startsWith('#/')) return { type: 'wrong', why: 'it is a fragment', right: text.slice(1) }
  if (text.startsWith('$')) return { type: 'wrong', why: 'it is a JSON path', right: fromPath(text) }
  if (!text.startsWith('/'))
    return { type: 'wrong', why: 'it does not begin with a slash', right: `/${text}` }
  if (/~(?![01])/.test(text)) {
    return {
      type: 'wrong',
      why: 'a tilde stands for itself only as `~0`',
      right: text.replaceAll(/~(?![01])/g, '~0'),
    }
  }
  return { type: 'pointer', pointer: text.slice(1).split('/').map(unescaped) }
}

/** The pointer to a place, as it is written. */
export function writePointer(steps: readonly (string | number)[]): string {
  return steps.map(step => `/${escaped(String(step))}`).join('')
}

/**
 * A value without what these pointers lead to, unchanged where they lead to nothing.
 *
 * What is left keeps its place: an item of a list is null afterwards, and gone if nothing else comes after it.
 */
export function withoutPlaces(value: JsonValue, pointers: readonly Pointer[]): JsonValue {
  if (pointers.length === 0) return value
  if (isJsonList(value)) return withoutItems(value, pointers)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value)
  return Object.fromEntries(
    keys.flatMap((key): readonly (readonly [string, JsonValue])[] => {
      const item = value[key]
      const below = tails(pointers, step => step === ANY || keyFor(step, keys) === key)
      if (item === undefined || below.some(({ length }) => length === 0)) return []
      return [[key, withoutPlaces(item, below)]]
    }),
  )
}

function withoutItems(list: readonly JsonValue[], pointers: readonly Pointer[]): JsonValue {
  const kept: JsonValue[] = []
  let length = 0
  for (const [index, item] of list.entries()) {
    const below = tails(pointers, step => step === ANY || step === String(index))
    const gone = below.some(tail => tail.length === 0)
    kept.push(gone ? null : withoutPlaces(item, below))
    if (!gone) length = index + 1
  }
  return kept.slice(0, length)
}

/** What is left of the pointers whose first step leads on. */
function tails(pointers: readonly Pointer[], leads: (step: string) => boolean): readonly Pointer[] {
  return pointers.filter(([step = '']) => leads(step)).map(pointer => pointer.slice(1))
}

/** The key that a step means: itself, or its camelCase where only that is there, as bodies are compared folded. */
function keyFor(step: string, keys: readonly string[]): string | undefined {
  if (keys.includes(step)) return step
  const camel = step.replace(/(?<=[A-Za-z0-9])_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())
  return keys.includes(camel) ? camel : undefined
}

/** `/contents/0/text` from `$.contents[0].text`. */
function fromPath(path: string): string {
  const steps = path.slice(1).matchAll(/\.([^.[\]]+)|\[(\d+|\*)\]|\["((?:[^"\\]|\\.)*)"\]/g)
  const pointer = writePointer([...steps].map(([, name, index, quoted]) => name ?? index ?? quoted ?? ''))
  return pointer === '' ? '/key' : pointer
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/**
 * The same for a value that stands at a place of something larger.
 *
 * @param place - Where; `*` stands for whichever item of a list it is.
 */
export function withoutPlacesAt(value: JsonValue, place: Pointer, pointers: readonly Pointer[]): JsonValue {
  let left = pointers
  for (const at of place) {
    left = tails(left, step => step === ANY || step === at || (at === ANY && /^\d+$/.test(step)))
    if (left.some(({ length }) => length === 0)) return null
  }
  return withoutPlaces(value, left)
}

/** True if one of these pointers leads to this place, or to something that it is in. */
export function isPlaceIn(place: Pointer, pointers: readonly Pointer[]): boolean {
  return withoutPlacesAt('there', place, pointers) === null
}
