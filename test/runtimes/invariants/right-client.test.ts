/** A right client breaks no invariant on any cassette of the catalogue. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCassette } from '../../../src/store/load.ts'
import { judge } from './judge.ts'
import { rightRun } from './right-client.ts'

const folder = resolve(import.meta.dirname, '../../../cassettes/cases')
const files = readdirSync(folder).filter(file => file.endsWith('.cassette.yaml'))

describe('a right client', () => {
  it.each(files)('breaks nothing on %s', async file => {
    const run = rightRun(file.replace('.cassette.yaml', ''), await loadCassette(resolve(folder, file)))
    const broken = judge(run).filter(({ outcome }) => outcome === 'broken')
    expect(broken).toEqual([])
  })
})
