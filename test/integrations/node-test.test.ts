/** What `node:test` does with a test that has a tape: where its cassette is, and when it ends. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, runNodeTest } from './project.ts'
import { startService } from './service.ts'

const ASK = `
import { test } from 'node:test'
import { cassette } from 'wiretape/node-test'
const options = { upstream: process.env.SERVICE }
const ask = async (tape, text) => {
  const body = JSON.stringify({ contents: [{ parts: [{ text }], role: 'user' }] })
  await (await fetch(tape.url + '/v1beta/models/gemini-2.5-flash:generateContent', { method: 'POST', body })).text()
}
`

describe('a test in a folder whose name has brackets and blanks', () => {
  it('has its cassette beside it', async () => {
    const { url } = await startService()
    const project = createProject({
      'all.test.js': `await import('./app/(auth) 1/sign-in.js')`,
      'app/(auth) 1/sign-in.js': `${ASK}
test('says hello', cassette(options, tape => ask(tape, 'Hello')))
`,
    })
    const { code, output } = await runNodeTest(project, { SERVICE: url })
    expect(code, output).toBe(0)
    const file = 'app/(auth) 1/__cassettes__/sign-in/says-hello.cassette.yaml'
    expect(existsSync(join(project.folder, file)), output).toBe(true)
  })
})

describe('two tests of node:test with one name', () => {
  it('are told so, before one replaces the cassette of the other', async () => {
    const { url } = await startService()
    const project = createProject({
      'same.test.js': `${ASK}
for (const name of ['what?', 'what!']) test(name, cassette(options, tape => ask(tape, name)))
`,
    })
    const { outcomes } = await runNodeTest(project, { SERVICE: url, WIRETAPE_MODE: 'all' })
    expect(outcomes['what?']).toBeUndefined()
    expect(outcomes['what!']).toMatch(
      /Two tests have the same cassette, .*what\.cassette\.yaml: "what\?" and "what!"/,
    )
    expect(project.read('__cassettes__/same.test/what.cassette.yaml')).toContain('what?')
  })
})

describe('a test that hangs', () => {
  it('lets its process end after the timeout', async () => {
    const { url } = await startService()
    const project = createProject({
      'hangs.test.js': `${ASK}
test('hangs', { timeout: 50 }, cassette(options, () => new Promise(() => {})))
test('goes on', cassette(options, tape => ask(tape, 'Hello')))
`,
    })
    const { code, output } = await runNodeTest(project, { SERVICE: url })
    expect(code).toBe(1)
    expect(output).toContain('timed out after 50ms')
    expect(output).toMatch(/✔ goes on/)
    expect(output).not.toMatch(/unhandled|asynchronous activity/i)
  })
})
