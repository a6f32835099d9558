/** A recording that is appended, and killed at any step of it, is appended once. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCassette } from '../../src/cassette/parse.ts'
import { recover } from '../../src/store/finish.ts'
import { loadCassette } from '../../src/store/load.ts'
import { blobFolder, journalFolder } from '../../src/store/paths.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { leave, OLD, sound } from '../store/days.ts'
import { buildChild, type ChildProgram } from './process.ts'

let program: ChildProgram
beforeAll(async () => {
  program = await buildChild()
}, 60_000)
afterAll(() => program.dispose())

/** Appends in a child that is killed at its n-th change of a file, then to the end. True if it was killed. */
async function appendKilled(file: string, when: string): Promise<boolean> {
  leave(file, sound('a'))
  const { signal } = await program.start(['recover', file], { TEST_KILL: when }).finish()
  const text = readFileSync(file, 'utf8')
  // The old cassette or the new one, whole.
  expect(text === OLD || parseCassette(text, { file }).documents.length === 4).toBe(true)
  if (existsSync(join(journalFolder(file), 'session.json'))) await recover(file)
  return signal === 'SIGKILL'
}

describe.each(['before', 'after'])('a recorder that is killed %s any of its steps', moment => {
  it('has appended the other day once when it is done', async () => {
    for (let step = 1; ; step += 1) {
      const file = join(emptyFolder(), 'days.cassette.yaml')
      writeFileSync(file, OLD)
      const killed = await appendKilled(file, `${step}:${moment}`)
      const text = readFileSync(file, 'utf8')
      expect(text.startsWith(OLD)).toBe(true)
      expect(parseCassette(text, { file }).documents).toHaveLength(4)
      await loadCassette(file)
      expect(readdirSync(blobFolder(file))).toHaveLength(1)
      if (!killed) break
      expect(step).toBeLessThan(100)
    }
  })
})
