/** The official SDK has Live sessions with a replay, and can't tell it from the service. */
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { describe, expect, it } from 'vitest'
import { startReplaying } from '../serve/replaying.ts'
import { closedWith, LIVE_CASSETTES } from './live-cassettes.ts'
import { LIVE_SCENARIOS, type LiveScenario, type LiveSdk } from './live-transcripts.ts'

const SDKS: Readonly<Record<string, LiveSdk>> = {
  '@google/genai 3': newest,
  '@google/genai 2': older as unknown as LiveSdk,
}

const turn = (parts: readonly object[]) => JSON.stringify({ serverContent: { modelTurn: { parts } } })
const text = (words: string) => turn([{ text: words }])
const content = (fields: object) => JSON.stringify({ serverContent: fields })
const READY = ['open', '{"setupComplete":{}}']
const OVER = content({ turnComplete: true })
const sound = { mimeType: 'audio/pcm;rate=24000', data: Buffer.alloc(960).toString('base64') }
const calls = ['Paris', 'Rome'].map((city, index) => ({
  id: `call-${index + 1}`,
  name: 'get_weather',
  args: { city },
}))

/** What each scenario shows. */
const SEEN: Readonly<Record<keyof typeof LIVE_SCENARIOS, readonly string[]>> = {
  'a turn of text': [...READY, text('Ray'), text('leigh.'), OVER, 'close 1005'],
  'a turn of sound': [
    ...READY,
    content({ inputTranscription: { text: 'Hello' } }),
    turn([{ inlineData: sound }]),
    content({ outputTranscription: { text: 'Hello to you.' } }),
    OVER,
    'close 1005',
  ],
  'a turn with two calls': [
    ...READY,
    JSON.stringify({ toolCall: { functionCalls: calls } }),
    text('In Rome.'),
    OVER,
    'close 1005',
  ],
  'a session that is resumed': [
    ...READY,
    text('Hello Ada.'),
    OVER,
    JSON.stringify({ sessionResumptionUpdate: { newHandle: 'session-handle-1', resumable: true } }),
    '{"goAway":{"timeLeft":"10s"}}',
    'close 1005',
    ...READY,
    text('Ada.'),
    OVER,
    'close 1005',
  ],
  'a close in mid-turn': [...READY, text('On and'), 'close 1011 Internal error encountered.'],
}

const scenarios = (Object.keys(LIVE_SCENARIOS) as (keyof typeof LIVE_SCENARIOS)[]).map(name => ({
  name,
  scenario: LIVE_SCENARIOS[name] satisfies LiveScenario,
}))

describe.each(Object.entries(SDKS))('%s', (_, sdk) => {
  it.each(scenarios)('has $name, message by message', async ({ name, scenario }) => {
    await using replaying = await startReplaying(LIVE_CASSETTES[name])
    expect(await scenario(sdk, replaying.server.url)).toEqual(SEEN[name])
    expect(await replaying.server.close()).toMatchObject({ failures: [], leftovers: [], notes: [] })
  })

  it.each([
    { code: 1000, reason: '' },
    { code: 1007, reason: 'Request contains an invalid argument.' },
    { code: 1008, reason: 'models/x is not found for API version v1beta' },
    { code: 1011, reason: 'Internal error encountered.' },
    { code: undefined, reason: '' },
  ])('is told of a close with $code and its reason', async ({ code, reason }) => {
    await using replaying = await startReplaying(closedWith(code, reason))
    const seen = await LIVE_SCENARIOS['a close in mid-turn'](sdk, replaying.server.vertexUrl)
    expect(seen).toEqual([...READY, text('On and'), `close ${code ?? 1005} ${reason}`.trimEnd()])
    expect(await replaying.server.close()).toMatchObject({ failures: [], leftovers: [] })
  })
})
