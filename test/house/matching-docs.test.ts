/** `docs/matching.md` names every cause, preset and kind, and shows failures as they are. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CAUSES } from '../../src/dialect/cause.ts'
import { DIALECT_NAMES } from '../../src/dialect/operation.ts'
import { PRESETS } from '../../src/dialect/volatile.ts'
import { ALLOWED_KINDS } from '../../src/replay/allowed.ts'

const docs = readFileSync('docs/matching.md', 'utf8')

/** The names in the first column of the table under this heading, in order. */
function namesUnder(heading: string): readonly string[] {
  const [, section = ''] = docs.split(`\n${heading}\n`)
  const rows =
    section
      .split(/\n#/, 1)[0]
      ?.split('\n')
      .filter(line => line.startsWith('| `')) ?? []
  return rows.flatMap(row =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}

it('has a row for every cause, and for no other', () => {
  expect(namesUnder('### Causes').toSorted()).toEqual([...CAUSES].toSorted())
})

it('has a row for every preset, which is of dialects that there are', () => {
  expect(namesUnder('## Presets')).toEqual(PRESETS.map(({ name }) => name))
  expect(DIALECT_NAMES).toEqual(expect.arrayContaining(PRESETS.flatMap(({ dialects }) => dialects)))
})

it('has a row for everything that can be allowed', () => {
  expect(namesUnder('## Leftovers, and what is allowed')).toEqual(ALLOWED_KINDS)
})

it.each(['tool-schema', 'live-response-id'])('shows a failure as it is: %s', name => {
  const text = readFileSync(join('test/replay/golden', `${name}.txt`), 'utf8')
  expect(docs).toContain(`\`\`\`\n${text}\`\`\`\n`)
})
