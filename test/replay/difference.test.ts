/** Bodies are equal exactly where no difference is found between them. */
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { unknown } from '../../src/dialect/unknown.ts'
import { comparableBody, isSameBody } from '../../src/replay/body.ts'
import { differences } from '../../src/replay/difference.ts'

const json = fc.jsonValue({ maxDepth: 3 }).map(value => JSON.stringify(value))
const bytes = fc.oneof(
  json.map(text => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 6 }),
)
const asked = bytes.map(body => comparableBody(body, [], unknown))

it('finds a difference between two bodies exactly where they are not the same', () => {
  fc.assert(
    fc.property(asked, asked, (one, other) => {
      expect(differences(one, other, text => text).length === 0).toBe(isSameBody(one, other))
    }),
    { numRuns: 2000 },
  )
})

it('finds none between a body and itself, whatever the order of keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 }), value => {
      const turned = Object.fromEntries(Object.entries(value).toReversed())
      const [one, other] = [value, turned].map(item =>
        comparableBody(new TextEncoder().encode(JSON.stringify(item)), [], unknown),
      )
      if (one === undefined || other === undefined) return
      expect(isSameBody(one, other)).toBe(true)
      expect(differences(one, other, text => text)).toEqual([])
    }),
  )
})
