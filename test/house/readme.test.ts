/**
 * Everything that the README shows is run: the commands in one folder and in order, each other block by its language.
 *
 * A plain service stands where the real one would, and `npx wiretape` is the built command.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lintCassette } from '../../src/cassette/lint.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { start, wiretape } from '../cli/spawned.ts'
import { createProject, runVitest } from '../integrations/project.ts'
import { startScriptedUpstream, type ScriptedUpstream } from '../peers/scripted-upstream.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const BLOCKS = [...README.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}))

/** The user's app: `npm start` and `npm test` ask the service one thing. */
const APP = `
const response = await fetch(process.env.GOOGLE_GEMINI_BASE_URL + '/v1beta/models/gemini-2.5-flash:generateContent', {
  method: 'POST',
  headers: { 'x-goog-api-key': process.env.GEMINI_API_KEY },
  body: JSON.stringify({ contents: [{ parts: [{ text: process.env.QUESTION ?? 'Why is the sea salty?' }], role: 'user' }] }),
})
await response.text()
`
const ANSWER =
  '{"candidates": [{"content": {"parts": [{"text": "Rivers bring the salt."}],"role": "model"},"finishReason": "STOP"}],"usageMetadata": {"totalTokenCount": 9}}'

const blocksIn = (language: string) =>
  BLOCKS.filter(block => block.language === language).map(({ text }) => text)
const commands = blocksIn('sh')
  .flatMap(text => text.trim().split('\n'))
  .map(line => line.replace(/ *#.*/, ''))

let folder = ''
let service: ScriptedUpstream

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiretape-readme-'))
  writeFileSync(join(folder, 'app.mjs'), APP)
  writeFileSync(
    join(folder, 'package.json'),
    '{ "scripts": { "start": "node app.mjs", "test": "node app.mjs" } }',
  )
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/wiretape'))
  symlinkSync(join(ROOT, 'node_modules/@google'), join(folder, 'node_modules/@google'))
  service = await startScriptedUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(ANSWER)
  })
})

afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The words after `npx wiretape`, with the service's address where it records. */
function wordsOf(command: string): readonly string[] {
  const words = command.replace('npx wiretape ', '').split(' ')
  return words[0] === 'record' ? ['record', '--upstream', service.url, ...words.slice(1)] : words
}

describe('the commands', () => {
  it.each(commands.filter(line => line.includes(' -- ')))('%s', async command => {
    const { code, stderr } = await wiretape(wordsOf(command), { cwd: folder, env: { GEMINI_API_KEY: 'own' } })
    expect(stderr).toMatch(/(?:Recorded|Replayed)\b.*\n$/)
    expect(code).toBe(0)
  })

  it.each(commands.filter(line => line.startsWith('npx') && !line.includes(' -- ')))('%s', async command => {
    expect(await wiretape(wordsOf(command), { cwd: folder })).toMatchObject({ code: 0 })
  })

  it('make a file that replays as the report says', async () => {
    const words = ['replay', 'session.packed.cassette.yaml', '--', 'npm', 'start']
    expect(await wiretape(words, { cwd: folder })).toMatchObject({ code: 0 })
  })

  it.each(commands.filter(line => line.startsWith('npm')))('%s: the script is there', command => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const [install, script = ''] = command.split(' && npm ')
    expect(install).toBe('npm ci')
    expect(scripts).toHaveProperty(script.replace('run ', ''))
  })

  it('are all of one of these kinds', () => {
    expect(commands).toHaveLength(7)
    expect(commands.filter(line => !/^npx wiretape |^npm ci && npm /.test(line))).toEqual([])
  })
})

it('shows what a mismatch really looks like', async () => {
  const [shown = ''] = blocksIn('console')
  const [command = '', ...output] = shown.trimEnd().split('\n')
  const { code, stderr } = await wiretape(wordsOf(command.replace('$ ', '')), {
    cwd: folder,
    env: { QUESTION: 'Why is the sea blue?' },
  })
  expect(output.join('\n')).toBe(stderr.trim())
  expect(code).toBe(1)
})

