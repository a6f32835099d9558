/** Each invariant of answers over HTTP, of Interactions and of the run as a whole, broken and held. */
import { describe, expect, it } from 'vitest'
import {
  call,
  chunk,
  chunkedStream,
  event,
  findingsOf,
  madeRun,
  modelStream,
  piece,
  request,
  response,
  user,
  type Made,
} from './made-runs.ts'
import type { TurnSeen } from './run.ts'

const hello = modelStream(chunk([{ text: 'Hello' }], 'STOP'))
const whole = event([{ text: 'Hello' }])
const line = JSON.stringify(chunk([{ text: 'Hellø' }], 'STOP'))
const failed = (message: string): readonly TurnSeen[] => [{ events: [], error: { type: 'E', message } }]

function said(number: string, made: Made) {
  return findingsOf(number, madeRun(made))
}

describe('I30', () => {
  const bytes = new TextEncoder().encode(`data: ${line}\r\n\r\n`)
  const middle = bytes.indexOf(0xc3) + 1
  const wire = [chunkedStream(bytes.subarray(0, middle), bytes.subarray(middle))]
  it('wants the text whole, wherever the bytes were cut', () => {
    expect(said('I30', { wire, events: [event([{ text: 'Hellø' }])] })).toEqual([])
    expect(said('I30', { wire, events: [event([{ text: 'Hell' }])] })).toEqual([
      'the stream has chunks that end inside a character; of "Hellø", the events have "Hell"',
    ])
    expect(said('I30', { wire: [chunkedStream(bytes)], events: [] })).toBeUndefined()
  })
})

describe('I31', () => {
  const wire = [chunkedStream(`: hi\n\ndata:${line}`)]
  it('wants the text whole, however the stream is framed', () => {
    expect(said('I31', { wire, events: [piece('Hellø'), event([{ text: 'Hellø' }])] })).toEqual([])
    expect(said('I31', { wire, turns: failed('no JSON') })).toEqual([
      'the stream has comments, `data:` without a blank, no blank line at the end; of "Hellø", the events have ""',
      'the stream has comments, `data:` without a blank, no blank line at the end, and is whole; the app got "E no JSON"',
    ])
    expect(said('I31', { wire: [chunkedStream(`data: ${line}\r\n\r\n`)] })).toBeUndefined()
  })
})

describe('I32', () => {
  const wire = [
    modelStream(chunk([{ text: 'Hel' }]), { error: { code: 503, status: 'UNAVAILABLE', message: 'Busy.' } }),
  ]
  it('wants the error with its code', () => {
    expect(said('I32', { wire, turns: failed('503 Busy.') })).toEqual([])
    expect(said('I32', { wire, turns: failed('no JSON') })).toEqual([
      'the service says the error 503 UNAVAILABLE: "Busy."; the app got "E no JSON"',
    ])
    expect(said('I32', { wire, events: [event([{ text: 'Hel' }])] })).toEqual([
      'the service says the error 503 UNAVAILABLE: "Busy."; the app got none',
    ])
    expect(said('I32', { wire: [hello] })).toBeUndefined()
  })
  it('leaves an interaction that a client library hands out to its app', () => {
    const one = { ...wire[0], api: 'interactions', answer: 'body' } as const
    const run = { wire: [{ ...hello, ...one }], events: [event([{ text: 'Hel' }], { errorCode: 'failed' })] }
    expect(said('I32', run)).toHaveLength(1)
    expect(said('I32', { ...run, runtime: { 'google-genai': '3.6.1' } })).toBeUndefined()
  })
})

describe('I33', () => {
  const wire = [modelStream(chunk([{ text: 'Hel' }]))]
  it('wants an error or a mark', () => {
    expect(said('I33', { wire, turns: failed('cut') })).toEqual([])
    expect(said('I33', { wire, events: [event([{ text: 'Hel' }], { finishReason: 'OTHER' })] })).toEqual([])
    expect(said('I33', { wire, events: [event([{ text: 'Hel' }])] })).toEqual([
      'the stream ended without a finish reason; the app got neither an error nor a mark',
    ])
    expect(said('I33', { wire: [hello] })).toBeUndefined()
  })
  it('wants of a client library only what it alone can know', () => {
    const runtime = { 'google-genai': '3.6.1' }
    expect(said('I33', { wire, runtime, events: [whole] })).toBeUndefined()
    expect(said('I33', { wire: [{ ...hello, cut: true }], runtime, events: [whole] })).toEqual([
      'the stream was cut; the app got neither an error nor a mark',
    ])
  })
})

