/** What each kind of failure says, as a whole: a text each in `golden/`, read in review like any other text. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GOLDEN_REQUESTS } from './golden-requests.ts'
import { GOLDEN_SOCKETS } from './golden-sockets.ts'
import { GOLDEN_LEFTOVERS } from './golden-leftovers.ts'

const folder = join(import.meta.dirname, 'golden')
const failures = [...GOLDEN_REQUESTS, ...GOLDEN_SOCKETS]

describe.each(failures)('a failure: $file', ({ file, cause, says, fail }) => {
  const { message, details } = fail()

  it('says what it said before', async () => {
    await expect(`${message}\n`).toMatchFileSnapshot(join(folder, `${file}.txt`))
  })

  it('names its cause in its first line, and as a word for programs', () => {
    expect(message.split('\n')[0]).toContain(says)
    expect(details['cause']).toBe(cause)
  })

  it('has thirty lines at most, none of them long', () => {
    const lines = message.split('\n')
    expect(lines.length).toBeLessThanOrEqual(30)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(400)
  })

  it('is safe as JSON, and not much longer', () => {
    const json = JSON.stringify(details)
    expect(JSON.parse(json)).toEqual(details)
    expect(json.length).toBeLessThan(10_000)
  })
})

describe.each(GOLDEN_LEFTOVERS)('what is left: $file', ({ file, kind, says, leave }) => {
  const { message, leftovers } = leave()

  it('says what it said before, its kind in its first line', async () => {
    await expect(`${message}\n`).toMatchFileSnapshot(join(folder, `${file}.txt`))
    expect(message.split('\n')[0]).toContain(says)
    expect(message.split('\n').length).toBeLessThanOrEqual(30)
    expect(leftovers.map(left => left.kind)).toContain(kind)
  })
})

it('has a text for each kind, and none without', () => {
  const expected = [...failures, ...GOLDEN_LEFTOVERS].map(({ file }) => `${file}.txt`)
  expect(new Set(expected).size).toBe(expected.length)
  expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted())
})
