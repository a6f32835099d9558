/**
 * Where two request bodies differ, told so that a reader sees it: a path and both sides, cut to what matters.
 *
 * Room: replay.
 */
import diff from 'microdiff'
import { isJsonObject, type JsonValue } from '../wire/json.ts'
import { type ComparableBody, isSameBody } from './body.ts'

/** One difference. A side is undefined where it has nothing at that place. */
export interface Difference {
  /** Where: a JSON path such as `$.contents[0].parts[0].text`, or a place in text or bytes. */
  readonly path: string
  readonly recorded: string | undefined
  readonly received: string | undefined
}

/** A difference that was found; what it looks like is worked out when it is to be shown. */
export interface FoundDifference {
  readonly path: string
  show(): Difference
}

/** How much of a value is shown, in characters. */
const SHOWN = 200
/** How much of what both sides share is shown before the place where they part. */
const LEAD = 40
/** How many bytes of a binary body are shown. */
const SHOWN_BYTES = 16

/**
 * Every difference, the first one first; none for equal bodies.
 *
 * @param redact - Takes out what a decoded value may show that the bytes did not, before anything is cut.
 */
export function differences(
  recorded: ComparableBody,
  received: ComparableBody,
  redact: (text: string) => string,
): readonly FoundDifference[] {
  if (recorded.type === 'json' && received.type === 'json') {
    // Wrapped, so that a change at the root has a path too; bare, so that keys such as `constructor` are only keys.
    return diff({ $: bare(recorded.value) }, { $: bare(received.value) }).map(found => {
      const path = shorten(redact(jsonPath(found.path)), SHOWN)
      const spelled = (value: unknown): string => redact(JSON.stringify(value))
      const mine = found.type === 'CREATE' ? undefined : found.oldValue
      const theirs = found.type === 'REMOVE' ? undefined : found.value
      return { path, show: () => difference(path, mapped(mine, spelled), mapped(theirs, spelled)) }
    })
  }
  if (isSameBody(recorded, received)) return []
  if (recorded.type === 'bytes' && received.type === 'bytes') {
    const at = shared(recorded.bytes, received.bytes)
    const path = `byte ${at}`
    return [
      { path, show: () => difference(path, bytesFrom(recorded.bytes, at), bytesFrom(received.bytes, at)) },
    ]
  }
  const bothText = recorded.type === 'text' && received.type === 'text'
  const path = bothText ? `character ${shared(recorded.text, received.text)}` : '$'
  return [{ path, show: () => difference(path, shown(recorded, redact), shown(received, redact)) }]
}

function mapped<T>(value: T | undefined, map: (value: T) => string): string | undefined {
  return value === undefined ? undefined : map(value)
}

/** The text of a whole body; undefined where there is none. */
function shown(body: ComparableBody, redact: (text: string) => string): string | undefined {
  switch (body.type) {
    case 'none':
      return undefined
    case 'json':
      return redact(JSON.stringify(body.value))
    case 'text':
      return redact(body.text)
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

/** Cuts both sides so that the place where they part is in sight. */
function difference(path: string, recorded: string | undefined, received: string | undefined): Difference {
  if (recorded === undefined || received === undefined) {
    return {
      path,
      recorded: recorded === undefined ? undefined : shorten(recorded, SHOWN),
      received: received === undefined ? undefined : shorten(received, SHOWN),
    }
  }
  const parting = shared(recorded, received)
  const from = Math.max(recorded.length, received.length) <= SHOWN ? 0 : Math.max(0, parting - LEAD)
  return { path, recorded: excerpt(recorded, from), received: excerpt(received, from) }
}

function excerpt(text: string, from: number): string {
  return from === 0 ? shorten(text, SHOWN) : `...${shorten(text.slice(from), SHOWN - 3)}`
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`
}

/** `$.contents[0].parts` from `['$', 'contents', 0, 'parts']`. */
function jsonPath(path: readonly (string | number)[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      if (index === 0) return step
      return /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
    })
    .join('')
}

/** A copy whose objects inherit nothing, and whose zeros have no sign: the comparison sees neither. */
function bare(value: JsonValue): JsonValue {
  if (value === 0) return 0
  if (Array.isArray(value)) return value.map(bare)
  if (!isJsonObject(value)) return value
  const copy: Record<string, JsonValue> = Object.create(null)
  for (const [key, item] of Object.entries(value)) copy[key] = bare(item)
  return copy
}
