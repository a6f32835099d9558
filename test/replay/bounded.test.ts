/** However large two bodies are, telling them apart takes no more than a look at each value. */
import { expect, it } from 'vitest'
import { differences } from '../../src/replay/difference.ts'
import { distance, MOST_PARTINGS, partings } from '../../src/replay/parting.ts'
import type { JsonValue } from '../../src/wire/json.ts'

const megabytes = (middle: string): string => `${'x'.repeat(3_000_000)}${middle}${'y'.repeat(3_000_000)}`
const numbers = (count: number, plus: number): JsonValue =>
  Array.from({ length: count }, (_, at) => at + plus)

it.each([
  ['both sides', { a: megabytes('old') }, { a: megabytes('new') }],
  ['one side', {}, { a: megabytes('new') }],
  ['a list', {}, { a: numbers(1_000_000, 0) }],
])('searches no more than some kilobytes of a large value for secrets: %s', (_, recorded, received) => {
  const searched: number[] = []
  const [first] = differences({ type: 'json', value: recorded }, { type: 'json', value: received }, text => {
    searched.push(text.length)
    return text
  })
  const { recorded: mine = '', received: theirs = '' } = first?.show() ?? {}
  expect(Math.max(mine.length, theirs.length)).toBeLessThanOrEqual(200)
  expect(Math.max(mine.length, theirs.length)).toBeGreaterThan(100)
  expect(Math.max(...searched)).toBeLessThan(20_000)
})

it('finds a hundred places at most', () => {
  expect(partings(numbers(100_000, 0), numbers(100_000, 1))).toHaveLength(MOST_PARTINGS)
})

it('looks at no more values than it may, and takes the rest for the same', () => {
  const [recorded, received] = [numbers(1000, 0), [...(numbers(999, 0) as readonly JsonValue[]), -1]]
  expect(partings(recorded, received)).toEqual([{ steps: [999], recorded: 999, received: -1 }])
  expect(partings(recorded, received, 500)).toEqual([])
})

it('takes texts that are nearly the same for nearer than others, and none for the same', () => {
  const far = (one: JsonValue, other: JsonValue): number => distance(partings(one, other))
  expect(far('a', 'a')).toBe(0)
  expect(far(megabytes('old'), megabytes('new'))).toBeGreaterThan(0)
  expect(far(megabytes('old'), megabytes('new'))).toBeLessThan(far('yes', 'no'))
  expect(far({ a: 'yes', b: 1 }, { a: 'no', b: 1 })).toBeLessThan(far({ a: 'yes', b: 1 }, { a: 'no', b: 2 }))
})
