/**
 * Where two request bodies differ, told so that a reader sees it: a path and both sides, cut to what matters.
 *
 * Room: replay.
 */
import diff from 'microdiff'
import { isJsonObject, type JsonValue } from '../wire/json.ts'
import { equalBytes } from '../wire/text.ts'
import type { ComparableBody } from './body.ts'

/** One difference. A side is undefined where it has nothing at that place. */
export interface Difference {
  /** Where: a JSON path such as `$.contents[0].parts[0].text`, or a place in text or bytes. */
  readonly path: string
  readonly recorded: string | undefined
  readonly received: string | undefined
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
): readonly Difference[] {
  if (recorded.type === 'json' && received.type === 'json') {
    // Wrapped, so that a change at the root has a path too; bare, so that keys such as `constructor` are only keys.
    return diff({ $: bare(recorded.value) }, { $: bare(received.value) }).map(found =>
      difference(
        shorten(jsonPath(found.path), SHOWN),
        found.type === 'CREATE' ? undefined : redact(JSON.stringify(found.oldValue)),
        found.type === 'REMOVE' ? undefined : redact(JSON.stringify(found.value)),
      ),
    )
  }
  if (recorded.type === 'bytes' && received.type === 'bytes') {
    if (equalBytes(recorded.bytes, received.bytes)) return []
    const at = sharedBytes(recorded.bytes, received.bytes)
    return [difference(`byte ${at}`, bytesFrom(recorded.bytes, at), bytesFrom(received.bytes, at))]
  }
  const [mine, theirs] = [shown(recorded, redact), shown(received, redact)]
  return mine === theirs ? [] : [difference('$', mine, theirs)]
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

function sharedBytes(one: Uint8Array, other: Uint8Array): number {
  const parting = one.findIndex((byte, index) => byte !== other[index])
  return parting === -1 ? one.length : parting
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
  let parts = 0
  while (parts < recorded.length && recorded[parts] === received[parts]) parts += 1
  const from = Math.max(recorded.length, received.length) <= SHOWN ? 0 : Math.max(0, parts - LEAD)
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
