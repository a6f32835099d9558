/** The apps that the shipped Live cassettes answer: what each says with the official SDK, and what it gets to hear. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  Modality,
  Type,
  type FunctionDeclaration,
  type FunctionResponse,
  type LiveConnectConfig,
  type LiveServerMessage,
  type Session,
} from '@google/genai'
import { clientAt, type Reach } from './reach.ts'

/** Runs an app, and returns all that it heard, one list for each of its sockets. */
export type LiveClient = (reach: Reach) => Promise<readonly (readonly unknown[])[]>

const TEXT_MODEL = 'gemini-live-2.5-flash-preview'
const SOUND_MODEL = 'gemini-2.5-flash-native-audio-preview-12-2025'
const TEXT: LiveConnectConfig = { responseModalities: [Modality.TEXT] }
/** 100 ms of what a microphone gives: 16-bit mono at 16 kHz. */
const PIECE_BYTES = 3_200

const GET_TIDE: FunctionDeclaration = {
  name: 'get_tide',
  description: 'The next high tide at a harbour.',
  parameters: {
    type: Type.OBJECT,
    properties: { harbour: { type: Type.STRING } },
    required: ['harbour'],
  },
}
const WITH_TIDES: LiveConnectConfig = { ...TEXT, tools: [{ functionDeclarations: [GET_TIDE] }] }

/** What the app's own tool finds out. */
const TIDES: Readonly<Record<string, Record<string, unknown>>> = {
  Whitby: { time: '16:42', height_m: 5.4 },
  Scarborough: { time: '16:58', height_m: 5.6 },
}

/** One socket of an app. */
interface Talk {
  readonly session: Session
  /** All that came so far; the close is its last. */
  readonly heard: readonly unknown[]
  /** Says a whole turn. */
  readonly say: (text: string) => void
  /** The first message from here on for which this holds. Rejects where the socket closes first. */
  readonly until: (holds: (message: LiveServerMessage) => boolean) => Promise<LiveServerMessage>
  /** Settles when the socket is closed. */
  readonly closed: Promise<void>
}

async function open(reach: Reach, model: string, config: LiveConnectConfig): Promise<Talk> {
  const ai = clientAt(reach, {}, { apiVersion: 'v1beta' })
  const heard: unknown[] = []
  const inbox: (LiveServerMessage | undefined)[] = []
  let wake = (): void => undefined
  const { promise: closed, settle } = latch()
  const session = await ai.live.connect({
    model,
    config,
    callbacks: {
      onmessage: message => {
        // Without the prototype that the SDK gives it, it is the JSON that came.
        heard.push(JSON.parse(JSON.stringify(message)))
        inbox.push(message)
        wake()
      },
      onclose: ({ code, reason }) => {
        heard.push({ closed: { code, reason } })
        inbox.push(undefined)
        wake()
        settle()
      },
    },
  })
  return {
    session,
    heard,
    closed,
    say: text => {
      session.sendClientContent({ turns: [{ role: 'user', parts: [{ text }] }], turnComplete: true })
    },
    until: async holds => {
      for (;;) {
        while (inbox.length === 0) await new Promise<void>(resolved => (wake = resolved))
        const message = inbox.shift()
        if (message === undefined) throw new Error('the socket closed before what was waited for')
        if (holds(message)) return message
      }
    },
  }
}

function latch(): { readonly promise: Promise<void>; readonly settle: () => void } {
  let settle = (): void => undefined
  const promise = new Promise<void>(resolved => (settle = resolved))
  return { promise, settle: () => settle() }
}

const isSaid = (message: LiveServerMessage): boolean => message.serverContent?.modelTurn !== undefined
const isDone = (message: LiveServerMessage): boolean => message.serverContent?.turnComplete === true
const isCall = (message: LiveServerMessage): boolean => message.toolCall !== undefined
const isUpdate = (message: LiveServerMessage): boolean =>
  message.sessionResumptionUpdate?.newHandle !== undefined
const isGoodbye = (message: LiveServerMessage): boolean => message.goAway !== undefined

/** Runs one socket: the app closes it, unless the service has. */
async function talk(
  reach: Reach,
  model: string,
  config: LiveConnectConfig,
  conversation: (talk: Talk) => Promise<void>,
): Promise<readonly unknown[]> {
  const one = await open(reach, model, config)
  await conversation(one)
  one.session.close()
  await one.closed
  return one.heard
}

function answers(message: LiveServerMessage): FunctionResponse[] {
  return (message.toolCall?.functionCalls ?? []).map(({ id = '', name = '', args }) => ({
    id,
    name,
    response: TIDES[String(args?.['harbour'])] ?? {},
  }))
}

