/**
 * The founding case of Live in a runtime that has it: `runLive` of @google/adk, unmodified, from its registry.
 *
 * The version is held to what was measured of it, in `expect/VERSION.json`: what was streamed, what the session
 * holds, what the next connection sends as history. Better or worse, anything else fails. To measure anew, look
 * at the difference, run with WIRETAPE_MEASURE=1, and format what it wrote.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCase } from './rig.ts'

const here = import.meta.dirname
const root = resolve(here, '../../..')
const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(here, 'package.json'), 'utf8'),
)
const version = dependencies['@google/adk'] ?? ''
const expectFile = join(here, 'expect', `${version}.json`)

/** What the program is told for a case, where it is anything. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'run-live-interrupted-audio': ['--audio'],
  'run-live-interrupted-transcription': ['--audio'],
  'run-live-text-with-audio': ['--audio'],
  'run-live-text-with-input-transcription': ['--audio'],
  'run-live-text-with-transcription': ['--audio'],
  'run-live-tool-calls-gemini-3': ['--model', 'gemini-3.1-flash-live-preview'],
}

const cases = readdirSync(join(root, 'cassettes/cases'))
  .filter(file => /^run-live-.*\.cassette\.yaml$/.test(file))
  .map(file => file.replace('.cassette.yaml', ''))
const measured: Record<string, unknown> = {}

function expected(): Readonly<Record<string, unknown>> {
  return existsSync(expectFile) ? JSON.parse(readFileSync(expectFile, 'utf8')) : {}
}

beforeAll(() => {
  if (!existsSync(join(root, 'dist/cli.js'))) throw new Error('there is no dist/cli.js: npm run build')
  execFileSync(join(here, 'setup.sh'), { stdio: ['ignore', 'inherit', 'inherit'] })
})

afterAll(() => {
  if (process.env['WIRETAPE_MEASURE'] !== '1') return
  const inOrder = Object.entries(measured).toSorted(([left], [right]) => (left < right ? -1 : 1))
  writeFileSync(expectFile, `${JSON.stringify(Object.fromEntries(inOrder), undefined, 2)}\n`)
})

describe(`@google/adk ${version}`, () => {
  it('is measured in every case', () => {
    expect(Object.keys(expected()).toSorted()).toEqual(cases.toSorted())
  })

  it.concurrent.each(cases)('does with %s what was measured', async name => {
    measured[name] = await runCase(name, ARGUMENTS[name] ?? [])
    if (process.env['WIRETAPE_MEASURE'] !== '1') expect(measured[name]).toEqual(expected()[name])
  })
})
