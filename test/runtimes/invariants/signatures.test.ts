/** Each invariant of thought signatures and thoughts, broken and held. */
import { describe, expect, it } from 'vitest'
import { call, chunk, findingsOf, madeRun, modelStream, request, type Made } from './made-runs.ts'
import type { Part } from './run.ts'

const paris = { city: 'Paris' }
const unsigned = modelStream(chunk([{ text: 'Hi' }], 'STOP'))

function said(number: string, made: Made) {
  return findingsOf(number, madeRun(made))
}

/** Two calls, of which the first is signed, and what was sent after them. */
function signed(number: string, parts: readonly Part[], session: Made['session'] = null) {
  const wire = modelStream(
    chunk(
      [
        { functionCall: { id: 'a', name: 'get_weather', args: paris }, thoughtSignature: 'c2ln' },
        { functionCall: { id: 'b', name: 'get_weather', args: {} } },
      ],
      'STOP',
    ),
  )
  const next = {
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: JSON.parse(JSON.stringify(parts)) },
    ],
  }
  const last = modelStream(chunk([{ text: 'Sunny.' }], 'STOP'))
  return findingsOf(
    number,
    madeRun({ wire: [wire, last], session, received: [request(1, {}), request(2, next)] }),
  )
}

describe('I18 and I19', () => {
  const [a, b] = [call('a', paris), call('b')]
  const carried = { ...a, thoughtSignature: 'c2ln' }
  it('want a signature back on its own part, and on no other', () => {
    expect(signed('I18', [carried, b])).toEqual([])
    expect(signed('I19', [carried, b])).toEqual([])
    expect(signed('I18', [a, b])).toEqual([
      'the signature c2ln of the call get_weather (a) is not on it in the next request',
    ])
    expect(signed('I19', [carried, { ...b, thoughtSignature: 'c2ln' }])).toEqual([
      'request 2 has the signature c2ln on the call get_weather (b); on the wire it is on the call get_weather (a)',
    ])
    expect(signed('I19', [carried, { ...b, thoughtSignature: 'b3RoZXI=' }])).toEqual([
      'request 2 has the signature b3RoZXI on the call get_weather (b), and it is not on the wire',
    ])
  })
  it('take either alphabet, and the signature that says that there is none', () => {
    expect(
      signed('I19', [carried, { ...b, thoughtSignature: btoa('skip_thought_signature_validator') }]),
    ).toEqual([])
  })
  it('know a call without an id by the piece that has its name', () => {
    const pieces = [{ jsonPath: '$.city', stringValue: 'Paris' }]
    const wire = modelStream(
      chunk([
        { functionCall: { name: 'get_weather', willContinue: true }, thoughtSignature: 'c2ln' },
        { functionCall: { partialArgs: pieces, willContinue: true } },
      ]),
      chunk([{ functionCall: {} }], 'STOP'),
    )
    const held = (name: string) => [
      { author: 'model', parts: [{ functionCall: { name }, thoughtSignature: 'c2ln' }] },
    ]
    for (const number of ['I18', 'I19']) {
      expect(said(number, { wire: [wire], session: held('get_weather') })).toEqual([])
      expect(said(number, { wire: [wire], session: held('get_tide') })).toHaveLength(1)
    }
  })
  it('know a call with an id of the runtime by its arguments', () => {
    const made = { ...call('made-up-1', paris), thoughtSignature: 'c2ln' }
    const event = (part: Part) => [{ author: 'model', parts: [part] }]
    expect(signed('I19', [carried, b], event(made))).toEqual([])
    expect(
      signed('I19', [carried, b], event({ ...call('made-up-1'), thoughtSignature: 'c2ln' })),
    ).toHaveLength(1)
  })
  it('do not apply where nothing is signed', () => {
    expect(said('I18', { wire: [unsigned] })).toBeUndefined()
    expect(said('I19', { wire: [unsigned] })).toBeUndefined()
  })
})

describe('I20', () => {
  const wire = [
    modelStream(chunk([{ text: 'I wonder.', thought: true }, { text: 'Yes.' }], 'STOP')),
    modelStream(chunk([{ text: 'No.' }], 'STOP')),
  ]
  const after = (part: Part) => [
    request(1, {}),
    request(2, { contents: [{ role: 'model', parts: [JSON.parse(JSON.stringify(part))] }] }),
  ]
  it('wants a thought back as a thought, or not at all', () => {
    expect(said('I20', { wire, received: after({ text: 'I wonder.', thought: true }) })).toEqual([])
    expect(said('I20', { wire, received: after({ text: 'Yes.' }) })).toEqual([])
    expect(said('I20', { wire, received: after({ text: 'I wonder.' }) })).toHaveLength(1)
    expect(said('I20', { wire: [unsigned] })).toBeUndefined()
  })
})

describe('I21', () => {
  const wire = [
    modelStream(chunk([{ text: 'Yes.', thoughtSignature: 'c2ln' }], 'STOP')),
    { ...modelStream(chunk([{ text: 'No.' }], 'STOP')), model: 'gemini-3-pro-preview' },
  ]
  const after = (part: Part) => [
    request(1, {}),
    request(2, { contents: [{ role: 'model', parts: [JSON.parse(JSON.stringify(part))] }] }),
  ]
  it('wants a signature sent to the model alone that made it', () => {
    expect(said('I21', { wire, received: after({ text: 'Yes.' }) })).toEqual([])
    expect(said('I21', { wire, received: after({ text: 'Yes.', thoughtSignature: 'c2ln' }) })).toEqual([
      'the signature c2ln of gemini-2.5-flash was sent to gemini-3-pro-preview',
    ])
    expect(said('I21', { wire: [unsigned] })).toBeUndefined()
  })
  it('leaves it to the app of a client library, which hands the history on', () => {
    const received = after({ text: 'Yes.', thoughtSignature: 'c2ln' })
    expect(said('I21', { wire, received, runtime: { 'google-genai': '3.6.1' } })).toBeUndefined()
  })
})
