/** Pace `manual`, and a step that the test has forgotten. */
import { describe, expect, it } from 'vitest'
import { cassette } from '../../src/build/entry.ts'
import { useCassette } from '../../src/index.ts'
import { ROUTE } from './service.ts'

const hello = cassette().on('gemini-2.5-flash').answers('Hello.')

describe('a replay by hand that ends while something waits', () => {
  it('says that a step is missing, in its verdict and its notes', async () => {
    const tape = await useCassette(hello, { pace: 'manual' })
    const asked = fetch(tape.url + ROUTE, { method: 'POST', body: '{}' }).catch(() => undefined)
    await expect.poll(() => tape.report().requests).toBe(1)
    await expect(tape.close()).rejects.toMatchObject({
      code: 'WIRETAPE_UNFINISHED',
      message: expect.stringMatching(
        /was abandoned[^]*At pace `manual` nothing goes out without a step\(\), and 1 answer still waited at the end\. Was one forgotten\?$/,
      ),
    })
    expect(tape.report().notes).toEqual([expect.stringContaining('1 answer still waited')])
    await asked
  })

  it('says nothing of it where all was let go', async () => {
    const tape = await useCassette(hello, { pace: 'manual' })
    const asked = fetch(tape.url + ROUTE, { method: 'POST', body: '{}' })
    await tape.step()
    await (await asked).text()
    expect((await tape.close()).notes).toEqual([])
  })
})
