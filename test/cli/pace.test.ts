/** How a program says how fast a replay is to go. */
import { describe, expect, it } from 'vitest'
import { type PaceOption, paceOption } from '../../src/cli/pace.ts'

describe('the pace that a program asks for', () => {
  it.each<{ readonly option: PaceOption | undefined; readonly is: object }>([
    { option: undefined, is: { type: 'instant' } },
    { option: 'recorded', is: { type: 'factor', factor: 1 } },
    { option: '0.5x', is: { type: 'factor', factor: 0.5 } },
    { option: 'manual', is: { type: 'manual' } },
    { option: { factor: 3 }, is: { type: 'factor', factor: 3 } },
    { option: { capMs: 0 }, is: { type: 'factor', factor: 1, capMs: 0 } },
  ])('is read: $option', ({ option, is }) => {
    expect(paceOption(option)).toEqual(is)
  })

  it.each<{ readonly option: PaceOption }>([
    { option: { factor: 0 } },
    { option: { factor: Infinity } },
    { option: { factor: Number.NaN } },
    { option: { capMs: -1 } },
    { option: { capMs: Number.NaN } },
    { option: '-1x' },
  ])('is refused: $option', ({ option }) => {
    expect(() => paceOption(option)).toThrow(expect.objectContaining({ code: 'WIRETAPE_USAGE' }))
  })

  it('may be `manual`, as who gets it wrong is told', () => {
    expect(() => paceOption('manuel' as PaceOption)).toThrow(
      "The pace is 'instant', 'recorded', 'manual' or a factor such as '2x', not 'manuel'. Did you mean 'manual'?",
    )
  })

  it.each([null, 2])('is no %s', option => {
    expect(() => paceOption(option as unknown as PaceOption)).toThrow('A pace has a factor above 0')
  })
})
