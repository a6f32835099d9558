/**
 * The founding cases of HTTP in the runtime that has them: google-adk from its package index, unmodified.
 *
 * Each version is held to what was measured of it, in `expect/VERSION.json`: what each request held, what was
 * raised, what the session holds, which tools ran, and what our own report says. Better or worse, anything
 * else fails. To measure a version anew, look at the difference, run with WIRETAPE_MEASURE=1, and format what
 * it wrote.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { record, runCase } from './rig.ts'

const here = import.meta.dirname
const root = resolve(here, '../../..')
const NEWEST = '2.13.0'

/** The program that plays each cassette's client, with its arguments. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'chat-wrapper-mixed-turn': ['chat_wrapper.py'],
  'chat-wrapper-next-turn': ['chat_wrapper.py', 'What are the top landing pages?', 'Thanks.'],
  'chat-wrapper-streamed-arguments': ['chat_wrapper.py'],
  'chat-wrapper-whole-call': ['chat_wrapper.py'],
  'interactions-signature-inline-signature': ['interactions.py', 'stream'],
  'interactions-signature-interleaved': ['interactions.py', 'stream'],
  'interactions-signature-managed-agent': ['interactions.py', 'managed', 'What is the weather?', 'Thanks.'],
  'interactions-signature-signature-only': ['interactions.py', 'stream'],
  'interactions-signature-signed-call': ['interactions.py', 'stream'],
  'interactions-signature-streamed': ['interactions.py', 'stream'],
  'interactions-signature-two-thoughts': ['interactions.py', 'stream'],
  'interactions-signature-two-thoughts-one-summary': ['interactions.py', 'stream'],
  'interactions-signature-unary': ['interactions.py', 'unary'],
}

const versions = readdirSync(join(here, 'expect'))
  .filter(name => name.endsWith('.json'))
  .map(name => name.slice(0, -'.json'.length))

function expectedOf(version: string): Readonly<Record<string, unknown>> {
  return record(JSON.parse(readFileSync(join(here, 'expect', `${version}.json`), 'utf8')))
}

async function outcomeOf(version: string, name: string): Promise<unknown> {
  const cassette = `cassettes/cases/${name}.cassette.yaml`
  const outcome = await runCase(version, { cassette, command: COMMANDS[name] ?? [] })
  if (process.env['WIRETAPE_MEASURE'] === '1') {
    const all = { ...expectedOf(version), [name]: outcome }
    writeFileSync(join(here, 'expect', `${version}.json`), `${JSON.stringify(all, undefined, 2)}\n`)
  }
  return outcome
}

beforeAll(() => {
  if (!existsSync(join(root, 'dist/cli.js'))) throw new Error('there is no dist/cli.js: npm run build')
  execFileSync(
    join(here, 'setup.sh'),
    versions.map(version => `adk-${version}`),
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
})

describe('the cassettes of the founding cases', () => {
  it('are played to the newest version, all of them', () => {
    const files = readdirSync(join(root, 'cassettes/cases'))
      .filter(name => !name.startsWith('run-live-'))
      .map(name => name.replace('.cassette.yaml', ''))
    expect(Object.keys(COMMANDS)).toEqual(files.toSorted())
    expect(Object.keys(expectedOf(NEWEST)).toSorted()).toEqual(files.toSorted())
  })
})

describe.each(versions)('google-adk %s', version => {
  it.each(Object.keys(expectedOf(version)))('does with %s what was measured', async name => {
    expect(await outcomeOf(version, name)).toEqual(expectedOf(version)[name])
  })
})
