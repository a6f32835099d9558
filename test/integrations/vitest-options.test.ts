/** What a file says of its cassettes, and what a suite says on top of it. */
import { expect, it } from 'vitest'
import { createProject, runVitest } from './project.ts'

it('a suite that names its cassette keeps what its file says, and overrides key by key', async () => {
  const project = createProject({
    'a.cassette.yaml': `cassette: 1
---
exchange: unknown
request: { method: POST, url: "https://generativelanguage.googleapis.com/v1beta/things", body: { at: noon } }
response: { status: 200, body: got }
end: {}
`,
    'options.test.js': `
import { describe, expect } from 'vitest'
import { testWith } from 'wiretape/vitest'
const test = testWith({ file: 'nowhere.cassette.yaml', ignore: ['/at'] })

describe('a suite', () => {
  test.override({ cassette: { file: 'a.cassette.yaml' } })
  test('ignores what its file ignores', async ({ tape }) => {
    const response = await tape.fetch(tape.url + '/v1beta/things', { method: 'POST', body: '{"at":"midnight"}' })
    expect(await response.text()).toBe('got')
  })
})
describe('another', () => {
  test.override({ cassette: { file: 'a.cassette.yaml', ignore: [] } })
  test('says something else', async ({ tape }) => {
    await tape.fetch(tape.url + '/v1beta/things', { method: 'POST', body: '{"at":"midnight"}' })
  })
})
`,
  })
  const { outcomes } = await runVitest(project, { CI: '1' })
  expect(outcomes['ignores what its file ignores']).toBeUndefined()
  expect(outcomes['says something else']).toContain('received: "midnight"')
})
