/** What `docs/your-runtime.md` shows runs, in a folder that has the package and the SDK installed. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, wiretape } from '../cli/spawned.ts'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/your-runtime.md'), 'utf8')
const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
}))
const programs = blocks.filter(({ language }) => language === 'js').map(({ code }) => code)
const lines = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ code }) => code.trim().split('\n'))
const commands = lines.filter(line => line.startsWith('npx wiretape '))

/** A project with the programs of the page, as npm would have set it up. */
function project(): string {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/wiretape'))
  symlinkSync(join(root, 'node_modules/@google'), join(folder, 'node_modules/@google'))
  for (const code of programs) {
    const [, name = ''] = /^\/\/ (\S+)/.exec(code) ?? []
    writeFileSync(join(folder, name), code)
  }
  return folder
}

/** Runs a line of the page. */
function run(line: string) {
  const [, , ...words] = line.split(' ')
  return wiretape(words, { cwd: project() })
}

describe('the page on the runtime of a reader', () => {
  it('shows a case to read, one to play, and all of them to play', () => {
    expect(commands.map(line => line.split(' ')[2])).toEqual(['show', 'replay', 'replay'])
    expect(programs.map(code => code.split('\n')[0])).toEqual(['// app.mjs', '// all.mjs'])
  })

  it('names files that are there', async () => {
    for (const path of page.matchAll(/node_modules\/wiretape\/(\S+\.yaml)/g)) {
      expect(readFileSync(join(root, path[1] ?? ''), 'utf8')).toMatch(/^cassette: 1\n/)
    }
    const { code, stdout } = await run(commands[0] ?? '')
    expect(code).toBe(0)
    expect(stdout).toContain('Dogger')
  })

  it('plays one case to an app, which sees the error in mid-stream', async () => {
    const { code, stdout } = await run(commands[1] ?? '')
    expect(stdout.split('\n')[0]).toBe('said: It was land once,')
    expect(stdout).toContain('raised: ')
    expect(code).toBe(0)
  })

  it('plays all of one family to an app, and tells the verdict of each', async () => {
    const { stdout } = await run(commands[2] ?? '')
    const told = stdout.split('\n').filter(line => line.startsWith('sse-'))
    expect(told.length).toBeGreaterThan(30)
    expect(told.find(line => line.startsWith('sse-comment-lines'))).toMatch(/as recorded$/)
  })
})
