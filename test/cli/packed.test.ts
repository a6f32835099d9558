/** A bug report is one file, and whoever gets it needs one command: nothing of theirs, and nothing beside it. */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { emptyFolder, wiretape } from './spawned.ts'

const CASSETTE = resolve(import.meta.dirname, '../../cassettes/live-interrupted-text.cassette.yaml')

it('reproduces an interruption from one packed file, with an empty home', async () => {
  const cwd = emptyFolder()
  cpSync(CASSETTE, join(cwd, 'report.cassette.yaml'))
  await wiretape(['pack', 'report.cassette.yaml'], { cwd })
  rmSync(join(cwd, 'report.cassette.yaml'))
  expect(readdirSync(cwd)).toEqual(['report.packed.cassette.yaml'])
  mkdirSync(join(cwd, 'home'))

  const app = resolve(import.meta.dirname, 'interrupt.mjs')
  const words = ['replay', 'report.packed.cassette.yaml', '--', process.execPath, app]
  const { code, stdout, stderr } = await wiretape(words, { cwd, env: { HOME: join(cwd, 'home') } })
  expect(stdout).toBe(
    'The first tower on the headland\n was built of chalk in the seventeenth century\n, and nobody knows whether\n(interrupted)\n1806.\n',
  )
  expect(stderr).toContain('Replayed')
  expect(code).toBe(0)
})
