/** A test that fails by itself while its app strays from the recording: its own error and ours are both shown. */
import { describe, expect, it } from 'vitest'
import { createProject, runNodeReporter, runVitest } from './project.ts'

const CASSETTE = `cassette: 1
---
exchange: unknown
request: { method: GET, url: "https://a.example/b" }
response: { status: 204 }
end: {}
`
const OURS = 'The recording was not used up: 1 exchange was never asked for.'

describe.each(['tap', 'spec'] as const)('node:test with the reporter %s', reporter => {
  it.each([
    ['an Error', `throw new Error('own reason')`],
    ['an assertion', `assert.equal(1, 2, 'own reason')`],
    ['an Error with a cause', `throw new Error('own reason', { cause: new Error('deeper') })`],
    ['an Error that is frozen', `throw Object.freeze(new Error('own reason'))`],
    ['a text', `throw 'own reason'`],
  ])('shows %s of the test, and what the recording says', async (_, thrown) => {
    const project = createProject({
      'a.cassette.yaml': CASSETTE,
      'fails.test.js': `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cassette } from 'wiretape/node-test'
test('fails', cassette('a.cassette.yaml', () => { ${thrown} }))
`,
    })
    const { code, output } = await runNodeReporter(project, reporter, { CI: '1' })
    expect(code).toBe(1)
    expect(output).toContain('own reason')
    expect(output).toContain(OURS)
  })

  it('shows ours below the own one, where an error can say both', async () => {
    const project = createProject({
      'a.cassette.yaml': CASSETTE,
      'fails.test.js': `
import { test } from 'node:test'
import { cassette } from 'wiretape/node-test'
test('fails', cassette('a.cassette.yaml', () => { throw new Error('own reason') }))
`,
    })
    const { output } = await runNodeReporter(project, reporter, { CI: '1' })
    expect(output).toMatch(/own reason\n\s*\n\s*The recording was not used up[^]*?fails\.test\.js:4/)
  })
})

describe('`await using` in a test of Vitest', () => {
  const project = (inside: string) =>
    createProject({
      'a.cassette.yaml': CASSETTE,
      'using.test.ts': `
import { test } from 'vitest'
import { useCassette } from 'wiretape'
test('fails', async () => {
  await using tape = await useCassette('a.cassette.yaml')
  ${inside}
})
`,
    })

  it('shows both errors, ours first and its text once', async () => {
    const { outcomes, output } = await runVitest(
      project(`throw new Error('own reason ' + tape.failures.length)`),
      { CI: '1' },
    )
    expect(outcomes['fails']).toContain('SuppressedError')
    expect(output).toContain('own reason 0')
    expect(output.split(OURS)).toHaveLength(2)
    expect(output.indexOf(OURS)).toBeLessThan(output.indexOf('own reason 0'))
    expect(output).not.toMatch(/details|leftovers|wiretape\/dist/)
  })

  it('shows ours alone, whole and without the insides of this package', async () => {
    const { outcomes, output } = await runVitest(project('void tape'), { CI: '1' })
    expect(outcomes['fails']).toContain(OURS)
    expect(output).toContain(`WiretapeError: ${OURS}`)
    expect(output).not.toContain('wiretape/dist')
  })
})
