/** What a process that was killed while it wrote left beside a cassette once stayed there for ever. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stageCassette } from '../../src/store/files.ts'
import { afterwards } from './started.ts'

it('writes over the half of a cassette that a killed process has left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-beside-'))
  afterwards(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, '.a.cassette.yaml.tmp'), 'cassette: 1\n---\nexch')
  const staged = stageCassette(join(folder, 'a.cassette.yaml'))
  staged.write('cassette: 1\n')
  staged.place()
  expect(await readdir(folder)).toEqual(['a.cassette.yaml'])
})
