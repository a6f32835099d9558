/** Each invariant of Live, on the smallest run that breaks it and on one that does not. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/wire/json.ts'
import { call, connection, event, findingsOf, madeRun, response, sent, type Made } from './made-runs.ts'
import type { Received, TurnError, TurnSeen } from './run.ts'

const said = (text: string): JsonObject => ({ serverContent: { modelTurn: { parts: [{ text }] } } })
const over: JsonObject = { serverContent: { turnComplete: true } }
const called: JsonObject = { toolCall: { functionCalls: [{ id: 'f1', name: 'get_weather', args: {} }] } }
const answered = sent(1, {
  toolResponse: { functionResponses: [{ id: 'f1', name: 'get_weather', response: {} }] },
})
const opened = (number: number, more: JsonObject = {}): Received =>
  sent(number, { setup: { model: 'models/m', ...more } })
const resumed = (number: number, handle: string, more: JsonObject = {}): Received =>
  opened(number, { sessionResumption: { handle }, ...more })
const ended = event([], { turnComplete: true })
const text = (value: string) => event([{ text: value }])

function says(number: string, made: Made) {
  return findingsOf(number, madeRun(made))
}

describe('I16', () => {
  const cancelled: JsonObject = { toolCallCancellation: { ids: ['f1'] } }
  it('wants no response to a call that was cancelled', () => {
    const wire = [connection(called, cancelled, over)]
    expect(says('I16', { wire, received: [opened(1)] })).toEqual([])
    expect(says('I16', { wire, received: [opened(1), answered] })).toEqual([
      'the service cancelled f1, and got a response to it',
    ])
    expect(says('I16', { wire: [connection(called, over)], received: [answered] })).toBeUndefined()
  })
  it('does not apply to a response that came before', () => {
    const before = connection(
      called,
      { client: { toolResponse: { functionResponses: [{ id: 'f1' }] } } },
      cancelled,
      over,
    )
    expect(says('I16', { wire: [before], received: [opened(1), answered] })).toBeUndefined()
  })
})

describe('I17', () => {
  it('wants a response while the turn goes on', () => {
    const wire = [connection(called, over)]
    expect(says('I17', { wire, received: [opened(1), answered] })).toEqual([])
    expect(says('I17', { wire, received: [opened(1)] })).toEqual([
      'the service called get_weather (f1), and got no response, while it waited for one',
    ])
    expect(says('I17', { wire: [connection(over)] })).toBeUndefined()
  })
})

describe('I22', () => {
  const wire = [connection(said('Hel'), { serverContent: { interrupted: true } }, over)]
  const mark = event([], { interrupted: true })
  it('wants an interruption told once, on the text or after it', () => {
    expect(says('I22', { wire, events: [event([{ text: 'Hel' }], { interrupted: true }), ended] })).toEqual(
      [],
    )
    expect(says('I22', { wire, events: [text('Hel'), mark, ended] })).toEqual([])
    expect(says('I22', { wire, events: [mark, text('Hel'), ended] })).toEqual([
      'interrupted is told before the text that it ends: "Hel"',
    ])
    expect(says('I22', { wire, events: [text('Hel'), ended] })).toEqual([
      'the wire has interrupted once, and 0 of the events have it',
    ])
    expect(says('I22', { wire: [connection(over)] })).toBeUndefined()
  })
})

describe('I23', () => {
  const wire = [connection(said('Hello'), over)]
  it('wants the end of a turn told once, after its text', () => {
    expect(says('I23', { wire, events: [text('Hello'), ended] })).toEqual([])
    expect(says('I23', { wire, events: [text('Hello')] })).toEqual([
      'the wire has turnComplete once, and 0 of the events have it',
    ])
    expect(says('I23', { wire, events: [ended, text('Hello')] })).toEqual([
      'turnComplete is told before the text that it ends: "Hello"',
    ])
    expect(says('I23', { wire: [connection(said('Hello'))] })).toBeUndefined()
  })
})

describe('I24', () => {
  const wire = [
    connection(
      { serverContent: { modelTurn: { parts: [{ text: 'Hi' }] }, outputTranscription: { text: 'Hel' } } },
      { serverContent: { outputTranscription: { text: 'lo' } } },
      over,
    ),
  ]
  const heard = event([], { outputTranscription: { text: 'Hello', finished: true } })
  it('wants a transcription whole, once, and what came with it', () => {
    expect(says('I24', { wire, events: [text('Hi'), heard] })).toEqual([])
    expect(says('I24', { wire, events: [heard] })).toEqual([
      '"Hi" shares its message with a transcription, and no event has it',
    ])
    expect(
      says('I24', { wire, events: [text('Hi'), event([], { outputTranscription: { text: 'Hel' } })] }),
    ).toEqual(['the output transcriptions on the wire: "Hello"; the finished ones of the events: none'])
    expect(says('I24', { wire: [connection(over)] })).toBeUndefined()
  })
  it('wants of a client library only that nothing is lost', () => {
    expect(says('I24', { wire, events: [text('Hi')], runtime: { 'google-genai': '3.6.1' } })).toEqual([])
  })
})

describe('I25', () => {
  const wire = [connection(said('Checking'), called, over)]
  it('wants the order of the wire', () => {
    expect(
      says('I25', { wire, session: [text('Checking'), event([call('f1')]), event([response('f1')])] }),
    ).toEqual([])
    expect(says('I25', { wire, session: [event([call('f1')]), text('Checking')] })).toEqual([
      'the call get_weather (f1) comes after the text "Checking" on the wire, and before it in the session',
    ])
    expect(says('I25', { wire, session: null })).toBeUndefined()
  })
})

const hungUp = (code: number, ...messages: readonly JsonObject[]) => ({
  ...connection(...messages),
  close: { by: 'server' as const, code, reason: 'Bye.' },
})
const handle: JsonObject = { sessionResumptionUpdate: { newHandle: 'h1', resumable: true } }

describe('I26', () => {
  const turn = (error: TurnError | null): readonly TurnSeen[] => [{ events: [], error }]
  it('wants an error with the code', () => {
    const wire = [hungUp(1011, said('Hel'))]
    expect(says('I26', { wire, turns: turn({ type: 'E', message: 'received 1011' }) })).toEqual([])
    expect(says('I26', { wire, turns: turn({ type: 'E', message: 'gone' }) })).toEqual([
      'the service hung up with 1011; the error does not say so: E: gone',
    ])
    expect(says('I26', { wire, turns: turn(null) })).toEqual([
      'the service hung up with 1011, and the turn ended without an error',
    ])
    expect(says('I26', { wire, turns: turn({ type: 'Silence', message: 'the turn never ended' }) })).toEqual([
      'the service hung up with 1011, and the runtime waited on',
    ])
  })
  it('takes the reason for the code', () => {
    const wire = [hungUp(1008)]
    expect(says('I26', { wire, turns: turn({ type: 'E', message: 'closed: Bye.' }) })).toEqual([])
  })
  it('tells no error of the replay for one of the service', () => {
    const wire = [hungUp(1008, over)]
    const turns = turn({ type: 'E', message: 'close 4404: WIRETAPE_NO_MATCH: all had their turn' })
    expect(says('I26', { wire, turns, received: [opened(1)] })).toEqual([])
    const again = { operation: 'x', message: { setup: {} } }
    expect(says('I26', { wire, turns, received: [opened(1), again] })).toEqual([
      'the service hung up with 1008, and the runtime opened another connection, without a handle',
    ])
  })
  it('takes an end without an error after 1000', () => {
    expect(says('I26', { wire: [hungUp(1000, over)], turns: turn(null) })).toEqual([])
    expect(says('I26', { wire: [connection(over)], turns: turn(null) })).toBeUndefined()
  })
  it('takes a new connection with the newest handle, but no loop', () => {
    const wire = [hungUp(1011, handle), connection(over)]
    expect(says('I26', { wire, turns: turn(null), received: [opened(1), resumed(2, 'h1')] })).toEqual([])
    const many = Array.from({ length: 9 }, () => ({
      operation: 'x',
      message: { setup: { sessionResumption: { handle: 'h1' } } },
    }))
    expect(
      says('I26', { wire, turns: turn(null), received: [opened(1), resumed(2, 'h1'), ...many] }),
    ).toEqual(['2 connections are recorded, and the runtime opened more than 5'])
  })
})

describe('I27', () => {
  const wire = [connection(handle, said('Hel'), { goAway: { timeLeft: '1s' } }), connection(over)]
  const scenario = { resumption: true }
  it('wants the session to go on with the handle, with nothing lost or sent again', () => {
    expect(
      says('I27', { wire, scenario, session: [text('Hel')], received: [opened(1), resumed(2, 'h1')] }),
    ).toEqual([])
    expect(says('I27', { wire, scenario, session: [], received: [opened(1), resumed(2, 'h1')] })).toEqual([
      '"Hel" came on the connection that the service left, and is lost',
    ])
    expect(says('I27', { wire, scenario, session: [text('Hel')], received: [opened(1)] })).toEqual([
      'the service announced to leave and gave the handle h1; no connection was opened with it',
    ])
    const again = sent(2, {
      clientContent: { turns: [{ role: 'model', parts: [{ text: 'Hel' }] }], turnComplete: false },
    })
    expect(
      says('I27', { wire, scenario, session: [text('Hel')], received: [opened(1), resumed(2, 'h1'), again] }),
    ).toEqual(['"Hel" was sent again on the connection that took up the session'])
    expect(says('I27', { wire: [connection(over)], scenario })).toBeUndefined()
  })
})

describe('I28', () => {
  const wire = [connection({ pacingHint: {} }, said('Hello'), over)]
  it('wants what is unknown to do no harm', () => {
    expect(says('I28', { wire, events: [text('Hello')] })).toEqual([])
    const wrong = event([], { errorCode: 'Unknown server message.' })
    expect(says('I28', { wire, events: [text('Hello')], session: [wrong] })).toEqual([
      'the wire has a message with pacingHint, and no error; the session has "Unknown server message."',
    ])
    expect(
      says('I28', { wire, turns: [{ events: [], error: { type: 'TypeError', message: 'no' } }] }),
    ).toEqual(['the wire has a message with pacingHint, and no error; the app got "TypeError no"'])
    expect(says('I28', { wire: [connection(over)] })).toBeUndefined()
  })
  it('asks who leaves in another way, and not who was refused', () => {
    const turns = [{ events: [], error: { type: 'TypeError', message: 'no' } }]
    const failure = (cause: string) => [{ code: 'WIRETAPE_NO_MATCH', message: '', details: { cause } }]
    expect(says('I28', { wire, turns, failures: failure('close-changed') })).toHaveLength(1)
    expect(says('I28', { wire, turns, failures: failure('message-kind-changed') })).toEqual([])
  })
  it('is not asked of the end of the connection', () => {
    const error = { type: 'APIError', message: '1000 None.', code: 1000 }
    expect(says('I28', { wire, turns: [{ events: [text('Hello')], error }] })).toEqual([])
  })
  it('does not apply where something else accounts for an error', () => {
    expect(says('I28', { wire: [hungUp(1011, { pacingHint: {} })] })).toBeUndefined()
  })
})

describe('I29', () => {
  const wire = [connection(handle), connection(over)]
  const system = { systemInstruction: { parts: [{ text: 'Be brief.' }] } }
  it('wants the same setup', () => {
    expect(says('I29', { wire, received: [opened(1, system), resumed(2, 'h1', system)] })).toEqual([])
    expect(says('I29', { wire, received: [opened(1, system), resumed(2, 'h1')] })).toEqual([
      'systemInstruction of the first connection: {"parts":[{"text":"Be brief."}]}; of one that took it up: nothing',
    ])
    expect(says('I29', { wire, received: [opened(1)] })).toBeUndefined()
  })
})
