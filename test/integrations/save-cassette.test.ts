/** A cassette that was made in memory is a file afterwards, whole or not at all. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { cassette, client, server } from '../../src/build/entry.ts'
import { parseCassette, saveCassette, useCassette } from '../../src/index.ts'
import { loadCassette } from '../../src/store/load.ts'
import { emptyFolder } from '../cli/spawned.ts'

const run = promisify(execFile)
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

const KEY = 'AIza'.concat('Sy0123456789abcdefghijklmnopqrstuvw')
const ASKED = (headers: string, file: string): string => `cassette: 1
---
exchange: generate-content
request:
  method: POST
  url: https://generativelanguage.googleapis.com/v1beta/models/m:generateContent
  headers: { ${headers} }
response:
  status: 200
  headers: { content-type: text/plain }
  body: { file: ${file} }
blobs: { ${file}: 50 }
end: {}
`

it.each([
  ['in a blob', 'accept: a', `A note: ${KEY}`.padEnd(50)],
  ['in base64', `x-note: ${Buffer.from(`   ${KEY}   `).toString('base64')}`, ' '.repeat(50)],
  ['that only its place gives away', 'authorization: Bearer opaque', ' '.repeat(50)],
  ['in a cookie', 'cookie: SID=abcdefghijklmn', ' '.repeat(50)],
])('is not written with a secret %s either', async (_, headers, bytes) => {
  const from = join(emptyFolder(), 'from.cassette.yaml')
  mkdirSync(from.replace(/yaml$/, 'blobs'))
  writeFileSync(join(from.replace(/yaml$/, 'blobs'), 'note.txt'), bytes)
  const folder = emptyFolder()
  const made = await parseCassette(ASKED(headers, 'note.txt'), from)
  const error: unknown = await saveCassette(join(folder, 'to.cassette.yaml'), made).catch(
    (cause: unknown) => cause,
  )
  expect(error).toMatchObject({ code: 'WIRETAPE_SECRET' })
  expect(String(error)).not.toMatch(/AIza|opaque|abcdefghijklmn/)
  expect(readdirSync(folder)).toEqual([])
})

it('may name a project and a session that are made up', async () => {
  const file = join(emptyFolder(), 'named.cassette.yaml')
  const text = hello
    .render()
    .replace(
      /url: .*/,
      'url: https://us-central1-aiplatform.googleapis.com/v1/projects/mine/locations/us/publishers/google/models/m:generateContent',
    )
  await saveCassette(file, await parseCassette(text))
  expect(readFileSync(file, 'utf8')).toContain('projects/mine/')
})

it('is whole, however many processes save it at once', async () => {
  const folder = emptyFolder()
  const file = join(folder, 'hello.cassette.yaml')
  const entry = join(import.meta.dirname, '../../dist')
  const text = `
import { saveCassette } from '${entry}/index.js'
import { cassette } from '${entry}/build.js'
const tape = cassette()
for (let number = 0; number < 50; number += 1) tape.on('gemini-2.5-flash', 'Say ' + number).answers('Hello.')
for (let time = 0; time < 20; time += 1) await saveCassette(process.argv[1], tape, { existing: 'overwrite' })
`
  const saving = [1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '-e', text, file]))
  await Promise.all(saving)
  expect(readdirSync(folder)).toEqual(['hello.cassette.yaml'])
  expect((await loadCassette(file)).cassette.documents).toHaveLength(51)
})

it('has the name of a cassette', async () => {
  const file = join(emptyFolder(), 'hello.yaml')
  await expect(saveCassette(file, hello)).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
  expect(existsSync(file)).toBe(false)
})