/** Asks one question of a service that hangs up in the middle of its answer. */
function hungUpOn(question: string): LiveClient {
  return async reach => [
    await talk(reach, TEXT_MODEL, TEXT, async ({ say, closed }) => {
      say(question)
      await closed
    }),
  ]
}

/** Each by the name of its cassette. */
export const LIVE_CLIENTS: Readonly<Record<string, LiveClient>> = {
  'live-text-turn': async reach => [
    await talk(reach, TEXT_MODEL, { ...TEXT, temperature: 0.5 }, async ({ say, until }) => {
      say('Who kept the light at Flamborough?')
      await until(isDone)
    }),
  ],

  'live-interrupted-text': async reach => [
    await talk(reach, TEXT_MODEL, TEXT, async ({ say, until }) => {
      say('Tell me the history of the lighthouse at Flamborough Head.')
      await until(isSaid)
      say('Stop. Just the year it was lit.')
      await until(isDone)
      await until(isDone)
    }),
  ],

  'live-interrupted-thought': async reach => [
    await talk(
      reach,
      TEXT_MODEL,
      { ...TEXT, thinkingConfig: { includeThoughts: true } },
      async ({ say, until }) => {
        say('Plan me a walk from Whitby to Scarborough.')
        await until(isSaid)
        say('Wait, from Whitby to Staithes.')
        await until(isDone)
        await until(isDone)
      },
    ),
  ],

  'live-tool-call': async reach => [
    await talk(reach, TEXT_MODEL, WITH_TIDES, async ({ session, say, until }) => {
      say('When is high tide in Whitby?')
      session.sendToolResponse({ functionResponses: answers(await until(isCall)) })
      await until(isDone)
    }),
  ],

  'live-parallel-calls': async reach => [
    await talk(reach, TEXT_MODEL, WITH_TIDES, async ({ session, say, until }) => {
      say('Is high tide earlier in Whitby or in Scarborough?')
      session.sendToolResponse({ functionResponses: answers(await until(isCall)) })
      await until(isDone)
    }),
  ],

  'live-cancelled-call': async reach => [
    await talk(reach, TEXT_MODEL, WITH_TIDES, async ({ say, until }) => {
      say('When is high tide in Whitby?')
      await until(isCall)
      // The tool is still at work.
      say('Never mind. Where does the ferry to Heligoland sail from?')
      await until(isDone)
      await until(isDone)
    }),
  ],

  'live-audio-turn': async reach => {
    const config: LiveConnectConfig = {
      responseModalities: [Modality.AUDIO],
      inputAudioTranscription: {},
      outputAudioTranscription: {},
    }
    const file = resolve(import.meta.dirname, '../../cassettes/live-audio-turn.cassette.blobs/1-client.pcm')
    const sound = readFileSync(file)
    return [
      await talk(reach, SOUND_MODEL, config, async ({ session, until }) => {
        for (let from = 0; from < sound.length; from += PIECE_BYTES) {
          const data = sound.subarray(from, from + PIECE_BYTES).toString('base64')
          session.sendRealtimeInput({ audio: { data, mimeType: 'audio/pcm;rate=16000' } })
        }
        session.sendRealtimeInput({ audioStreamEnd: true })
        await until(isDone)
      }),
    ]
  },

  'live-resumed-session': async reach => {
    let handle: string | undefined
    const first = await talk(
      reach,
      TEXT_MODEL,
      { ...TEXT, sessionResumption: {} },
      async ({ say, until }) => {
        say('My boat is called Kittiwake. Remember that.')
        const update = await until(isUpdate)
        handle = update.sessionResumptionUpdate?.newHandle
        await until(isGoodbye)
      },
    )
    const resumed: LiveConnectConfig = { ...TEXT, sessionResumption: { handle: handle ?? '' } }
    const second = await talk(reach, TEXT_MODEL, resumed, async ({ say, until }) => {
      say('What is my boat called?')
      await until(isDone)
      await until(isUpdate)
    })
    return [first, second]
  },

  'live-close-1000': hungUpOn('Read me the shipping forecast.'),
  'live-close-1007': hungUpOn('Which sea areas touch Norway?'),
  'live-close-1008': async reach => [
    await talk(reach, TEXT_MODEL, WITH_TIDES, async ({ session, say, until, closed }) => {
      say('When is high tide in Whitby?')
      session.sendToolResponse({ functionResponses: answers(await until(isCall)) })
      await closed
    }),
  ],
  'live-close-1011': hungUpOn('Where does the North Sea end?'),

  'live-unknown-message': async reach => [
    await talk(reach, TEXT_MODEL, TEXT, async ({ say, until }) => {
      say('What does a fog horn sound like?')
      await until(isDone)
    }),
  ],
}
