/** What a user sees in real runners when an app strays from its recording: the test fails, and says why. */
import { describe, expect, it } from 'vitest'
import { APP, cassetteFiles, REASONS } from './straying.ts'
import { createProject, runNodeTest, runVitest, type Outcomes } from './project.ts'

function expectReasons(outcomes: Outcomes): void {
  expect(Object.keys(outcomes).toSorted()).toEqual(Object.keys(REASONS).toSorted())
  for (const [name, reasons] of Object.entries(REASONS)) {
    if (reasons === undefined) expect(outcomes[name], name).toBeUndefined()
    for (const reason of reasons ?? []) expect(outcomes[name], name).toMatch(reason)
  }
}

describe('with Vitest', () => {
  it.each(['test', 'test.concurrent'])('each app that strays fails its %s with its reason', async test => {
    const project = createProject({
      ...cassetteFiles('apps.test'),
      'app.js': APP,
      'apps.test.js': `
import { test } from 'wiretape/vitest'
import { apps } from './app.js'

for (const [name, run] of Object.entries(apps)) ${test}(name, async ({ tape }) => void (await run(tape)))
`,
    })
    const { code, outcomes, output } = await runVitest(project, { CI: '1' })
    expect(code, output).toBe(1)
    expectReasons(outcomes)
  })
})

describe('with node:test', () => {
  it('each app that strays fails its test with its reason', async () => {
    const project = createProject({
      ...cassetteFiles('apps.test'),
      'app.js': APP,
      'apps.test.js': `
import { test } from 'node:test'
import { cassette } from 'wiretape/node-test'
import { apps } from './app.js'

for (const [name, run] of Object.entries(apps)) test(name, cassette(run))
`,
    })
    const { code, outcomes, output } = await runNodeTest(project, { CI: '1' })
    expect(code, output).toBe(1)
    expectReasons(outcomes)
  })
})
