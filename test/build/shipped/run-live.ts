/** The cassettes of the runLive case, built: each a session, and the one after it with what was stored of the first. */
import {
  cassette,
  client,
  model,
  server,
  text,
  together,
  user,
  type CassetteBuilder,
} from '../../../src/build/entry.ts'
import {
  answer,
  AUDIO,
  base,
  built,
  clear,
  ends,
  HELLO,
  ROUTE,
  SUMMING,
  tone,
  weather,
  WITH_WEATHER,
  type Case,
} from './live-setups.ts'

const CALLS = [weather('Paris', 'f1'), weather('Rome', 'f2')]
const GAVE = ['f1', 'f2'].map(clear)

const closed = (code: number, reason?: string): Case => ({
  says: [server.says('Hel', 'lo'), server.closes(code, reason)],
})

const CASES: Readonly<Record<string, Case>> = {
  'two-chunks': { says: [server.says('Hel', 'lo'), ...ends] },
  'two-chunks-with-roles': {
    says: [
      server.content({ modelTurn: { role: 'model', parts: [{ text: 'Hel' }] } }),
      server.content({ modelTurn: { role: 'model', parts: [{ text: 'lo' }] } }),
      ...ends,
    ],
  },
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
  ...Object.fromEntries(
    Object.entries(CASES).map(([name, one]) => [`cases/run-live-${name}`, built({ stored: HELLO, ...one })]),
  ),

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
