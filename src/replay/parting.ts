/**
 * Where two JSON values part, and how far they are from each other. Bounded: it stops after so many places, and
 * looks no deeper into two texts than is needed to tell alike ones from others.
 *
 * Room: replay.
 */
import { isJsonList, isJsonObject, type JsonValue, own } from '../wire/json.ts'

/** One place where two values part. A side is undefined where it has nothing there. */
export interface Parting {
  /** Keys and indices. */
  readonly steps: readonly (string | number)[]
  readonly recorded: JsonValue | undefined
  readonly received: JsonValue | undefined
}

/** How many places are looked for. Who is that far off is far off. */
export const MOST_PARTINGS = 100

/** How many characters at each end of two texts are compared. */
const COMPARED = 2000

/** The least that one place counts: two texts that are as good as the same are still not the same. */
const LEAST = 0.05

/**
 * The places where two values part, in the order of the recorded one; {@link MOST_PARTINGS} at most.
 *
 * @param budget - How many values are looked at; what comes after those counts as the same.
 */
export function partings(
  recorded: JsonValue,
  received: JsonValue,
  budget: number = Infinity,
): readonly Parting[] {
  const found: Parting[] = []
  const steps: (string | number)[] = []
  let left = budget

  function collect(one: JsonValue | undefined, other: JsonValue | undefined): void {
    left -= 1
    if (one === other || left < 0 || found.length >= MOST_PARTINGS) return
    if (isJsonList(one) && isJsonList(other)) {
      const length = Math.max(one.length, other.length)
      for (let index = 0; index < length && found.length < MOST_PARTINGS; index += 1) {
        below(index, one[index], other[index])
      }
    } else if (isJsonObject(one) && isJsonObject(other)) {
      const keys = new Set([...Object.keys(one), ...Object.keys(other)])
      for (const key of keys) below(key, own(one, key), own(other, key))
    } else {
      found.push({ steps: [...steps], recorded: one, received: other })
    }
  }

  function below(step: string | number, one: JsonValue | undefined, other: JsonValue | undefined): void {
    steps.push(step)
    collect(one, other)
    steps.pop()
  }

  collect(recorded, received)
  return found
}

/** How far two values are from each other: 0 where they are the same, up to 1 for each place. */
export function distance(places: readonly Parting[]): number {
  return places.reduce((sum, { recorded, received }) => sum + farness(recorded, received), 0)
}

function farness(recorded: JsonValue | undefined, received: JsonValue | undefined): number {
  if (typeof recorded !== 'string' || typeof received !== 'string') return 1
  const most = Math.min(recorded.length, received.length, COMPARED)
  let head = 0
  while (head < most && recorded[head] === received[head]) head += 1
  let tail = 0
  while (tail < most - head && recorded.at(-1 - tail) === received.at(-1 - tail)) tail += 1
  const length = Math.min(Math.max(recorded.length, received.length), 2 * COMPARED)
  return Math.max(LEAST, 1 - (head + tail) / length)
}
