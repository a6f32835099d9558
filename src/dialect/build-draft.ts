/**
 * What the shapes of an API are made from, and what they become: events that are not in a cassette yet.
 *
 * Room: dialect.
 */
import type { JsonValue } from '../wire/json.ts'
import type { CallIds } from './build-ids.ts'
import { wrongUse } from './build-items.ts'
import type { DataItem, Placed, Placing, RawItem } from './build-stream.ts'

/** One event of an answer, not yet in a cassette. */
export interface DraftEvent {
  readonly placing: Placing
  readonly event: string | undefined
  readonly content:
    | { readonly type: 'json'; readonly value: JsonValue }
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'raw'; readonly bytes: string | Uint8Array }
}

/** The event of a {@link DataItem} or {@link RawItem}. */
export function draftOf(item: DataItem | RawItem, placing: Placing): DraftEvent {
  if (item.type === 'raw') return { placing, event: undefined, content: { type: 'raw', bytes: item.bytes } }
  const { event, value } = item
  const content =
    typeof value === 'string' ? ({ type: 'text', text: value } as const) : ({ type: 'json', value } as const)
  return { placing, event, content }
}

/** Everything that an answer is made with besides what it says. */
export interface AnswerContext {
  /** The model that is asked, without its path; undefined where it is not known. */
  readonly model: string | undefined
  /** Which service: they spell some things differently. */
  readonly service: 'developer' | 'vertex'
  /** Its number among the exchanges of the cassette, from 1. */
  readonly number: number
  /** What was asked, to count it. */
  readonly asked: JsonValue | undefined
  /** An answer that is cut gets nothing to finish it. */
  readonly ends: 'well' | 'cut'
  /** The ids of the cassette's calls. */
  readonly ids: CallIds
}

/** How many tokens a value would be, about: a count for an answer that does not give one. */
export function tokensOf(value: JsonValue | undefined): number {
  return Math.max(1, Math.ceil(charactersOf(value) / 4))
}

function charactersOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((total: number, item: JsonValue) => total + charactersOf(item), 0)
}

/** Something that only a stream can have, in an answer that comes at once. */
export function ofStreams(item: Placed<unknown> | { readonly type: string }): Error {
  const placing: object = 'placing' in item ? item.placing : {}
  const name = Object.keys(placing)[0] ?? item.type
  return wrongUse(
    `.answers() has ${name}(), which is of a stream.`,
    'Use .streams(), .fails() for an error, or head({ at, cuts }) for when a body comes.',
  )
}
