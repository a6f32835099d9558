/** The published entries: cheap to import, and nothing in the process is another for it. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../cli/spawned.ts'

const DIST = resolve(import.meta.dirname, '../../dist')

/** What a built file imports, and what that imports: our own files, and the names of others. */
function importedBy(entry: string): {
  readonly own: ReadonlySet<string>
  readonly others: ReadonlySet<string>
} {
  const own = new Set<string>()
  const others = new Set<string>()
  const load = (file: string): void => {
    own.add(file)
    const text = readFileSync(file, 'utf8')
    for (const [, path = ''] of text.matchAll(/^(?:import|export)\b[^'"]*?(?:from )?["']([^"']+)["']/gm)) {
      const target = join(dirname(file), path)
      if (!path.startsWith('.')) others.add(path)
      else if (!own.has(target)) load(target)
    }
  }
  load(join(DIST, entry))
  return { own, others }
}

describe('importing an entry', () => {
  it.each([
    ['index.js', []],
    ['node-test.js', ['crypto', 'fs', 'path', 'url']],
    ['vitest.js', ['crypto', 'fs', 'path', 'vitest']],
  ])('%s loads a few files of its own, and no library', (entry, others) => {
    const imported = importedBy(entry)
    expect(imported.own.size).toBeLessThan(8)
    expect([...imported.others].map(name => name.replace('node:', '')).toSorted()).toEqual(others)
  })

  it.each(['index.js', 'node-test.js'])('%s changes no global, and neither does a replay', async entry => {
    const program = `
      const globals = () => Reflect.ownKeys(globalThis).map(key => {
        const { value, get } = Object.getOwnPropertyDescriptor(globalThis, key)
        return [key, get ?? value]
      })
      // Node makes some of its own when they are first asked for.
      for (const key of Reflect.ownKeys(globalThis)) void globalThis[key]
      const before = new Map(globals())
      await import('${join(DIST, entry)}')
      const { useCassette } = await import('${join(DIST, 'index.js')}')
      const tape = await useCassette('cassettes/streamed-answer.cassette.yaml', { mode: 'replay' })
      await tape.fetch('http://any.example/')
      await tape.discard()
      const changed = globals().filter(([key, value]) => !Object.is(before.get(key), value)).map(([key]) => String(key))
      console.log(JSON.stringify({ changed, code: process.exitCode ?? 0 }))`
    const file = join(emptyFolder(), 'program.mjs')
    writeFileSync(file, program)
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', file])
    expect(JSON.parse(stdout)).toEqual({ changed: [], code: 0 })
  })
})
