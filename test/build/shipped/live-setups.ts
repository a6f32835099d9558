/** What the cases of Live have in common: how a session is set up, what is in it, and the one after it. */
import {
  call,
  cassette,
  client,
  media,
  model,
  part,
  result,
  server,
  user,
  type CallItem,
  type CassetteBuilder,
  type FunctionResult,
  type LiveItem,
  type LiveLine,
  type MediaItem,
  type PartItem,
  type Turn,
} from '../../../src/build/entry.ts'
import { decodeBase64 } from '../../../src/wire/base64.ts'

const BRIEF = { systemInstruction: user('Be brief.') }

/** The fields of a setup. */
type Setup = Readonly<Record<string, unknown>>

/** A session in texts. */
export const TEXT: Setup = {
  model: 'models/gemini-live-2.5-flash-preview',
  generationConfig: { responseModalities: ['TEXT'] },
  ...BRIEF,
}

/** A session in sound, with what both sides say written down. */
export const AUDIO: Setup = {
  ...TEXT,
  generationConfig: { responseModalities: ['AUDIO'] },
  inputAudioTranscription: {},
  outputAudioTranscription: {},
}

/** A session with a tool. */
export const WITH_WEATHER: Setup = {
  ...TEXT,
  tools: [
    {
      functionDeclarations: [
        {
          name: 'get_weather',
          description: 'The weather in a city.',
          parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
        },
      ],
    },
  ],
}

/** Sixty samples of a tone. */
export const TONE: Uint8Array =
  decodeBase64(
    'QABVAGcAdQB9AH8AeQBuAF0ASQA0ACAAEAAFAAEABAANABwALgBDAFgAaQB3AH4AfgB4AGsAWgBGADEAHgAOAAQAAQAFAA8AHgAxAEYAWgBsAHgAfgB+AHYAaQBXAEMALgAbAAwAAwABAAYAEQAhADUASQBdAG4A',
  ) ?? new Uint8Array()

/** The tone as the model says it. */
export const tone: MediaItem = media('audio/pcm;rate=24000', TONE)

/** A call of the tool. */
export const weather = (city: string, id: string): CallItem =>
  call('get_weather', { city }, { id, keys: 'id-first' })

/** What the tool gives. */
export const clear = (id: string): FunctionResult => result('get_weather', { sky: 'clear' }, { id })

/** Code that the model has run. */
export const SUMMING: readonly PartItem[] = [
  part({ executableCode: { language: 'PYTHON', code: 'print(1 + 1)' } }),
  part({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2\n' } }),
]

/** The end of a turn, after which the app hangs up. */
export const ends: readonly LiveLine[] = [server.turnComplete(), client.closes()]

/** What the service says on the connection after the case. */
export const answer: readonly LiveItem[] = [server.says('Any time.'), ...ends]

/** The address of all cases. */
export const base = 'https://generativelanguage.googleapis.com/v1alpha'

/** Each runtime sets up a session in words of its own. */
export const ROUTE = { match: 'route' } as const

/** A connection that the runtime opens by itself. */
export interface Resumed {
  /** What is said after the setup. */
  readonly says: readonly LiveItem[]
  /** The handle that it resumes by. */
  readonly handle?: string
  readonly repeat?: 'always'
  readonly ready?: 'never'
}

/** A case: what is said, and what comes of it. */
export interface Case {
  readonly setup?: object
  /** What the user says first; `Greet me.` unless given. */
  readonly asks?: readonly LiveItem[]
  readonly says: readonly LiveItem[]
  readonly ready?: 'never'
  /** The connections that the runtime opens by itself. */
  readonly resumed?: readonly Resumed[]
  /** What a right client has stored of it besides the question, and sends on the app's next connection; none: there is no next one. */
  readonly stored?: readonly Turn[]
}

/** The first handle of a session, and what the service says to give it. */
export const HANDLE = 'redacted-session-handle-1'

/** A case, built. */
export function built({
  setup = TEXT,
  asks = [client.says('Greet me.')],
  says,
  ready,
  resumed = [],
  stored,
}: Case): () => CassetteBuilder {
  return () => {
    const first = cassette({ base }).live(setup, [...asks, ...says], { ...ROUTE, ready })
    const last = resumed.reduce((tape, one) => {
      const { handle = HANDLE, repeat } = one
      return tape.live({ ...setup, sessionResumption: { handle } }, one.says, {
        ...ROUTE,
        repeat,
        ready: one.ready,
      })
    }, first)
    if (stored === undefined) return last
    const thanks = [client.recalls(user('Greet me.'), ...stored), client.says('Thanks.'), ...answer]
    return last.live(setup, thanks, ROUTE)
  }
}

/** What the model said, stored whole. */
export const HELLO: readonly Turn[] = [model('Hello')]
