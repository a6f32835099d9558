/** A cassette that is there but that the system will not give once ended in a stack trace. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadCassette } from '../../src/store/load.ts'
import { afterwards } from './started.ts'

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-read-'))
  afterwards(() => rm(folder, { recursive: true }))
  return folder
}

it('says why a link that leads nowhere can not be read', async () => {
  const file = join(await emptyFolder(), 'a.cassette.yaml')
  await symlink('a.cassette.yaml', file)
  await expect(loadCassette(file)).rejects.toMatchObject({
    code: 'WIRETAPE_USAGE',
    message: expect.stringContaining(`${file} can't be read: ELOOP`),
  })
})

it('finds no cassette below a file', async () => {
  const file = join(await emptyFolder(), 'a.cassette.yaml')
  await writeFile(file, 'cassette: 1\n')
  await expect(loadCassette(join(file, 'b.cassette.yaml'))).rejects.toMatchObject({
    code: 'WIRETAPE_CASSETTE_MISSING',
  })
})

it('says why a folder in the place of a blob can not be read', async () => {
  const folder = await emptyFolder()
  const file = join(folder, 'a.cassette.yaml')
  await mkdir(join(folder, 'a.cassette.blobs', 'sound.pcm'), { recursive: true })
  await writeFile(
    file,
    `cassette: 1
---
exchange: unknown
request: { method: GET, url: "http://service/a" }
response:
  status: 200
  body-base64: blob:sound.pcm@0+300
blobs: { sound.pcm: 300 }
end: {}
`,
  )
  await expect(loadCassette(file)).rejects.toMatchObject({
    code: 'WIRETAPE_USAGE',
    message: expect.stringContaining("sound.pcm can't be read: it is a folder"),
  })
})
