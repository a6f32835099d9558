/** What an app sees of the recordings in `live-cassettes.ts`. */
import type { LiveName } from './live-transcripts.ts'

const turn = (parts: readonly object[]) => JSON.stringify({ serverContent: { modelTurn: { parts } } })
/** A piece of the answer. */
export const text = (words: string): string => turn([{ text: words }])
const content = (fields: object) => JSON.stringify({ serverContent: fields })
/** A session that has begun. */
export const opened: readonly string[] = ['open', '{"setupComplete":{}}']
const OVER = content({ turnComplete: true })
const sound = { mimeType: 'audio/pcm;rate=24000', data: Buffer.alloc(960).toString('base64') }
const calls = ['Paris', 'Rome'].map((city, index) => ({
  id: `call-${index + 1}`,
  name: 'get_weather',
  args: { city },
}))

/** What each scenario of `live-transcripts.ts` shows, replayed from `live-cassettes.ts`. */
export const LIVE_SEEN: Readonly<Record<LiveName, readonly string[]>> = {
  'a turn of text': [...opened, text('Ray'), text('leigh.'), OVER, 'close 1005'],
  'a turn of sound': [
    ...opened,
    content({ inputTranscription: { text: 'Hello' } }),
    turn([{ inlineData: sound }]),
    content({ outputTranscription: { text: 'Hello to you.' } }),
    OVER,
    'close 1005',
  ],
  'a turn with two calls': [
    ...opened,
    JSON.stringify({ toolCall: { functionCalls: calls } }),
    text('In Rome.'),
    OVER,
    'close 1005',
  ],
  'a session that is resumed': [
    ...opened,
    text('Hello Ada.'),
    OVER,
    JSON.stringify({ sessionResumptionUpdate: { newHandle: 'session-handle-1', resumable: true } }),
    '{"goAway":{"timeLeft":"10s"}}',
    'close 1005',
    ...opened,
    text('Ada.'),
    OVER,
    'close 1005',
  ],
  'a close in mid-turn': [...opened, text('On and'), 'close 1011 Internal error encountered.'],
}
