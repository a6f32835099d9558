/** A folder in the place of the cassette once let a whole recording be made that could then not be put there. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRecordServer } from '../../src/serve/record-server.ts'
import { afterwards } from './started.ts'

it('refuses to record into a folder before anything is recorded, even to overwrite it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-folder-'))
  afterwards(() => rm(folder, { recursive: true }))
  await expect(createRecordServer({ file: folder, existing: 'overwrite' })).rejects.toMatchObject({
    code: 'WIRETAPE_USAGE',
    message: expect.stringContaining('is a folder, not a cassette.'),
  })
  expect(await readdir(folder)).toEqual([])
})
