/** The file that the shell starts. */
import { readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLI, wiretape } from './spawned.ts'

/** A module that makes Node say that it is another version of itself. */
function nodeThatSays(version: string): string {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

it.each(['18.20.8', '20.18.3', '8.17.0'])('tells Node %s in one line that it is too old', async version => {
  const { code, stdout, stderr } = await wiretape(['--version'], { node: [nodeThatSays(version)] })
  expect(stderr).toBe(`wiretape needs Node 20.19 or newer; this is Node ${version}.\n`)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
})

it.each(['20.19.0', '22.0.0', '100.1.0'])('runs on Node %s', async version => {
  expect((await wiretape(['--version'], { node: [nodeThatSays(version)] })).code).toBe(0)
})

it('imports nothing at its top and holds no syntax that an old Node cannot read', () => {
  const text = readFileSync(CLI, 'utf8')
  expect(text).not.toMatch(/^import |\?\.|\?\?|^await |\|\|=/m)
})

it('can be run by a shell', () => {
  expect(readFileSync(CLI, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(CLI).mode & 0o111).toBe(0o111)
})
