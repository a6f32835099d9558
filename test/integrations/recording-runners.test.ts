/** Tests in real runners that record their cassettes, replay them in CI, and record them again. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, runNodeTest, runVitest, type Project } from './project.ts'
import { startService } from './service.ts'

/** Eight tests at once that each ask a question of their own, and one that fails if it is told to. */
const QUESTIONS = `
export const ask = async (tape, text) => {
  const ai = new GoogleGenAI(tape.client)
  const { text: answer } = await ai.models.generateContent({ model: 'gemini-2.5-flash', contents: text })
  if (process.env.EXPECTED !== answer) throw new Error('the answer is ' + answer)
}
`
const VITEST = `
import { GoogleGenAI } from '@google/genai'
import { describe } from 'vitest'
import { test as base } from 'wiretape/vitest'
${QUESTIONS}
const test = base.extend({ cassette: { upstream: process.env.SERVICE } })
describe('a suite', () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test.concurrent('question ' + number, async ({ tape }) => ask(tape, 'Question ' + number))
  }
})
test('asks nothing of a tape', () => {})
`
const NODE_TEST = `
import { describe, test } from 'node:test'
import { GoogleGenAI } from '@google/genai'
import { cassette } from 'wiretape/node-test'
${QUESTIONS}
const upstream = process.env.SERVICE
describe('a suite', { concurrency: true }, () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test('question ' + number, cassette({ upstream }, tape => ask(tape, 'Question ' + number)))
  }
})
`

const KEY = { GEMINI_API_KEY: 'a-key-of-my-own' }
const FOLDER = '__cassettes__/questions.test'

/** Every cassette of a project: what it asks, and its text. */
function cassettes(project: Project): ReadonlyMap<string, string> {
  const names = readdirSync(join(project.folder, FOLDER)).toSorted()
  return new Map(names.map(name => [name, project.read(join(FOLDER, name))]))
}

describe.each([
  ['Vitest', VITEST, runVitest],
  ['node:test', NODE_TEST, runNodeTest],
] as const)('tests with %s', (_, text, run) => {
  it('record once, each its own, replay in CI, and keep what a test that fails would replace', async () => {
    const service = await startService()
    const project = createProject({ 'questions.test.js': text })
    const first = await run(project, { ...KEY, SERVICE: service.url, EXPECTED: 'Sunny.' })
    expect(first.code, first.output).toBe(0)
    for (const number of [1, 8])
      expect(first.output).toContain(
        `Recorded ${FOLDER}/a-suite--question-${number}.cassette.yaml: 1 exchange.\n`,
      )
    const recorded = cassettes(project)
    expect([...recorded.keys()]).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map(number => `a-suite--question-${number}.cassette.yaml`),
    )
    for (const [name, cassette] of recorded) {
      expect(cassette.match(/Question \d/g)).toEqual([`Question ${/\d/.exec(name)?.[0]}`])
    }
    expect(service.seen).toHaveLength(8)

    const second = await run(project, { CI: '1', SERVICE: 'http://127.0.0.1:9', EXPECTED: 'Sunny.' })
    expect(second.code, second.output).toBe(0)
    expect(second.output).not.toContain('Recorded ')

    const again = { ...KEY, SERVICE: service.url, WIRETAPE_MODE: 'all', EXPECTED: 'Rainy.' }
    const third = await run(project, again)
    expect(third.code, third.output).toBe(1)
    expect(third.output).toContain('the answer is Sunny.')
    expect(third.output).toContain('stays as it was: the test that recorded it again has failed')
    expect(service.seen).toHaveLength(16)
    expect(cassettes(project)).toEqual(recorded)
  })

  it('keep a first recording though the test fails, so that its answer stays the same', async () => {
    const service = await startService()
    const project = createProject({ 'questions.test.js': text })
    const first = await run(project, { ...KEY, SERVICE: service.url, EXPECTED: 'Rainy.' })
    expect(first.code).toBe(1)
    expect(first.output).toContain('was recorded by a test that failed: remove it to have it recorded again')
    const second = await run(project, { SERVICE: service.url, EXPECTED: 'Sunny.' })
    expect(second.code, second.output).toBe(0)
    expect(service.seen).toHaveLength(8)
  })

  it('say in CI that there is no cassette, and how it is recorded', async () => {
    const project = createProject({ 'questions.test.js': text })
    const { code, output } = await run(project, { ...KEY, CI: '1', SERVICE: 'http://127.0.0.1:9' })
    expect(code).toBe(1)
    expect(output).toContain('question-1.cassette.yaml, and nothing is recorded where CI is set.')
    expect(output).toContain('WIRETAPE_MODE=once')
  })
})

describe('two tests of Vitest with one name', () => {
  it('are told so, before one replays the cassette of the other', async () => {
    const project = createProject({
      'same.test.js': `
import { test } from 'wiretape/vitest'
for (const name of ['what?', 'what!']) test(name, ({ tape }) => void tape)
`,
    })
    const { outcomes } = await runVitest(project, { WIRETAPE_MODE: 'passthrough' })
    expect(outcomes['what?']).toBeUndefined()
    expect(outcomes['what!']).toMatch(
      /Two tests have the same cassette, .*what\.cassette\.yaml: "what\?" and "what!"/,
    )
  })
})
