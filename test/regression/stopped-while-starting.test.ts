/** A recorder that was asked to stop while it was starting once left a journal behind, which refused the next. */
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { emptyFolder, start } from '../cli/spawned.ts'

it('leaves no journal behind when it is asked to stop as it starts', async () => {
  const cwd = emptyFolder()
  const { child, ended } = start(['record', 'a.cassette.yaml', '--json'], { cwd })
  // The folder of the journal is the first that it makes.
  while (readdirSync(cwd).length === 0) await new Promise(setImmediate)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expect(readdirSync(cwd)).toEqual([])
})
