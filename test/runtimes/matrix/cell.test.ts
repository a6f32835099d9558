/** Cells: who is judged at all. */
import { expect, it } from 'vitest'
import { cellOf, prepared } from './cell.ts'
import { RUNTIMES } from './registry.ts'
import type { Outcome } from './run-one.ts'

/** A run in which the runtime sent one request, and made nothing of the answer. */
function asked(functionCallingConfig: Readonly<Record<string, boolean>>): Outcome {
  const body = { toolConfig: { functionCallingConfig } }
  const turns = [{ events: [], error: { type: 'E', message: 'no' } }]
  return {
    how: 'ran',
    transcript: { runtime: { made: '1' }, turns, session: [], toolRuns: [] },
    said: '',
    exit: 0,
    received: [{ exchange: 1, operation: 'POST models/m:streamGenerateContent', body }],
    failures: [],
    leftovers: [],
    notes: [],
  }
}

it('judges of arguments in pieces only who asks for them', async () => {
  const [runtime] = RUNTIMES
  if (runtime === undefined) throw new Error('there are no runtimes')
  const ready = await prepared('call-streamed-arguments')
  expect(cellOf(runtime, ready, asked({})).marks).toEqual(['unsupported'])
  expect(cellOf(runtime, ready, asked({ streamFunctionCallArguments: true })).marks).toContain('I12')
  const whole = await prepared('call-whole-then-stop')
  expect(cellOf(runtime, whole, asked({})).marks).toContain('I12')
})
