/**
 * A part of the matrix, in every run of the tests: one version of each kind of runtime, held to what is known of it
 * and to what `docs/runtimes.md` says. Better or worse, anything else fails.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { caseNames } from './case.ts'
import { ROOT } from './command.ts'
import { cellOf, prepared } from './cell.ts'
import { expectedOf, newsIn, newsText, settled } from './expectations.ts'
import { SUBSET_CASES } from './subset-cases.ts'
import { cellsOnPage, keyOf, wordsOf } from './page-matrix.ts'
import { outcomeOf, pairsOf } from './play.ts'
import { labelOf, RUNTIMES } from './registry.ts'

const page = cellsOnPage(readFileSync(join(ROOT, 'docs/runtimes.md'), 'utf8'))
const cases = await Promise.all(
  caseNames()
    .filter(name => SUBSET_CASES.has(name))
    .map(prepared),
)
const subset = RUNTIMES.filter(runtime => runtime.subset)

describe('the cassettes that are played in every run of the tests', () => {
  it('are all there', () => {
    expect([...SUBSET_CASES].filter(name => !caseNames().includes(name))).toEqual([])
  })
})

describe.each(subset.map(runtime => ({ label: labelOf(runtime), runtime })))(
  '$label',
  ({ label, runtime }) => {
    const pairs = pairsOf([runtime], cases).map(pair => ({ name: pair.prepared.name, pair }))

    it.concurrent.each(pairs)('does with $name what is known of it', async ({ name, pair }) => {
      const { outcome } = await outcomeOf(pair)
      const cell = settled(cellOf(runtime, pair.prepared, outcome), expectedOf(runtime))
      expect(newsIn([cell], expectedOf(runtime)).map(newsText)).toEqual([])
      expect(page.get(keyOf(label, name)), 'the page: npm run test:runtimes -- --all').toBe(
        wordsOf(cell.marks),
      )
    })
  },
)
