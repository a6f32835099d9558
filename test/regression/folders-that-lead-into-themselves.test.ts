/** Links between folders once made every cassette be found dozens of times, and two of them the search endless. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createReplayFolder } from '../../src/serve/replay-folder.ts'
import { cassettesIn } from '../../src/store/find.ts'
import { emptyFolder } from '../cli/spawned.ts'

function folderWith(...names: readonly string[]): string {
  const folder = emptyFolder()
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), 'cassette: 1\n')
  }
  return folder
}

it('finds a cassette once, however many folders lead back to where it is', () => {
  const folder = folderWith('a/x.cassette.yaml', 'b/y.cassette.yaml')
  symlinkSync('..', join(folder, 'a', 'up'))
  symlinkSync('..', join(folder, 'b', 'up'))
  symlinkSync(join(folder, 'b'), join(folder, 'b', 'self'))
  expect(cassettesIn(folder)).toEqual(['a/x.cassette.yaml', 'b/y.cassette.yaml'])
})

it('finds those in a folder that is linked from elsewhere, under each of its names', () => {
  const shared = folderWith('z.cassette.yaml')
  const folder = folderWith('x.cassette.yaml')
  symlinkSync(shared, join(folder, 'one'))
  symlinkSync(shared, join(folder, 'other'))
  symlinkSync('nowhere', join(folder, 'gone'))
  expect(cassettesIn(folder)).toEqual(['one/z.cassette.yaml', 'other/z.cassette.yaml', 'x.cassette.yaml'])
})

it('does not look into what is installed, where packages link to each other', () => {
  const folder = folderWith('x.cassette.yaml', 'node_modules/p/y.cassette.yaml')
  symlinkSync('../..', join(folder, 'node_modules', 'p', 'app'))
  symlinkSync('../..', join(folder, 'node_modules', 'app'))
  expect(cassettesIn(folder)).toEqual(['x.cassette.yaml'])
})

it('answers with a refusal when the whole folder is gone', async () => {
  const folder = folderWith('x.cassette.yaml')
  await using server = await createReplayFolder({ folder })
  rmSync(folder, { recursive: true })
  const response = await fetch(`${server.url}/t/y/v1beta/models`)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('There is no cassette at')
})
