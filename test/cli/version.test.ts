/** The version that is printed and put into cassettes. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { VERSION } from '../../src/cli/version.ts'

it('is that of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(VERSION).toBe(version)
})
