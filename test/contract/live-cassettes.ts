/** The recordings that `live-transcripts.ts` is replayed from, in YAML. */
import { tape } from '../serve/replaying.ts'
import { type LiveName, MODEL } from './live-transcripts.ts'

const URL =
  'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** One socket: its messages in YAML, one a line. */
export function socket(messages: readonly string[], end = 'end: {}'): string {
  const lines = messages.map(message => `  - ${message}\n`).join('')
  return `exchange: live\nrequest: { url: ${URL} }\nmessages:\n${lines}${end}\n`
}

/** A request for a socket that was refused, or never answered. */
export function refused(rest: string): string {
  return `exchange: live\nrequest: { url: ${URL} }\n${rest}`
}

/** The first message of the client; `rest` goes on behind the model, in YAML. */
export function setup(rest = ''): string {
  return `client: { setup: { model: models/${MODEL}${rest === '' ? '' : `, ${rest}`} } }`
}

export const READY = 'server: { setupComplete: {} }'
export const OVER = 'server: { serverContent: { turnComplete: true } }'
const TEXT = 'generationConfig: { responseModalities: [TEXT] }'
const BYE = 'close: { by: client }'

export function asks(text: string): string {
  return `client: { clientContent: { turns: [{ parts: [{ text: ${text} }], role: user }], turnComplete: true } }`
}

export function says(text: string): string {
  return `server: { serverContent: { modelTurn: { parts: [{ text: ${text} }] } } }`
}

/** A reply that breaks off and a close; undefined: without a code. */
export function closedWith(code: number | undefined, reason = ''): string {
  const words = [
    'by: server',
    ...(code === undefined ? [] : [`code: ${code}`]),
    ...(reason === '' ? [] : [`reason: "${reason}"`]),
  ]
  return tape(
    socket([setup(), READY, asks('Go on for ever.'), says('On and'), `close: { ${words.join(', ')} }`]),
  )
}

const SOUND = `'${Buffer.alloc(960).toString('base64')}'`
const HEARS = `client: { realtimeInput: { audio: { data: '${Buffer.alloc(6_400).toString('base64')}', mimeType: audio/pcm;rate=16000 } } }`
const HEARD = 'server: { serverContent: { inputTranscription: { text: Hello } } }'

/** One cassette for each scenario. */
export const LIVE_CASSETTES: Readonly<Record<LiveName, string>> = {
  'a turn of text': tape(
    socket([setup(TEXT), READY, asks('Why is the sky blue?'), says('Ray'), says('leigh.'), OVER, BYE]),
  ),
  'a turn of sound': tape(
    socket([
      setup(
        'generationConfig: { responseModalities: [AUDIO] }, inputAudioTranscription: {}, outputAudioTranscription: {}',
      ),
      READY,
      HEARS,
      HEARS,
      HEARD,
      'client: { realtimeInput: { audioStreamEnd: true } }',
      `server: { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: audio/pcm;rate=24000, data: ${SOUND} } }] } } }`,
      'server: { serverContent: { outputTranscription: { text: Hello to you. } } }',
      OVER,
      BYE,
    ]),
  ),
  'a turn with two calls': tape(
    socket([
      setup(
        `${TEXT}, tools: [{ functionDeclarations: [{ name: get_weather, parameters: { type: OBJECT } }] }]`,
      ),
      READY,
      asks('Is it warmer in Paris or in Rome?'),
      'server: { toolCall: { functionCalls: [{ id: call-1, name: get_weather, args: { city: Paris } }, { id: call-2, name: get_weather, args: { city: Rome } }] } }',
      'client: { toolResponse: { functionResponses: [{ id: call-2, name: get_weather, response: { of: call-2 } }] } }',
      'client: { toolResponse: { functionResponses: [{ id: call-1, name: get_weather, response: { of: call-1 } }] } }',
      says('In Rome.'),
      OVER,
      BYE,
    ]),
  ),
  'a session that is resumed': tape(
    socket([
      setup('sessionResumption: {}'),
      READY,
      asks('My name is Ada.'),
      says('Hello Ada.'),
      OVER,
      'server: { sessionResumptionUpdate: { newHandle: session-handle-1, resumable: true } }',
      'server: { goAway: { timeLeft: 10s } }',
      BYE,
    ]),
    socket([
      setup('sessionResumption: { handle: session-handle-1 }'),
      READY,
      asks('What is my name?'),
      says('Ada.'),
      OVER,
      BYE,
    ]),
  ),
  'a close in mid-turn': closedWith(1011, 'Internal error encountered.'),
}
