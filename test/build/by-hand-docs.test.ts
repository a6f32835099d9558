/** `docs/by-hand.md` shows what works: each program on it is run, and what it builds passes `wiretape lint`. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CassetteBuilder } from '../../src/build/entry.ts'
import * as entry from '../../src/build/entry.ts'
import { lintCassette } from '../../src/cassette/lint.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/by-hand.md'), 'utf8')
const blocksOf = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
const PROGRAMS = blocksOf('ts')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiretape-by-hand-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program with the sources in place of the package, its files in a folder of its own. */
async function run(program: string, number: number): Promise<{ tape?: CassetteBuilder; text?: string }> {
  const file = join(folder, `${number}.ts`)
  const text = program
    .replaceAll("'wiretape/build'", JSON.stringify(join(ROOT, 'src/build/entry.ts')))
    .replaceAll("'wiretape'", JSON.stringify(join(ROOT, 'src/index.ts')))
    .replaceAll(/'([^']+\.cassette\.yaml)'/g, (_, path: string) => JSON.stringify(join(folder, path)))
  writeFileSync(file, text)
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as object
}

/** What the page shows on purpose, and lint objects to: bytes and JSON that no service sends. */
const ODD = ['model-stream-framing', 'event-not-json', 'finish-reason-missing', 'usage-missing']

describe.each(PROGRAMS.map((program, index) => [index + 1, program] as const))(
  'program %i',
  (number, program) => {
    it('runs, and builds what lint has nothing against', async () => {
      const { tape, text } = await run(program, number)
      if (tape === undefined) {
        expect(text).toBe('Hello.')
        return
      }
      const built = tape.build()
      const found = lintCassette({ cassette: built, text: tape.render(), blobs: built.blobs })
      expect(found.filter(({ check }) => !(program.includes('raw(') && ODD.includes(check)))).toEqual([])
    })
  },
)

it('shows the text of its first cassette', async () => {
  const [program = ''] = PROGRAMS
  const [shown = ''] = blocksOf('yaml')
  const { tape } = await run(program, 0)
  expect(tape?.render()).toContain(shown.replace(/ *…\n$/, ''))
})

it('names every word that can be imported', () => {
  const words = Object.keys(entry).filter(word => !new RegExp(`\\b${word}\\b`).test(PAGE))
  expect(words).toEqual([])
})
