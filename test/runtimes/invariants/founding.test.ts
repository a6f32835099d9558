/** The three cases that all of this began with are found by the invariants alone, and what is right is let be. */
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCassette } from '../../../src/store/load.ts'
import {
  brokenIn,
  call,
  event,
  findingsOf,
  madeRun,
  piece,
  request,
  response,
  sent,
  user,
} from './made-runs.ts'
import { rightRun } from './right-client.ts'
import type { Event, Received, Run, Transcript } from './run.ts'
import { wireOf } from './wire.ts'

const folder = resolve(import.meta.dirname, '../../../cassettes/cases')

/** The first connection of a Live case, and what a runtime made of it. */
async function live(
  name: string,
  events: readonly Event[],
  session?: readonly Event[],
  toolRuns: Transcript['toolRuns'] = [],
): Promise<Run> {
  const wire = wireOf(await loadCassette(resolve(folder, `run-live-${name}.cassette.yaml`))).slice(0, 1)
  const answers = toolRuns.map(({ name: tool, id }) =>
    sent(1, { toolResponse: { functionResponses: [{ id: id ?? '', name: tool, response: {} }] } }),
  )
  return madeRun({
    wire,
    events,
    ...(session === undefined ? {} : { session }),
    toolRuns,
    received: [sent(1, { setup: {} }), ...answers],
  })
}

const over = event([], { turnComplete: true })
const text = (said: string, more: Partial<Event> = {}): Event => event([{ text: said }], more)

describe('a runtime that stores the pieces of a Live answer', () => {
  it('A: is found by what it stores in pieces', async () => {
    expect(brokenIn(await live('two-chunks', [text('Hel'), text('lo'), over]))).toEqual(['I8'])
  })
  it("A': is found by the text that it loses, for it was only ever partial", async () => {
    const run = await live('turn-complete-false', [piece('Hel'), piece('lo'), over])
    expect(brokenIn(run)).toEqual(['I1', 'I2'])
  })
  it("A': is found by the partial events that it stores, with a session that takes all", async () => {
    const events = [piece('Hel'), piece('lo'), over]
    expect(brokenIn(await live('turn-complete-false', events, events))).toEqual(['I1', 'I6', 'I8'])
  })
  it('B: is found where nothing tells that the text was cut', async () => {
    expect(brokenIn(await live('interrupted', [piece('Hel'), text('Hel'), over]))).toEqual(['I22'])
  })
  it('B: is let be where the interruption has an event of its own, for one piece is a whole', async () => {
    expect(
      brokenIn(await live('interrupted', [text('Hel'), event([], { interrupted: true }), over])),
    ).toEqual([])
  })
  it('B2: is found where one interruption is told twice', async () => {
    const cut = text('Hel', { interrupted: true })
    const run = await live('interrupted-and-complete', [
      piece('Hel'),
      cut,
      event([], { interrupted: true, turnComplete: true }),
    ])
    expect(brokenIn(run)).toEqual(['I22'])
  })
  it('C: is found by what it stores in pieces', async () => {
    expect(
      brokenIn(await live('text-with-turn-complete', [text('Hel'), text('lo', { turnComplete: true })])),
    ).toEqual(['I8'])
  })
  it('D: is found where the thought and the answer share a part', async () => {
    const run = await live('thought-then-text', [text('A greeting.Hello'), over])
    expect(brokenIn(run)).toEqual(['I2', 'I3'])
  })
  it('E: is found where the text before a call is lost', async () => {
    const runs = ['f1', 'f2'].map((id, index) => ({
      name: 'get_weather',
      id,
      args: { city: index === 0 ? 'Paris' : 'Rome' },
    }))
    const calls = event([call('f1', { city: 'Paris' }), call('f2', { city: 'Rome' })])
    const rest = [
      calls,
      event([response('f1'), response('f2')]),
      piece('Clear in both.'),
      text('Clear in both.'),
      over,
    ]
    expect(
      brokenIn(await live('tool-calls', [piece('Checking'), text('Checking'), ...rest], undefined, runs)),
    ).toEqual([])
    expect(brokenIn(await live('tool-calls', [piece('Checking'), ...rest], undefined, runs))).toEqual([
      'I1',
      'I2',
      'I4',
    ])
  })
})