describe('I34', () => {
  const wire = [modelStream(chunk([{ text: 'Hel' }], 'MAX_TOKENS'))]
  it('wants the reason', () => {
    expect(said('I34', { wire, events: [event([], { finishReason: 'MAX_TOKENS' })] })).toEqual([])
    expect(said('I34', { wire, events: [event([], { errorCode: 'MAX_TOKENS' })] })).toEqual([])
    expect(said('I34', { wire, events: [event([], { finishReason: 'STOP' })] })).toEqual([
      'the answer ended for MAX_TOKENS; the app got "stop"',
    ])
    expect(
      said('I34', { wire: [modelStream({ promptFeedback: { blockReason: 'SAFETY' } })], events: [] }),
    ).toEqual(['the answer ended for SAFETY; the app got none'])
    expect(said('I34', { wire: [hello] })).toBeUndefined()
  })
})

describe('I35', () => {
  const wire = [
    modelStream(
      { ...chunk([{ text: 'Hello' }], 'STOP'), usageMetadata: { totalTokenCount: 9 } },
      { usageMetadata: { totalTokenCount: 12 } },
    ),
  ]
  it('wants the last usage', () => {
    expect(said('I35', { wire, events: [event([], { usage: { totalTokenCount: 12 } })] })).toEqual([])
    expect(said('I35', { wire, events: [event([], { usage: { totalTokenCount: 9 } })] })).toEqual([
      'the answers used 12 tokens in all; the events say 9',
    ])
    expect(said('I35', { wire: [hello] })).toBeUndefined()
  })
})

describe('I41', () => {
  const wire = [hello]
  const content = (role: string, part: object) => ({ role, parts: [JSON.parse(JSON.stringify(part))] })
  const asks = (...contents: readonly ReturnType<typeof content>[]) => [request(1, { contents })]
  it('wants a session and requests that can be sent', () => {
    const good = asks(
      content('user', { text: 'Hi' }),
      content('model', call('a')),
      content('user', response('a')),
    )
    expect(said('I41', { wire, session: [user('Hi'), whole], received: good })).toEqual([])
    expect(said('I41', { wire, session: [event([{ text: '' }])], received: good })).toEqual([
      'the session has an empty part of agent: {"text":""}',
    ])
    expect(said('I41', { wire, received: asks(content('user', {})) })).toEqual([
      'a request has an empty part of the user',
    ])
    expect(said('I41', { wire, received: asks(content('model', { text: 'Hello' })) })).toEqual([
      'a request begins with the model: "Hello"',
    ])
    expect(said('I41', { wire, received: asks(content('user', response('a'))) })).toEqual([
      'a request has a response to get_weather (a) without a call before it',
    ])
    expect(said('I41', { wire, session: null })).toBeUndefined()
  })
})

describe('I42', () => {
  it('wants a stream read to its end', () => {
    expect(said('I42', { wire: [hello] })).toEqual([])
    const leftovers = [
      {
        number: 1,
        kind: 'abandoned',
        message: 'POST x, exchange 1 (line 3 of a.yaml), was abandoned with 1 chunk to come',
      },
    ]
    expect(said('I42', { wire: [hello], leftovers })).toEqual(['exchange 1 was left with 1 chunk to come'])
    expect(
      said('I42', {
        wire: [hello],
        notes: ['exchange 1 (line 3 of a.yaml): its client left early, after all was sent; …'],
      }),
    ).toEqual(['exchange 1 was left early, after all of it was sent'])
    expect(said('I42', { wire: [] })).toBeUndefined()
  })
})

describe('I43', () => {
  const leftovers = [
    { number: 2, kind: 'never-asked', message: 'POST x, exchange 2 (line 9 of a.yaml), was never asked for' },
  ]
  it('wants as many requests as are recorded', () => {
    expect(said('I43', { wire: [hello] })).toEqual([])
    expect(said('I43', { wire: [hello, hello], leftovers })).toEqual([
      'exchange 2 of 2 was not asked for as often as recorded',
    ])
    const twice = [request(1, {}), { operation: 'POST models/m:generateContent', body: {} }]
    expect(said('I43', { wire: [hello], received: twice })).toEqual([
      'a request came that is not recorded: POST models/m:generateContent',
    ])
  })
  it('does not blame a client library for what its app does not do', () => {
    const pieces = modelStream(
      chunk([{ functionCall: { name: 'get_weather', willContinue: true } }]),
      chunk([{ functionCall: {} }], 'STOP'),
    )
    expect(said('I43', { wire: [pieces, hello], leftovers, runtime: { 'google-genai': '3.6.1' } })).toEqual(
      [],
    )
  })
})
