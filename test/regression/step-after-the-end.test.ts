/** Whoever steps on in a loop when a replay has ended lets the rest of the process go on. */
import { expect, it } from 'vitest'
import { createSteps } from '../../src/serve/steps.ts'

it('takes a turn of the event loop', async () => {
  const steps = createSteps()
  steps.stop()
  const others: string[] = []
  setImmediate(() => others.push('went on'))
  for (let count = 0; count < 1_000 && others.length === 0; count += 1) {
    expect(await steps.step()).toBeUndefined()
  }
  expect(others).toEqual(['went on'])
})