describe('a runtime that puts the pieces of a Live answer together', () => {
  it.each<[string, readonly Event[]]>([
    ['two-chunks', [piece('Hel'), piece('lo'), text('Hello'), over]],
    ['turn-complete-false', [piece('Hel'), piece('lo'), text('Hello'), over]],
    ['interrupted', [piece('Hel'), text('Hel', { interrupted: true }), over]],
    ['interrupted-and-complete', [piece('Hel'), text('Hel', { interrupted: true }), over]],
    ['text-with-turn-complete', [piece('Hel'), text('Hello'), over]],
    ['text-with-turn-complete', [piece('Hel'), piece('lo'), text('Hello'), over]],
    ['thought-then-text', [event([{ text: 'A greeting.', thought: true }]), text('Hello'), over]],
  ])('is let be: %s', async (name, events) => {
    expect(brokenIn(await live(name, events))).toEqual([])
  })
})

const dispatch = call('fc-dispatch-1', { request: 'Top landing pages' }, 'ga_specialist')
const finish = call('fc-finish-1', { result: 'The top landing pages are / and /pricing.' }, 'finish_task')

/** What the coordinator's and the specialist's streams came to, where the first was left at its first piece. */
async function delegated(name: string): Promise<Run> {
  const wire = wireOf(await loadCassette(resolve(folder, `chat-wrapper-${name}.cassette.yaml`)))
  const partial = event(
    name === 'whole-call'
      ? [dispatch]
      : [{ functionCall: { id: 'fc-dispatch-1', name: 'ga_specialist', willContinue: true } }],
    { partial: true },
  )
  const session = [
    user('What are the top landing pages?'),
    event([{ ...finish, thoughtSignature: 'c2lnMg==' }]),
    event([response('fc-finish-1', 'finish_task')]),
    { ...event([response('fc-dispatch-1', 'ga_specialist')]), author: 'user' },
  ]
  const error = {
    type: 'ValueError',
    message: "No function call event found for function responses ids: {'fc-dispatch-1'}",
  }
  return madeRun({
    wire,
    turns: [{ events: [partial, ...session.slice(1)], error }],
    session,
    received: [request(1, { contents: [] }), request(2, { contents: [] })],
    leftovers: [{ number: 3, kind: 'never-asked', message: 'exchange 3 was never asked for' }],
    notes: ['exchange 1 (line 7 of a.yaml): its client left early, after all was sent'],
    scenario: { agent: 'delegating', tools: [] },
  })
}

describe('a runtime that delegates on a partial event', () => {
  it('is found by the response without a call, the step left out and the stream left', async () => {
    const run = await delegated('whole-call')
    expect(brokenIn(run)).toEqual(['I7', 'I10', 'I12', 'I42', 'I43'])
    expect(findingsOf('I10', run)).toEqual([
      'the session has a response to ga_specialist (fc-dispatch-1); the calls before it: finish_task (fc-finish-1)',
    ])
  })
  it('is found with arguments in pieces too', async () => {
    expect(brokenIn(await delegated('streamed-arguments'))).toEqual(['I7', 'I10', 'I12', 'I42', 'I43'])
  })
  it('is let be where it waits for the whole', async () => {
    for (const name of ['whole-call', 'streamed-arguments', 'mixed-turn', 'next-turn']) {
      const run = rightRun(name, await loadCassette(resolve(folder, `chat-wrapper-${name}.cassette.yaml`)))
      expect(brokenIn(run)).toEqual([])
    }
  })
})

const asked = request(1, { input: 'What is the weather in Paris?' }, 'interactions')
const result = { type: 'function_result', call_id: 'call_1', name: 'get_weather', result: {} }
const followUp = (...steps: readonly object[]): Received =>
  request(
    2,
    JSON.parse(JSON.stringify({ previous_interaction_id: 'int_1', input: [...steps, result] })),
    'interactions',
  )

/** The streamed turn with a signed thought, and what was sent after it. */
async function thought(next: Received): Promise<Run> {
  const run = rightRun(
    'streamed',
    await loadCassette(resolve(folder, 'interactions-signature-streamed.cassette.yaml')),
  )
  return { ...run, received: [asked, next] }
}

describe('a runtime that sends a thought back', () => {
  const summary = [{ type: 'text', text: 'I should call the tool.' }]
  it('is found where the thought comes back as an answer, without its signature', async () => {
    const run = await thought(followUp({ type: 'model_output', content: summary }))
    expect(brokenIn(run)).toEqual(['I18', 'I20'])
    expect(findingsOf('I20', run)).toEqual([
      '"I should call the tool." is a thought on the wire, and was sent back as the model\'s answer: "I should call the tool."',
    ])
  })
  it('is let be where it comes back as a thought with its signature, or not at all', async () => {
    expect(
      brokenIn(await thought(followUp({ type: 'thought', summary, signature: 'c2lnLWJ5dGVz' }))),
    ).toEqual([])
    expect(brokenIn(await thought(followUp()))).toEqual([])
  })
})
