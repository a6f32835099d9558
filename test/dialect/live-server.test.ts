/** What a Live server message means for a replay: what it waits for, what ends, what nobody misses. */
import { describe, expect, it } from 'vitest'
import { live } from '../../src/dialect/live.ts'
import type { JsonValue } from '../../src/wire/json.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'

const marks = (value: JsonValue) => live.readServer(encodeUtf8(live.spell('server', value)))
const content = (value: JsonValue) => marks({ serverContent: value })

describe('a server message', () => {
  it.each<JsonValue>([
    { inputTranscription: { text: 'Hi' } },
    { interimInputTranscription: {} },
    { interrupted: true },
  ])('reacts to what was heard: %o', value => {
    expect(content(value).reacts).toBe(true)
  })

  it('reacts with a tool call, which is part of a turn', () => {
    expect(marks({ toolCall: { functionCalls: [] } })).toMatchObject({ reacts: true, speaks: true })
  })

  it.each<JsonValue>([
    { modelTurn: { parts: [] } },
    { generationComplete: true },
    { audioChunks: [] },
    { model_turn: { parts: [] }, turn_complete: true },
  ])('speaks, so that the first one opens a turn: %o', value => {
    expect(content(value)).toMatchObject({ speaks: true, reacts: false })
  })

  it.each<JsonValue>([
    { setupComplete: {} },
    { goAway: { timeLeft: '10s' } },
    { serverContent: { turnComplete: true } },
    { serverContent: { interrupted: false } },
    { toolCallCancellation: { ids: ['a'] } },
    { usageMetadata: {} },
    { something: 'new' },
  ])('waits for no media: %o', value => {
    expect(marks(value)).toMatchObject({ speaks: false, reacts: false })
  })

  it('speaks and reacts where it transcribes its own words', () => {
    expect(content({ outputTranscription: { text: 'Hi' } })).toMatchObject({ reacts: true, speaks: true })
  })

  it('greets, whatever else the client has sent by then', () => {
    expect(marks({ setupComplete: {} })).toMatchObject({ greets: true, goesOn: false })
    expect(content({ modelTurn: {} }).greets).toBe(false)
  })

  it.each<[boolean, JsonValue]>([
    [true, { serverContent: { modelTurn: { parts: [] } } }],
    [true, { serverContent: { outputTranscription: {} } }],
    [true, { serverContent: { turnComplete: true }, usageMetadata: {} }],
    [true, { goAway: {} }],
    [true, { toolCallCancellation: { ids: [] } }],
    [false, { serverContent: { interrupted: true } }],
    [false, { serverContent: { inputTranscription: {} } }],
    [false, { toolCall: {} }],
    [false, { something: 'new' }],
    [false, {}],
  ])('goes on without a client (%o): %o', (goesOn, value) => {
    expect(marks(value).goesOn).toBe(goesOn)
  })

  it('ends a turn when it is complete or interrupted', () => {
    expect(content({ turnComplete: true }).endsTurn).toBe(true)
    expect(content({ interrupted: true }).endsTurn).toBe(true)
    expect(content({ turnComplete: false }).endsTurn).toBe(false)
    expect(content({ generationComplete: true }).endsTurn).toBe(false)
  })

  it.each<[boolean, JsonValue]>([
    [true, { usageMetadata: { totalTokenCount: 1 } }],
    [true, { sessionResumptionUpdate: { newHandle: 'h' } }],
    [true, { serverContent: {}, usageMetadata: {} }],
    [false, { serverContent: { turnComplete: true }, usageMetadata: {} }],
    [false, { serverContent: {} }],
    [false, { goAway: {} }],
    [false, {}],
  ])('is bookkeeping alone (%o): %o', (trailing, value) => {
    expect(marks(value).trailing).toBe(trailing)
  })

  it('names the calls it takes back and the handle it gives', () => {
    expect(marks({ toolCallCancellation: { ids: ['a', 'b'] } }).cancels).toEqual(['a', 'b'])
    expect(marks({ sessionResumptionUpdate: { newHandle: 'h', resumable: true } }).issues).toBe('h')
    expect(marks({ session_resumption_update: { new_handle: 'h' } }).issues).toBe('h')
    expect(marks({ sessionResumptionUpdate: { resumable: false } }).issues).toBeUndefined()
  })

  it('has a label to be named by', () => {
    expect(content({ modelTurn: {}, turnComplete: true }).label).toBe(
      'serverContent.modelTurn, serverContent.turnComplete',
    )
    expect(marks({ toolCall: {}, usageMetadata: {} }).label).toBe('toolCall, usageMetadata')
    expect(marks({}).label).toBe('message without a known field')
    expect(live.readServer(Uint8Array.of(0xff)).label).toBe('message without a known field')
  })
})
