/** A cassette that was made in memory is a file afterwards, whole or not at all. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cassette, client, server } from '../../src/build/entry.ts'
import { parseCassette, saveCassette, useCassette } from '../../src/index.ts'
import { loadCassette } from '../../src/store/load.ts'
import { emptyFolder } from '../cli/spawned.ts'

const hello = cassette().on('gemini-2.5-flash', 'Say hello.').answers('Hello.')
const SOUND = Buffer.alloc(2_000, 7)

it('is what was built, in a folder that was not there', async () => {
  const file = join(emptyFolder(), 'cassettes', 'hello.cassette.yaml')
  await saveCassette(file, hello)
  expect(readFileSync(file, 'utf8')).toBe(hello.render())
})

it('has its sound beside it, and plays it', async () => {
  const file = join(emptyFolder(), 'sound.cassette.yaml')
  const built = cassette().live('gemini-live-2.5-flash-preview', [client.says('Hi'), server.audio(SOUND)])
  await saveCassette(file, built)
  const { cassette: loaded, blobs } = await loadCassette(file)
  expect(loaded.documents.length).toBe(built.build().documents.length)
  const [name] = built.build().blobs.keys()
  expect(Buffer.from(blobs(String(name), 0, SOUND.length) ?? [])).toEqual(SOUND)
})

it('is saved as it was read, too', async () => {
  const file = join(emptyFolder(), 'again.cassette.yaml')
  await saveCassette(file, await parseCassette(hello.render()))
  expect(readFileSync(file, 'utf8')).toBe(hello.render())
  await using tape = await useCassette(file, { mode: 'replay', allow: ['never-asked'] })
  expect(tape.report().exchanges).toBe(1)
})

it('leaves one that is there, unless it is told to overwrite it', async () => {
  const file = join(emptyFolder(), 'hello.cassette.yaml')
  writeFileSync(file, 'cassette: 1\n')
  await expect(saveCassette(file, hello)).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
  expect(readFileSync(file, 'utf8')).toBe('cassette: 1\n')
  await saveCassette(file, hello, { existing: 'overwrite' })
  expect(readFileSync(file, 'utf8')).toBe(hello.render())
})

it('is not written with a key in it, and nothing is left of the try', async () => {
  const folder = emptyFolder()
  const key = 'AIza'.concat('Sy0123456789abcdefghijklmnopqrstuvw')
  const leaky = cassette().on('gemini-2.5-flash', `My key is ${key}.`).answers('Oh.')
  const error: unknown = await saveCassette(join(folder, 'leaky.cassette.yaml'), leaky).catch(
    (cause: unknown) => cause,
  )
  expect(error).toMatchObject({ code: 'WIRETAPE_SECRET' })
  expect(String(error)).not.toContain(key)
  expect(readdirSync(folder)).toEqual([])
})

it('has the name of a cassette', async () => {
  const file = join(emptyFolder(), 'hello.yaml')
  await expect(saveCassette(file, hello)).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
  expect(existsSync(file)).toBe(false)
})
