/** Each invariant of function calls and signatures, on the smallest run that breaks it and on one that does not. */
import { describe, expect, it } from 'vitest'
import {
  call,
  chunk,
  event,
  findingsOf,
  madeRun,
  modelStream,
  response,
  user,
  type Made,
} from './made-runs.ts'

const paris = { city: 'Paris' }
const wireCall = (id: string, args: object = paris): Made['wire'][number] =>
  modelStream(
    chunk([{ functionCall: { id, name: 'get_weather', args: JSON.parse(JSON.stringify(args)) } }], 'STOP'),
  )
const two = modelStream(
  chunk(
    [
      { functionCall: { id: 'a', name: 'get_weather', args: paris } },
      { functionCall: { id: 'b', name: 'get_weather', args: { city: 'Rome' } } },
    ],
    'STOP',
  ),
)
const inPieces = modelStream(
  chunk([{ functionCall: { id: 'a', name: 'get_weather', willContinue: true } }]),
  chunk([
    {
      functionCall: {
        partialArgs: [{ jsonPath: '$.city', stringValue: 'Pa', willContinue: true }],
        willContinue: true,
      },
    },
  ]),
  chunk([
    { functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'ris' }], willContinue: true } },
  ]),
  chunk([{ functionCall: {} }], 'STOP'),
)
const ran = (args: object = paris, id = 'a') => ({ name: 'get_weather', args, id })

function said(number: string, made: Made) {
  return findingsOf(number, madeRun(made))
}

describe('I10', () => {
  it('wants a call before each response', () => {
    expect(
      said('I10', { wire: [wireCall('a')], session: [event([call('a')]), event([response('a')])] }),
    ).toEqual([])
    expect(
      said('I10', { wire: [wireCall('a')], session: [event([call('b')]), event([response('a')])] }),
    ).toEqual(['the session has a response to get_weather (a); the calls before it: get_weather (b)'])
    expect(said('I10', { wire: [wireCall('a')], session: [] })).toBeUndefined()
  })
})

describe('I11', () => {
  const wire = [wireCall('a')]
  it('wants one response to each call before it goes on', () => {
    expect(
      said('I11', { wire, session: [event([call('a')]), event([response('a')]), user('And?')] }),
    ).toEqual([])
    expect(said('I11', { wire, session: [event([call('a')])] })).toEqual([])
    expect(said('I11', { wire, session: [event([call('a')]), user('And?')] })).toEqual([
      'get_weather (a) has no response in the session, which goes on after it',
    ])
    expect(
      said('I11', { wire, session: [event([call('a')]), event([response('a'), response('a')])] }),
    ).toEqual(['get_weather (a) has 2 responses in the session'])
    expect(said('I11', { wire, session: [] })).toBeUndefined()
  })
  it('takes responses without ids in the order of the calls', () => {
    const calls = event([call('a'), call('b')])
    const session = (...ids: readonly undefined[]) => [
      calls,
      event(ids.map(id => response(id))),
      user('And?'),
    ]
    expect(said('I11', { wire: [two], session: session(undefined, undefined) })).toEqual([])
    expect(said('I11', { wire: [two], session: session(undefined) })).toEqual([
      'get_weather (b) has no response in the session, which goes on after it',
    ])
  })
})

describe('I12', () => {
  it('leaves it to a tool whether it takes null, which no transcript has', () => {
    const functionCall = { id: 'a', name: 'get_weather', args: { until: null } }
    const wire = [modelStream(chunk([{ functionCall }], 'STOP'))]
    expect(said('I12', { wire, session: [event([call('a', { until: null })])] })).toEqual([])
    expect(said('I14', { wire, session: [event([call('a')])] })).toEqual([])
    expect(said('I14', { wire, session: [event([call('a', { until: 'noon' })])] })).toHaveLength(1)
    expect(said('I12', { wire, session: [] })).toHaveLength(1)
  })
  const session = [event([call('a', paris)]), event([response('a')])]
  it('wants each call stored once and run once', () => {
    expect(said('I12', { wire: [wireCall('a')], session, toolRuns: [ran()] })).toEqual([])
    expect(
      said('I12', {
        wire: [wireCall('a')],
        session: [...session, ...session],
        toolRuns: [ran(), ran(), ran()],
      }),
    ).toEqual([
      'get_weather is called once on the wire, and is in the session 2 times',
      'get_weather is called once on the wire, and ran 3 times',
    ])
    expect(said('I12', { wire: [inPieces], session: [], toolRuns: [] })).toHaveLength(2)
    expect(said('I12', { wire: [modelStream(chunk([{ text: 'Hi' }], 'STOP'))], session: [] })).toBeUndefined()
  })
  it('does not blame a client library for pieces that it hands out', () => {
    expect(
      said('I12', { wire: [inPieces], session: [], runtime: { '@google/genai': '3.3.0', node: '20' } }),
    ).toBeUndefined()
  })
})

describe('I13', () => {
  it('wants parallel calls to stay as many, in order', () => {
    const [a, b] = [call('a', paris), call('b', { city: 'Rome' })]
    expect(said('I13', { wire: [two], session: [event([a, b])] })).toEqual([])
    expect(said('I13', { wire: [two], session: [event([b, a])] })).toEqual([
      'the calls on the wire: get_weather (a), get_weather (b); in the session: get_weather (b), get_weather (a)',
    ])
    expect(said('I13', { wire: [two], session: [event([call('a', { city: 'ParisRome' })])] })).toEqual([
      'the calls on the wire: get_weather (a), get_weather (b); in the session: get_weather (a)',
    ])
    expect(said('I13', { wire: [wireCall('a')], session: [] })).toBeUndefined()
  })
})

describe('I14', () => {
  it('wants a tool to run with all of its arguments', () => {
    expect(said('I14', { wire: [inPieces], toolRuns: [ran()] })).toEqual([])
    expect(said('I14', { wire: [inPieces], toolRuns: [ran({})] })).toEqual([
      'get_weather ran with {}; on the wire: {"city":"Paris"}',
    ])
    expect(said('I14', { wire: [inPieces], session: [event([call('a', { city: 'Pa' })])] })).toEqual([
      'the session calls get_weather with {"city":"Pa"}; on the wire: {"city":"Paris"}',
    ])
    expect(said('I14', { wire: [inPieces] })).toBeUndefined()
  })
})

describe('I15', () => {
  it('wants the id of the service, or one that is made up once', () => {
    const session = [event([call('a')]), event([response('a')])]
    expect(said('I15', { wire: [wireCall('a')], session })).toEqual([])
    expect(said('I15', { wire: [wireCall('a')], session: [event([call('made-up-1')])] })).toEqual([
      '1 call is on the wire, with the ids a; these others were seen: made-up-1',
    ])
    const bare = modelStream(chunk([{ functionCall: { name: 'get_weather', args: {} } }], 'STOP'))
    expect(
      said('I15', { wire: [bare], session: [event([call('made-up-1')]), event([response('made-up-1')])] }),
    ).toEqual([])
    expect(
      said('I15', { wire: [bare], session: [event([call('made-up-1')]), event([response('made-up-2')])] }),
    ).toEqual(['responses with the ids made-up-2 were seen; the calls have made-up-1'])
    expect(said('I15', { wire: [modelStream(chunk([{ text: 'Hi' }], 'STOP'))] })).toBeUndefined()
  })
})