describe('the tests, in CI', () => {
  const recorded = () => readFileSync(join(folder, 'session.cassette.yaml'), 'utf8')

  /** What the app asks, and makes of a refusal. */
  const answer = (question: string) => `
import { GoogleGenAI } from '@google/genai'
const answer = ai =>
  ai.models
    .generateContent({ model: 'gemini-2.5-flash', contents: ${JSON.stringify(question)} })
    .then(({ text }) => text, () => 'swallowed: salt')
`

  /** The first lines stand in a file of Vitest's. */
  function runLines(question: string) {
    const [lines = ''] = blocksIn('ts')
    const files = {
      '__cassettes__/lines.test/the-answer-speaks-of-salt.cassette.yaml': recorded(),
      'lines.test.js': `import { expect } from 'vitest'\n${answer(question)}${lines}`,
    }
    return runVitest(createProject(files), { CI: '1' })
  }

  /** The line for other runners stands in a test. */
  function runLine(question: string) {
    const [, line = ''] = /`(await using tape = .*?)`/.exec(README) ?? []
    const program = `
import { expect, test } from 'vitest'
import { useCassette } from 'wiretape'
${answer(question)}
test('the answer speaks of salt', async () => {
  ${line}
  expect(await answer(new GoogleGenAI(tape.client))).toMatch(/salt/)
})
`
    const files = { 'session.cassette.yaml': recorded(), 'line.test.ts': program }
    return runVitest(createProject(files), { CI: '1' })
  }

  it.each([runLines, runLine])('pass where the app asks what is recorded ($name)', async run => {
    const { code, output, outcomes } = await run('Why is the sea salty?')
    expect(code, output).toBe(0)
    expect(Object.keys(outcomes)).toHaveLength(1)
  })

  it.each([runLines, runLine])(
    'fail where it asks something else and swallows the error ($name)',
    async run => {
      const { code, output } = await run('Why is the sea blue?')
      expect(code).toBe(1)
      expect(output).toContain('the text of the last user message changed')
    },
  )

  it('have a cassette that is named after the test', async () => {
    const [program = ''] = blocksIn('js')
    const project = createProject({
      'sea.test.js': program,
      '__cassettes__/sea.test/the-answer-speaks-of-salt.cassette.yaml': recorded(),
    })
    const { code, output, outcomes } = await runVitest(project, { CI: '1' })
    expect(code, output).toBe(0)
    expect(Object.keys(outcomes)).toHaveLength(1)
  })
})

it('shows a cassette that can be read, and in which lint finds nothing', () => {
  const [text = ''] = blocksIn('yaml')
  const cassette = parseCassette(text, { file: 'README.md' })
  expect(cassette.documents).toHaveLength(2)
  expect(lintCassette({ cassette, text, blobs: new Map() })).toEqual([])
})

it('shows the first JSON line', async () => {
  const [line = ''] = blocksIn('json')
  const running = start(['replay', 'session.cassette.yaml', '--json'], { cwd: folder })
  const printed = await running.says('stdout', /.*\n/)
  const withoutPorts = (text: string) => text.replaceAll(/:\d{4,5}/g, ':PORT')
  expect(withoutPorts(line)).toBe(withoutPorts(printed))
})

it('shows the lines of our own .gitattributes', () => {
  const [text = ''] = blocksIn('')
  for (const line of text.trim().split('\n'))
    expect(readFileSync(join(ROOT, '.gitattributes'), 'utf8')).toContain(line)
})

it('has no block that is not run', () => {
  expect([...new Set(BLOCKS.map(({ language }) => language))].toSorted()).toEqual([
    '',
    'console',
    'js',
    'json',
    'sh',
    'ts',
    'yaml',
  ])
})
