/** What can be replayed is read whole, and what can't says why. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadCassette } from '../../src/store/load.ts'

const YAML = `cassette: 1
---
exchange: unknown
request: { method: GET, url: https://example.test/pixel }
response: { status: 200, body-base64: blob:pixel.bin@0+4 }
blobs: { pixel.bin: 4 }
end: {}
`

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiretape-load-'))
  file = join(folder, 'a.cassette.yaml')
})
afterEach(() => rm(folder, { recursive: true }))

async function writeBlob(bytes: Uint8Array): Promise<void> {
  await mkdir(join(folder, 'a.cassette.blobs'))
  await writeFile(join(folder, 'a.cassette.blobs', 'pixel.bin'), bytes)
}

describe('a cassette', () => {
  it('comes with its blobs, which are read when they are asked for', async () => {
    await writeFile(file, YAML)
    await writeBlob(Uint8Array.of(1, 2, 3, 4))
    const { cassette, blobs } = await loadCassette(file)
    expect(cassette.file).toBe(file)
    expect([...(blobs('pixel.bin', 0, 4) ?? [])]).toEqual([1, 2, 3, 4])
    expect([...(blobs('pixel.bin', 2, 1) ?? [])]).toEqual([3])
    expect(blobs('other.bin', 0, 1)).toBeUndefined()
    expect(blobs('../a.cassette.yaml', 0, 1)).toBeUndefined()
  })

  it('that is not there is missing, with the command that records it', async () => {
    await expect(loadCassette(file)).rejects.toMatchObject({
      code: 'WIRETAPE_CASSETTE_MISSING',
      message: `There is no cassette at ${file}.\n\nRecord it: wiretape record ${file} -- COMMAND`,
    })
  })

  it('whose recorder was killed is missing, with the command that recovers it', async () => {
    await mkdir(join(folder, 'a.cassette.journal'))
    await expect(loadCassette(file)).rejects.toMatchObject({
      message: expect.stringContaining(`wiretape recover ${file}`),
    })
  })

  it('is no folder', async () => {
    await expect(loadCassette(folder)).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      message: expect.stringContaining('is a folder, not a cassette'),
    })
  })

  it('with a mistake says where', async () => {
    await writeFile(file, YAML.replace('method:', 'metod:'))
    await expect(loadCassette(file)).rejects.toMatchObject({
      code: 'WIRETAPE_CASSETTE_INVALID',
      details: { file, line: 4 },
    })
  })

  it.each([
    ['is missing', undefined],
    ['is 3 bytes long', Uint8Array.of(1, 2, 3)],
  ])('whose blob %s is refused at the place of the blob', async (what, blob) => {
    await writeFile(file, YAML)
    if (blob !== undefined) await writeBlob(blob)
    await expect(loadCassette(file)).rejects.toMatchObject({
      code: 'WIRETAPE_CASSETTE_INVALID',
      message: expect.stringContaining(what),
      details: { line: 6 },
    })
  })
})
