/**
 * Whether two client inputs are the same, and where they first differ.
 *
 * Room: replay.
 */
import diff from 'microdiff'
import type { DiscreteInput, ResponseInput } from '../dialect/live-messages.ts'
import { isJsonObject, type JsonValue } from '../wire/json.ts'

/** How much of a value a message shows, in characters. */
const SHOWN = 160

/** Where two values differ first, both sides as JSON text; `nothing` where one has no value there. */
export interface JsonDifference {
  /** A JSON path, e.g. `$.turns[0].text`. */
  readonly path: string
  readonly recorded: string
  readonly received: string
}

/** Compares inputs, by the text that {@link createComparer} was given a function for. */
export interface Comparer {
  /** Equal texts are equal inputs. */
  text(input: DiscreteInput | ResponseInput): string
  /** An undefined side: there is no such message. */
  difference(
    recorded: DiscreteInput | ResponseInput | undefined,
    received: DiscreteInput | ResponseInput,
  ): JsonDifference
}

/** Makes a comparer. `comparable` says how JSON text is compared and shown. */
export function createComparer(comparable: (json: string) => string): Comparer {
  const text = (input: DiscreteInput | ResponseInput): string =>
    comparable(JSON.stringify(inOneOrder(input.value)))
  return {
    text,
    difference(recorded, received) {
      const right = text(received)
      if (recorded === undefined) return { path: '$', recorded: 'nothing', received: shortened(right) }
      return firstDifference(text(recorded), right)
    },
  }
}

/** A value whose objects have their keys in one order, since order means nothing in JSON. */
function inOneOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOneOrder)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, below]) => [key, inOneOrder(below)]))
}

function firstDifference(recorded: string, received: string): JsonDifference {
  const whole = { path: '$', recorded: shortened(recorded), received: shortened(received) }
  const [left, right] = [objectOf(recorded), objectOf(received)]
  // Two messages that share no key are two kinds of message: no place inside them tells more.
  if (left === undefined || right === undefined || !Object.keys(left).some(key => key in right)) return whole
  const [first] = diff(left, right)
  if (first === undefined) return whole
  return {
    path: pathOf(first.path),
    recorded: first.type === 'CREATE' ? 'nothing' : shown(first.oldValue),
    received: first.type === 'REMOVE' ? 'nothing' : shown(first.value),
  }
}

function objectOf(json: string): Record<string, unknown> | undefined {
  try {
    const value: JsonValue = JSON.parse(json)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function pathOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return /^[A-Za-z_]\w*$/.test(key) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`
  }, '$')
}

function shown(value: unknown): string {
  return shortened(JSON.stringify(value))
}

/** A text that fits into a message. */
export function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}... (${text.length} characters)`
}
