/** The cassettes of the runLive case, built: each a session, and the one after it with what was stored of the first. */
import {
  call,
  cassette,
  client,
  model,
  part,
  result,
  server,
  text,
  together,
  user,
  media,
  type CassetteBuilder,
  type Turn,
  type LiveItem,
} from '../../../src/build/entry.ts'
import { decodeBase64 } from '../../../src/wire/base64.ts'

const base = 'https://generativelanguage.googleapis.com/v1alpha'
const BRIEF = { systemInstruction: user('Be brief.') }
const TEXT = {
  model: 'models/gemini-live-2.5-flash-preview',
  generationConfig: { responseModalities: ['TEXT'] },
  ...BRIEF,
}
const AUDIO = {
  ...TEXT,
  generationConfig: { responseModalities: ['AUDIO'] },
  inputAudioTranscription: {},
  outputAudioTranscription: {},
}
const WITH_WEATHER = {
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
const TONE =
  decodeBase64(
    'QABVAGcAdQB9AH8AeQBuAF0ASQA0ACAAEAAFAAEABAANABwALgBDAFgAaQB3AH4AfgB4AGsAWgBGADEAHgAOAAQAAQAFAA8AHgAxAEYAWgBsAHgAfgB+AHYAaQBXAEMALgAbAAwAAwABAAYAEQAhADUASQBdAG4A',
  ) ?? new Uint8Array()
const tone = media('audio/pcm;rate=24000', TONE)

const weather = (city: string, id: string) => call('get_weather', { city }, { id, keys: 'id-first' })
const CALLS = [weather('Paris', 'f1'), weather('Rome', 'f2')]
const GAVE = ['f1', 'f2'].map(id => result('get_weather', { sky: 'clear' }, { id }))
const SUMMING = [
  part({ executableCode: { language: 'PYTHON', code: 'print(1 + 1)' } }),
  part({ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2\n' } }),
]

/** A case: what is said, and what a right client has stored of it besides the question. */
interface Case {
  readonly setup?: object
  readonly says: readonly LiveItem[]
  readonly stored?: readonly Turn[]
}

const ROUTE = { match: 'route' } as const
const ends = [server.turnComplete(), client.closes()]
const answer = [server.says('Any time.'), ...ends]

function built({ setup = TEXT, says, stored = [model('Hello')] }: Case): () => CassetteBuilder {
  const thanks = [client.recalls(user('Greet me.'), ...stored), client.says('Thanks.'), ...answer]
  return () =>
    cassette({ base })
      .live(setup, [client.says('Greet me.'), ...says], ROUTE)
      .live(setup, thanks, ROUTE)
}

const closed = (code: number, reason?: string): Case => ({
  says: [server.says('Hel', 'lo'), server.closes(code, reason)],
})

const CASES: Readonly<Record<string, Case>> = {
  'two-chunks': { says: [server.says('Hel', 'lo'), ...ends] },
  'empty-text': { says: [server.says('Hel', '', 'lo'), ...ends] },
  'turn-complete-false': {
    says: [
      together(server.says('Hel'), server.content({ turnComplete: false })),
      together(server.says('lo'), server.content({ turnComplete: false })),
      ...ends,
    ],
  },
  'text-with-turn-complete': {
    says: [server.says('Hel'), together(server.says('lo'), server.turnComplete()), client.closes()],
  },
  'text-with-interrupted': {
    says: [server.says('Hel'), together(server.says('lo'), server.interrupted()), ...ends],
  },
  'text-with-transcription': {
    setup: AUDIO,
    says: [
      together(server.says('Hel'), server.transcribes('Hel')),
      together(server.says('lo'), server.transcribes('lo')),
      ...ends,
    ],
  },
  'text-with-input-transcription': {
    setup: AUDIO,
    says: [together(server.says('Hel'), server.hears('Greet me.')), server.says('lo'), ...ends],
  },
  'text-with-audio': { setup: AUDIO, says: [server.says([text('Hel'), tone], 'lo'), ...ends] },
  'text-with-code': {
    says: [server.says('Adding. ', ...SUMMING, 'Two.'), ...ends],
    stored: [model('Adding. ', ...SUMMING, 'Two.')],
  },
  'thought-then-text': { says: [server.thinks('A greeting.'), server.says('Hello'), ...ends] },
  // What no runtime knows is spelled out: it is what this cassette is about.
  'unknown-message': {
    says: [
      server.says('Hel'),
      server.sends({ pacingHint: { wordsPerMinute: 140 } }),
      server.sends({}),
      server.says('lo'),
      ...ends,
    ],
  },
  interrupted: { says: [server.says('Hel'), server.interrupted(), ...ends], stored: [model('Hel')] },
  'interrupted-and-complete': {
    says: [server.says('Hel'), together(server.interrupted(), server.turnComplete()), client.closes()],
    stored: [model('Hel')],
  },
  'interrupted-with-nothing-pending': { says: [server.interrupted(), ...ends], stored: [] },
  'interrupted-thought': {
    says: [
      server.thinks('The user wants ', 'a greeting, ', 'so I look for ', 'a warm one'),
      server.interrupted(),
      server.turnComplete(),
      server.usage({ promptTokenCount: 12, totalTokenCount: 29, thoughtsTokenCount: 17 }),
      client.closes(),
    ],
    stored: [],
  },
  'interrupted-audio': {
    setup: AUDIO,
    says: [server.says(tone, tone), server.interrupted(), ...ends],
    stored: [],
  },
  'interrupted-transcription': {
    setup: AUDIO,
    says: [
      together(server.says(tone), server.transcribes('Hel')),
      server.transcribes('lo the'),
      server.interrupted(),
      ...ends,
    ],
    stored: [],
  },
  'tool-calls': {
    setup: WITH_WEATHER,
    says: [
      server.says('Checking'),
      server.calls(...CALLS),
      client.responds(...GAVE),
      server.says('Clear in both.'),
      ...ends,
    ],
    stored: [model('Checking'), model(...CALLS), user(...GAVE), model('Clear in both.')],
  },
  'close-1000': closed(1000),
  'close-1007': closed(1007, 'Request contains an invalid argument.'),
  'close-1008': closed(1008, 'Operation is not implemented, or supported, or enabled.'),
  'close-1011': closed(1011, 'Internal error encountered.'),
}

const NEWER = { ...WITH_WEATHER, model: 'models/gemini-3.1-flash-live-preview' }

export const RUN_LIVE: Readonly<Record<string, () => CassetteBuilder>> = {
  ...Object.fromEntries(Object.entries(CASES).map(([name, one]) => [`cases/run-live-${name}`, built(one)])),

  'cases/run-live-tool-calls-gemini-3': () => {
    const { says, stored = [] } = CASES['tool-calls'] ?? { says: [] }
    const history = client.sends({
      clientContent: { turns: [user('Greet me.'), ...stored], turnComplete: true },
    })
    return cassette({ base })
      .live(NEWER, [client.writes('Greet me.'), ...says], ROUTE)
      .live(NEWER, [history, client.writes('Thanks.'), ...answer], ROUTE)
  },
}
