/** Each invariant of Interactions, broken and held. */
import { describe, expect, it } from 'vitest'
import { call, event, findingsOf, interactionStream, madeRun, request, type Made } from './made-runs.ts'
import type { TurnSeen } from './run.ts'

const paris = { city: 'Paris' }
const whole = event([{ text: 'Hello' }])
const failed = (message: string): readonly TurnSeen[] => [{ events: [], error: { type: 'E', message } }]

function said(number: string, made: Made) {
  return findingsOf(number, madeRun(made))
}

describe('I36', () => {
  const start = (index: number, id: string) => ({
    event_type: 'step.start',
    index,
    step: { type: 'function_call', id, name: 'get_weather', arguments: {} },
  })
  const delta = (index: number, args: string) => ({
    event_type: 'step.delta',
    index,
    delta: { type: 'arguments_delta', arguments: args },
  })
  const mixed = interactionStream(
    start(0, 'a'),
    start(1, 'b'),
    delta(0, '{"city":'),
    delta(1, '{"city":'),
    delta(0, '"Paris"}'),
    delta(1, '"Rome"}'),
  )
  const straight = interactionStream(start(0, 'a'), delta(0, '{"city":'), delta(0, '"Paris"}'))
  it('wants pieces put together by their index', () => {
    expect(
      said('I36', { wire: [mixed], session: [event([call('a', paris), call('b', { city: 'Rome' })])] }),
    ).toEqual([])
    expect(
      said('I36', { wire: [mixed], session: [event([call('a', {}), call('b', { city: 'Rome' })])] }),
    ).toEqual(['the pieces of get_weather (a) come to {"city":"Paris"}; it was called with {}'])
    expect(said('I36', { wire: [straight], session: [event([call('a', {})])] })).toBeUndefined()
  })
})

const step = (index: number, text: string) => [
  { event_type: 'step.start', index, step: { type: 'model_output' } },
  { event_type: 'step.delta', index, delta: { type: 'text', text } },
  { event_type: 'step.stop', index },
]
const completed = (id: string, status = 'completed') => ({
  event_type: 'interaction.completed',
  interaction: { id, status },
})
const done = interactionStream(...step(0, 'Hello'), completed('int_1'))

describe('I37', () => {
  it('wants a part for each step', () => {
    expect(said('I37', { wire: [done], session: [whole] })).toEqual([])
    expect(said('I37', { wire: [done], session: [whole, whole] })).toEqual([
      'the steps on the wire: text "Hello"; the parts in the session: text "Hello", text "Hello"',
    ])
    expect(said('I37', { wire: [done], session: null })).toBeUndefined()
  })
  it('takes what was sent for a signature alone, in whatever words the session has it', () => {
    const wire = interactionStream(
      { event_type: 'step.start', index: 0, step: { type: 'thought' } },
      { event_type: 'step.delta', index: 0, delta: { type: 'thought_signature', signature: 'c2ln' } },
      { event_type: 'step.stop', index: 0 },
      completed('int_1'),
    )
    const session = [event([{ text: '', thought: true }])]
    const sent = (...input: readonly { type: string; signature?: string }[]) => [
      request(1, {}, 'interactions'),
      request(2, { input: [...input] }, 'interactions'),
    ]
    const right = { wire: [wire], session, received: sent({ type: 'thought', signature: 'c2ln' }) }
    for (const number of ['I37', 'I41']) {
      expect(said(number, right)).toEqual([])
      expect(said(number, { ...right, received: sent() })).toHaveLength(1)
    }
  })
})

describe('I38', () => {
  const wire = [done, interactionStream(...step(0, 'Bye'), completed('int_2'))]
  const after = (body: Parameters<typeof request>[1]) => [
    request(1, { input: 'Hi' }, 'interactions'),
    request(2, body, 'interactions'),
  ]
  it('wants the id of the last interaction', () => {
    expect(
      said('I38', { wire, received: after({ input: 'Bye', previous_interaction_id: 'int_1' }) }),
    ).toEqual([])
    expect(
      said('I38', { wire, received: after({ input: [{ type: 'model_output', content: 'Hello' }] }) }),
    ).toEqual([])
    expect(said('I38', { wire, received: after({ input: 'Bye' }) })).toEqual([
      'request 2 goes on from none; the last interaction that was completed is int_1',
    ])
    expect(said('I38', { wire: [done] })).toBeUndefined()
  })
  it('wants none that failed', () => {
    const broken = [interactionStream(completed('int_1', 'failed')), done]
    expect(
      said('I38', { wire: broken, received: after({ input: 'Bye', previous_interaction_id: 'int_1' }) }),
    ).toEqual(['request 2 goes on from int_1; the last interaction that was completed is none'])
  })
})

describe('I39', () => {
  const wire = [interactionStream(...step(0, 'Hello'), completed('int_1', 'failed'))]
  it('wants a failure told', () => {
    expect(said('I39', { wire, turns: failed('failed') })).toEqual([])
    expect(said('I39', { wire, events: [whole] })).toEqual([
      'the interaction is failed; the app got neither an error nor a mark',
    ])
    expect(said('I39', { wire: [done] })).toBeUndefined()
  })
})

describe('I40', () => {
  const wire = [interactionStream(...step(0, 'Hello'))]
  it('wants an error, or what came', () => {
    expect(said('I40', { wire, turns: failed('cut') })).toEqual([])
    expect(said('I40', { wire, session: [whole] })).toEqual([])
    expect(said('I40', { wire, session: [] })).toEqual([
      'the stream ended without interaction.completed; "Hello" is lost, and the app got no error',
    ])
    expect(said('I40', { wire: [done] })).toBeUndefined()
  })
})
