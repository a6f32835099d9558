/** Each invariant of text and of partial events, on the smallest run that breaks it and on one that does not. */
import { describe, expect, it } from 'vitest'
import {
  call,
  chunk,
  connection,
  event,
  findingsOf,
  madeRun,
  modelStream,
  piece,
  response,
  type Made,
} from './made-runs.ts'

const hello = modelStream(chunk([{ text: 'Hel' }]), chunk([{ text: 'lo' }], 'STOP'))
const whole = event([{ text: 'Hello' }])
const thinking = modelStream(chunk([{ text: 'Hm.', thought: true }]), chunk([{ text: 'Yes.' }], 'STOP'))
const cut = connection(
  { serverContent: { modelTurn: { parts: [{ text: 'Hel' }] } } },
  { serverContent: { interrupted: true } },
)

function said(number: string, made: Made) {
  return findingsOf(number, madeRun(made))
}

describe('I1', () => {
  it('wants what was partial to come whole, once', () => {
    expect(said('I1', { wire: [hello], events: [piece('Hel'), piece('lo'), whole] })).toEqual([])
    expect(said('I1', { wire: [hello], events: [piece('Hel'), whole] })).toEqual([])
    expect(
      said('I1', { wire: [hello], events: [piece('Hel'), piece('lo'), event([{ text: 'Hel' }])] }),
    ).toEqual(['partial events gave the text "Hello", and the whole event after them has "Hel"'])
    expect(said('I1', { wire: [hello], events: [piece('Hel'), piece('lo')] })).toEqual([
      'the text "Hello" came in partial events, and in no whole one',
    ])
    expect(said('I1', { wire: [hello], events: [piece('Hel'), piece('lo'), whole, whole] })).toEqual([
      'the text "Hello" is on the wire once, and came whole 2 times',
    ])
  })
  it('does not apply where nothing is partial', () => {
    expect(said('I1', { wire: [hello], events: [whole] })).toBeUndefined()
  })
})

describe('I2', () => {
  it('wants every text in the session once, in pieces or whole', () => {
    expect(said('I2', { wire: [hello], session: [whole] })).toEqual([])
    expect(
      said('I2', { wire: [hello], session: [event([{ text: 'Hel' }]), event([{ text: 'lo' }])] }),
    ).toEqual([])
    expect(said('I2', { wire: [hello], session: [event([{ text: 'lo' }])] })).toEqual([
      'the text "Hello" is on the wire, and in the session as "lo" alone',
    ])
    expect(said('I2', { wire: [hello], session: [whole, whole] })).toEqual([
      'the text "Hello" is in the session more often than on the wire',
    ])
    expect(said('I2', { wire: [hello], session: [] })).toEqual([
      'the text "Hello" is on the wire, and not in the session, which has ""',
    ])
  })
  it('does not want what did not come to its end', () => {
    expect(said('I2', { wire: [{ ...hello, cut: true }], session: [] })).toEqual([])
  })
  it('does not apply to what stores nothing', () => {
    expect(said('I2', { wire: [hello], session: null })).toBeUndefined()
  })
})

describe('I3', () => {
  it('wants thoughts and text in parts of their own, in order', () => {
    const thought = { text: 'Hm.', thought: true }
    expect(said('I3', { wire: [thinking], session: [event([thought, { text: 'Yes.' }])] })).toEqual([])
    expect(said('I3', { wire: [thinking], session: [event([{ text: 'Hm.Yes.' }])] })).toEqual([
      '"Hm." is thought on the wire, and is in a part of text: "Hm.Yes."',
    ])
    expect(said('I3', { wire: [thinking], session: [event([{ text: 'Yes.' }, thought])] })).toEqual([
      'the wire has thought, text, and the session has text, thought',
    ])
  })
  it('does not apply where nothing was thought', () => {
    expect(said('I3', { wire: [hello], session: [whole] })).toBeUndefined()
  })
})

describe('I4', () => {
  it('wants what was pending when the user cut in', () => {
    expect(said('I4', { wire: [cut], session: [event([{ text: 'Hel' }])] })).toEqual([])
    expect(said('I4', { wire: [cut], session: [] })).toEqual([
      'the text "Hel" was pending when the user cut in, and is not in the session',
    ])
  })
  it('does not apply where nothing was cut', () => {
    expect(said('I4', { wire: [hello], session: [] })).toBeUndefined()
  })
})

describe('I6', () => {
  it('wants no partial event in the session', () => {
    expect(said('I6', { wire: [hello], events: [piece('Hel'), whole] })).toEqual([])
    expect(said('I6', { wire: [hello], events: [whole], session: [piece('Hel')] })).toEqual([
      'a partial event of agent is in the session: [{"text":"Hel"}]',
    ])
    expect(said('I6', { wire: [hello], events: [whole] })).toBeUndefined()
  })
})

describe('I7', () => {
  const wire = [
    modelStream(chunk([{ functionCall: { id: 'a', name: 'get_weather', args: {} } }]), chunk([], 'STOP')),
  ]
  const partial = event([call('a')], { partial: true })
  const rest = [event([call('a')]), event([response('a')])]
  const toolRuns = [{ name: 'get_weather', args: {}, id: 'a' }]
  it('wants nothing to come of a partial call', () => {
    expect(said('I7', { wire, events: [partial, ...rest], toolRuns })).toEqual([])
    expect(
      said('I7', { wire, events: [partial, event([response('a')]), event([call('a')])], toolRuns }),
    ).toEqual([
      'get_weather (a) was called in a partial event, and answered before any whole event called it',
    ])
    expect(said('I7', { wire, events: [partial, ...rest], toolRuns: [...toolRuns, ...toolRuns] })).toEqual([
      'get_weather ran 2 times, and was called 1 times in whole events: partial ones have run it',
    ])
    expect(said('I7', { wire, events: rest, toolRuns })).toBeUndefined()
  })
})

describe('I8', () => {
  it('wants what came in pieces stored in one', () => {
    expect(said('I8', { wire: [hello], session: [whole] })).toEqual([])
    expect(said('I8', { wire: [hello], session: [event([{ text: 'Hel' }, { text: 'lo' }])] })).toEqual([
      '"Hello" came in 2 pieces, and is in pieces in the session: ["Hel","lo"]',
    ])
  })
  it('does not apply to a client library, which never said so', () => {
    const session = [event([{ text: 'Hel' }]), event([{ text: 'lo' }])]
    expect(said('I8', { wire: [hello], session, runtime: { 'google-genai': '3.6.1' } })).toBeUndefined()
  })
})

describe('I9', () => {
  it('wants something of every turn', () => {
    expect(said('I9', { wire: [hello], events: [whole] })).toEqual([])
    expect(said('I9', { wire: [hello], events: [piece('Hel')] })).toEqual([
      'turn 1 gave partial events alone, and no error',
    ])
    expect(said('I9', { wire: [hello], events: [] })).toEqual(['turn 1 gave no event, and no error'])
    expect(said('I9', { wire: [hello], turns: [{ events: [], error: { type: 'E', message: '' } }] })).toEqual(
      [],
    )
    expect(said('I9', { wire: [] })).toBeUndefined()
  })
})
