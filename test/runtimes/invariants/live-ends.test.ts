/** What was never said by the service, since the replay or the recording ended, is asked of nobody. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/wire/json.ts'
import { call, connection, event, findingsOf, madeRun, piece, sent, type Made } from './made-runs.ts'

const said = (text: string): JsonObject => ({ serverContent: { modelTurn: { parts: [{ text }] } } })
const over: JsonObject = { serverContent: { turnComplete: true } }
const called: JsonObject = { toolCall: { functionCalls: [{ id: 'f1', name: 'get_weather', args: {} }] } }
const opened = (number: number) => sent(number, { setup: { model: 'models/m' } })
const text = (value: string) => event([{ text: value }])
const hungUp = (code: number) => ({ ...connection(), close: { by: 'server' as const, code, reason: 'Bye.' } })

function says(number: string, made: Made) {
  return findingsOf(number, madeRun(made))
}

describe('I8 of Live', () => {
  const session = [text('One moment.'), text('Clear.')]
  it('takes two texts for what came before a response and after it', () => {
    const reply: JsonObject = { client: { toolResponse: { functionResponses: [{ id: 'f1' }] } } }
    const wire = [connection(called, said('One moment.'), reply, said('Clear.'), over)]
    expect(says('I8', { wire, session })).toEqual([])
    expect(says('I8', { wire: [connection(said('One moment.'), said('Clear.'), over)], session })).toEqual([
      '"One moment.Clear." came in 2 pieces, and is in pieces in the session: ["One moment.","Clear."]',
    ])
  })
})

describe('I9 of Live', () => {
  const nothing = [{ events: [], error: null }]
  it('takes silence where the service only hung up with 1000, or the replay did', () => {
    expect(says('I9', { wire: [hungUp(1000)], turns: nothing })).toEqual([])
    expect(says('I9', { wire: [hungUp(1011)], turns: nothing })).toHaveLength(1)
    const details = { exchange: 'exchange 1 (line 3 of a.yaml)', waiting: 1 }
    const failures = [{ code: 'WIRETAPE_STALL', message: '', details }]
    expect(says('I9', { wire: [connection(over)], turns: nothing, failures })).toEqual([])
    expect(says('I9', { wire: [connection(over)], turns: nothing })).toHaveLength(1)
  })
})

describe('what was never sent', () => {
  it('is not asked of a runtime that sent another message, which is told', () => {
    const details = {
      exchange: 'exchange 1 (line 3 of a.yaml)',
      message: 1,
      input: 'clientContent',
      words: ['clientContent came, recorded is realtimeInput.text'],
    }
    const failures = [{ code: 'WIRETAPE_NO_MATCH', message: '', details }]
    const run = { wire: [connection(said('Sunny.'), over)], received: [opened(1)], failures }
    expect(says('I2', run)).toBeUndefined()
    expect(says('I43', run)).toEqual([
      'clientContent came where message 1 is due: clientContent came, recorded is realtimeInput.text',
    ])
  })
  it('is not asked of a runtime that the service waited for', () => {
    const wire = [connection(called, said('Sunny.'), over)]
    const failures = [
      {
        code: 'WIRETAPE_STALL',
        message: '',
        details: { exchange: 'exchange 1 (line 3 of a.yaml)', waiting: 2 },
      },
    ]
    const run = { wire, events: [piece('x'), event([call('f1')])], received: [opened(1)], failures }
    expect(says('I2', run)).toBeUndefined()
    expect(says('I23', run)).toBeUndefined()
    expect(says('I17', run)).toHaveLength(1)
  })
})
