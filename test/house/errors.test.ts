/** `docs/errors.md` explains every code, and no other. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/errors.ts'

it('has one section for each code', () => {
  const titles = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^## (.*)$/gm)].map(([, title]) => title)
  expect(titles).toEqual([...ERROR_CODES])
})
