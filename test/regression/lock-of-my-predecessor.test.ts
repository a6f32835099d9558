/** In a container a new process often has the id of the one that was killed: its lock once seemed to be held. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createJournal } from '../../src/store/journal.ts'
import { afterwards } from './started.ts'

const SESSION = { recorded: '2026-11-30T10:12:04Z' }

it('takes over a lock with its own id that it does not hold, and no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-lock-'))
  afterwards(() => rm(folder, { recursive: true }))
  const file = join(folder, 'a.cassette.yaml')
  await mkdir(join(folder, 'a.cassette.journal'))
  await writeFile(join(folder, 'a.cassette.journal', 'lock'), `${process.pid}\n`)
  const journal = createJournal(file, SESSION)
  expect(() => createJournal(file, SESSION)).toThrow('is being recorded by process')
  journal.discard()
})
