/**
 * What an app does with a Live session of the official SDK, and what it gets to see: messages, closes, errors.
 *
 * It goes by what it sees, never by time, so that a recording and its replay must show it the same. It runs in
 * browsers too.
 */
import type * as genai from '@google/genai'

/** The official SDK, in whatever version. */
export type LiveSdk = Pick<typeof genai, 'GoogleGenAI' | 'Modality' | 'Type'>

/** Runs against a base URL and returns everything that the app could see, in order. */
export type LiveScenario = (sdk: LiveSdk, baseUrl: string) => Promise<readonly string[]>

/** A session that has been asked for, whether or not it comes. */
export interface LiveApp {
  /** `open`, a message as JSON, `error …`, `close CODE REASON`, in the order in which they came. */
  readonly seen: readonly string[]
  /** As the SDK gives it. */
  readonly session: Promise<genai.Session>
  /** Waits until something with these words was seen, so often. */
  readonly until: (words: string, times?: number) => Promise<void>
}

export const MODEL = 'gemini-live-2.5-flash-preview'

/** Asks for a session. */
export function startLive(sdk: LiveSdk, baseUrl: string, config: genai.LiveConnectConfig = {}): LiveApp {
  const ai = new sdk.GoogleGenAI({ apiKey: 'a-key-of-no-account', httpOptions: { baseUrl } })
  const seen: string[] = []
  const waiting = new Set<() => void>()
  const saw = (text: string): void => {
    seen.push(text)
    waiting.forEach(check => check())
  }
  const session = ai.live.connect({
    model: MODEL,
    config,
    callbacks: {
      onopen: () => saw('open'),
      onmessage: message => saw(JSON.stringify(message)),
      onerror: ({ message }) => saw(`error ${message}`),
      onclose: ({ code, reason }) => saw(`close ${code} ${reason}`.trimEnd()),
    },
  })
  return {
    seen,
    session,
    until: (words, times = 1) =>
      new Promise(resolve => {
        const check = (): void => {
          if (seen.filter(text => text.includes(words)).length < times) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

/** 100 ms of silence, as a microphone gives it. */
const SILENCE = `${'A'.repeat(4_264)}AAA=`

async function textTurn(sdk: LiveSdk, baseUrl: string): Promise<readonly string[]> {
  const { seen, session, until } = startLive(sdk, baseUrl, { responseModalities: [sdk.Modality.TEXT] })
  const live = await session
  live.sendClientContent({ turns: 'Why is the sky blue?' })
  await until('turnComplete')
  live.close()
  await until('close ')
  return seen
}

async function soundTurn(sdk: LiveSdk, baseUrl: string): Promise<readonly string[]> {
  const { seen, session, until } = startLive(sdk, baseUrl, {
    responseModalities: [sdk.Modality.AUDIO],
    inputAudioTranscription: {},
    outputAudioTranscription: {},
  })
  const live = await session
  for (let piece = 0; piece < 5; piece += 1) {
    live.sendRealtimeInput({ audio: { data: SILENCE, mimeType: 'audio/pcm;rate=16000' } })
  }
  await until('inputTranscription')
  live.sendRealtimeInput({ audioStreamEnd: true })
  await until('turnComplete')
  live.close()
  await until('close ')
  return seen
}

async function toolTurn(sdk: LiveSdk, baseUrl: string): Promise<readonly string[]> {
  const { seen, session, until } = startLive(sdk, baseUrl, {
    responseModalities: [sdk.Modality.TEXT],
    tools: [{ functionDeclarations: [{ name: 'get_weather', parameters: { type: sdk.Type.OBJECT } }] }],
  })
  const live = await session
  live.sendClientContent({ turns: 'Is it warmer in Paris or in Rome?' })
  await until('toolCall')
  live.sendToolResponse({
    functionResponses: ['call-1', 'call-2'].map(id => ({ id, name: 'get_weather', response: { of: id } })),
  })
  await until('turnComplete')
  live.close()
  await until('close ')
  return seen
}

async function resumedSession(sdk: LiveSdk, baseUrl: string): Promise<readonly string[]> {
  const first = startLive(sdk, baseUrl, { sessionResumption: {} })
  const begun = await first.session
  begun.sendClientContent({ turns: 'My name is Ada.' })
  await first.until('goAway')
  begun.close()
  await first.until('close ')
  const update = first.seen.find(text => text.includes('newHandle')) ?? ''
  const handle = /"newHandle":"([^"]*)"/.exec(update)?.[1] ?? 'none'
  const second = startLive(sdk, baseUrl, { sessionResumption: { handle } })
  const resumed = await second.session
  resumed.sendClientContent({ turns: 'What is my name?' })
  await second.until('turnComplete')
  resumed.close()
  await second.until('close ')
  return [...first.seen, ...second.seen]
}

/** The service closes in mid-turn. */
async function closedTurn(sdk: LiveSdk, baseUrl: string): Promise<readonly string[]> {
  const { seen, session, until } = startLive(sdk, baseUrl)
  const live = await session
  live.sendClientContent({ turns: 'Go on for ever.' })
  await until('close ')
  return seen
}

/** The name of a scenario. */
export type LiveName =
  | 'a turn of text'
  | 'a turn of sound'
  | 'a turn with two calls'
  | 'a session that is resumed'
  | 'a close in mid-turn'

/** What apps do with Live, by name. */
export const LIVE_SCENARIOS: Readonly<Record<LiveName, LiveScenario>> = {
  'a turn of text': textTurn,
  'a turn of sound': soundTurn,
  'a turn with two calls': toolTurn,
  'a session that is resumed': resumedSession,
  'a close in mid-turn': closedTurn,
}

/** All of them. */
export const LIVE_NAMES: readonly LiveName[] = Object.keys(LIVE_SCENARIOS) as LiveName[]
