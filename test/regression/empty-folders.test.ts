/** A recording that came to nothing once left the folders behind that it had made for itself. */
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createRecordServer, useCassette } from '../../src/index.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { failureOf } from '../failure.ts'

function twoIn(root: string): readonly [string, string] {
  const folder = join(root, '__cassettes__', 'chat.test')
  return [join(folder, 'one.cassette.yaml'), join(folder, 'two.cassette.yaml')]
}

it('leaves no folder where the recording is discarded', async () => {
  const root = emptyFolder()
  const tape = await useCassette(twoIn(root)[0], { mode: 'once' })
  await tape.discard()
  expect(readdirSync(root)).toEqual([])
})

it('leaves no folder where nothing was asked', async () => {
  const root = emptyFolder()
  const tape = await useCassette(twoIn(root)[0], { mode: 'once' })
  expect((await failureOf(() => tape.close())).code).toBe('WIRETAPE_UNFINISHED')
  const server = await createRecordServer(twoIn(root)[0])
  await server.close()
  expect(readdirSync(root)).toEqual([])
})

it('leaves none that two were recorded into at once, whichever began it', async () => {
  const root = emptyFolder()
  const [first, second] = twoIn(root)
  const tapes = [await useCassette(first, { mode: 'once' }), await useCassette(second, { mode: 'once' })]
  await tapes[0]?.discard()
  expect(readdirSync(dirname(second))).not.toEqual([])
  await tapes[1]?.discard()
  expect(readdirSync(root)).toEqual([])
})

it('leaves alone a folder that was there', async () => {
  const root = emptyFolder()
  const [file] = twoIn(root)
  mkdirSync(dirname(dirname(file)))
  const tape = await useCassette(file, { mode: 'once' })
  await tape.discard()
  expect(readdirSync(root)).toEqual(['__cassettes__'])
  expect(readdirSync(dirname(dirname(file)))).toEqual([])
})
