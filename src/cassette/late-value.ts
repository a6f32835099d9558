/**
 * Values that are read again whenever they are asked for: all those of a long socket together would take many
 * times the memory of their text.
 *
 * Room: cassette.
 */
import type { JsonValue } from '../wire/json.ts'
import type { Payload } from './model.ts'
import { jsonAt } from './parse-payload.ts'
import type { Source } from './source.ts'
import type { ListNode, TreeNode } from './tree.ts'

/** Gives what is to be kept of a payload that was read. `item`: the one of the list that it stands in. */
export type Keep = (payload: Payload | undefined, item: TreeNode) => Payload | undefined

/** Keeps the payloads of one key: values only where the list is short. */
export function keeping(source: Source, { again }: ListNode, key: string): Keep {
  if (again === undefined) return payload => payload
  const shelf: Shelf = {
    read(offset) {
      const item = again(offset)
      const field = item.type === 'map' ? item.fields.find(({ name }) => name === key) : undefined
      return field === undefined ? null : jsonAt(source, field.value, [])
    },
  }
  return (payload, item) =>
    // What has numbers that are spelled in a way of their own is rare, and kept.
    payload?.type === 'value' && payload.numbers === undefined ? new LateValue(shelf, item.offset) : payload
}

/** Where values are read from. */
interface Shelf {
  read(offset: number): JsonValue
}

/** A payload that has its place in the text only. Its `value` is a new one each time. */
class LateValue {
  readonly type = 'value'
  readonly #shelf: Shelf
  readonly #offset: number

  constructor(shelf: Shelf, offset: number) {
    this.#shelf = shelf
    this.#offset = offset
  }

  get value(): JsonValue {
    return this.#shelf.read(this.#offset)
  }
}
