/** Everything that `docs/testing.md` shows is run, by the runner that it is written for, as in CI. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MODES } from '../../src/integrations/mode.ts'
import { createProject, runNodeTest, runVitest } from '../integrations/project.ts'
import { startService } from '../integrations/service.ts'

const DOCS = readFileSync(resolve(import.meta.dirname, '../../docs/testing.md'), 'utf8')
const BLOCKS = [...DOCS.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = ''], index) => ({
    language,
    text,
    name: `${index + 1}: ${
      text
        .split('\n')
        .find(line => /^\s*test\(/.test(line))
        ?.trim() ?? language
    }`,
  }),
)
const PROGRAMS = BLOCKS.filter(({ language }) => language === 'js' || language === 'ts')

/** A recording of the one question that the page asks. */
function greeting(origin: string, prefix: string): string {
  return `cassette: 1
---
exchange: generate-content
request:
  method: POST
  url: ${origin}${prefix}models/gemini-2.5-flash:generateContent
  body: { contents: [{ parts: [{ text: Say hello. }], role: user }] }
response:
  status: 200
  headers: { content-type: application/json }
  body: { candidates: [{ content: { parts: [{ text: Hello! }], role: model } }] }
end: {}
`
}

const GEMINI = greeting('https://generativelanguage.googleapis.com', '/v1beta/')
const VERTEX = greeting(
  'https://europe-west4-aiplatform.googleapis.com',
  '/v1/projects/redacted-project-1/locations/europe-west4/publishers/google/',
)
const CASSETTES = {
  'cassettes/greeting.cassette.yaml': GEMINI,
  'cassettes/vertex.cassette.yaml': VERTEX,
  '__cassettes__/page.test/says-hello.cassette.yaml': GEMINI,
  '__cassettes__/page.test/asks-with-the-time-of-day.cassette.yaml': GEMINI,
}

describe('a program of the page', () => {
  it.each(PROGRAMS)('passes: $name', async ({ text, language }) => {
    const run = text.includes("'node:test'") ? runNodeTest : runVitest
    const files = { ...CASSETTES, [`page.test.${language}`]: text }
    const { code, output, outcomes } = await run(createProject(files), { CI: '1' })
    expect(code, output).toBe(0)
    expect(Object.keys(outcomes)).toHaveLength(text.match(/^\s*test\('/gm)?.length ?? 0)
  })
})

describe('a command of the page', () => {
  const commands = BLOCKS.filter(({ language }) => language === 'sh').flatMap(({ text }) =>
    text.trim().split('\n'),
  )

  it.each(commands)('does what it says: %s', async command => {
    const [, mode = ''] = /^WIRETAPE_MODE=([\w-]+) npx vitest run$/.exec(command) ?? []
    expect(MODES).toContain(mode)
    const { url, seen } = await startService()
    const program = (PROGRAMS[0]?.text ?? '')
      .replace('({ tape }) => {\n', '({ tape }) => {\n  expect(tape.isRecording).toBe(true)\n')
      .replace('/hello/i', '/Sunny/')
      .replace("\ntest('", "\ntest.override({ cassette: { upstream: process.env.SERVICE } })\ntest('")
    const project = createProject({ ...CASSETTES, 'page.test.ts': program })
    const env = { WIRETAPE_MODE: mode, SERVICE: url, GEMINI_API_KEY: 'a-key-of-my-own' }
    const { code, output } = await runVitest(project, env)
    expect(code, output).toBe(0)
    expect(seen).toHaveLength(1)
  })
})

it('has a table of all modes', () => {
  expect(
    [...DOCS.matchAll(/^\| `([\w-]+)`/gm)].map(([, mode]) => mode).filter(mode => mode !== undefined),
  ).toEqual(expect.arrayContaining([...MODES]))
})

it('has no block that is not run', () => {
  expect([...new Set(BLOCKS.map(({ language }) => language))].toSorted()).toEqual(['js', 'sh', 'ts'])
})
