/** The cases of what a Live turn is made of: its texts, its sound, its marks, and what comes in between. */
import {
  client,
  model,
  server,
  text,
  thought,
  together,
  user,
  type CassetteBuilder,
} from '../../../src/build/entry.ts'
import { AUDIO, built, ends, HANDLE, HELLO, TEXT, TONE, tone, type Case } from './live-setups.ts'

const said = { stored: HELLO }
/** What a client sends of these on the next connection is not said: it may keep transcriptions, or not. */
const spoken = { setup: AUDIO, asks: [client.audio(TONE)] }
const andYou = client.says('And you?')
const well = [server.says('I am well.'), ...ends]
const TWO_TURNS = [...HELLO, user('And you?'), model('I am well.')]
const counts = { promptTokenCount: 12, responseTokenCount: 2, totalTokenCount: 14 }
const allCounts = { promptTokenCount: 12, responseTokenCount: 4, totalTokenCount: 16 }

const CASES: Readonly<Record<string, Case>> = {
  'two-turns': {
    says: [server.says('Hel', 'lo'), server.turnComplete(), andYou, ...well],
    stored: TWO_TURNS,
  },
  'turn-after-interruption': {
    says: [server.says('Hel'), server.interrupted(), server.turnComplete(), andYou, ...well],
    stored: [model('Hel'), user('And you?'), model('I am well.')],
  },
  'stale-interruption': {
    says: [
      server.says('Hello'),
      server.turnComplete(),
      andYou,
      server.interrupted(),
      server.turnComplete(),
      ...well,
    ],
    stored: TWO_TURNS,
  },
  'content-after-turn-complete': {
    says: [server.says('Hello'), server.turnComplete(), server.says('Are you there?'), ...ends],
    stored: [...HELLO, model('Are you there?')],
  },
  'empty-turn': { says: [...ends], stored: [] },
  'rejected-turn': {
    says: [
      server.content({ turnComplete: true, turnCompleteReason: 'MALFORMED_FUNCTION_CALL' }),
      client.closes(),
    ],
    stored: [],
  },
  'generation-complete': {
    says: [server.says('Hel', 'lo'), ...server.completes(), client.closes()],
    ...said,
  },
  'interrupted-after-generation-complete': {
    says: [
      server.says('Hel', 'lo'),
      server.content({ generationComplete: true }),
      server.interrupted(),
      ...ends,
    ],
    ...said,
  },

  'two-texts-in-one-message': {
    says: [server.says([text('Hel'), text('lo')], '!'), ...ends],
    stored: [model('Hello!')],
  },
  'thought-and-text-in-one-message': {
    says: [server.says([thought('A greeting.'), text('Hel')], 'lo'), ...ends],
    ...said,
  },
  'turn-complete-with-audio': {
    setup: AUDIO,
    says: [server.says(tone), together(server.says(tone), server.turnComplete()), client.closes()],
    stored: [],
  },
  'interrupted-with-audio': {
    setup: AUDIO,
    says: [server.says(tone), together(server.says(tone), server.interrupted()), ...ends],
    stored: [],
  },

  'transcription-in-pieces': {
    ...spoken,
    says: [
      ...server.hears('Greet', ' me.'),
      together(server.says(tone), server.transcribes('Hel')),
      server.transcribes('lo'),
      ...server.completes(),
      client.closes(),
    ],
  },
  'transcription-finished': {
    ...spoken,
    says: [
      ...server.hears('Greet', ' me.'),
      server.content({ inputTranscription: { finished: true } }),
      server.says(tone),
      ...server.transcribes('Hel', 'lo'),
      server.content({ outputTranscription: { finished: true } }),
      ...ends,
    ],
  },
  'transcription-with-turn-complete': {
    ...spoken,
    says: [
      ...server.hears('Greet me.'),
      together(server.says(tone), server.transcribes('Hel')),
      together(server.transcribes('lo'), server.turnComplete()),
      client.closes(),
    ],
  },
  'question-transcribed-late': {
    ...spoken,
    says: [
      together(server.says(tone), server.transcribes('Hello')),
      ...server.hears('Greet me.'),
      ...server.completes(),
      client.closes(),
    ],
  },

  'resumption-update-in-mid-turn': {
    setup: { ...TEXT, sessionResumption: {} },
    says: [server.says('Hel'), server.resumption(HANDLE), server.says('lo'), ...ends],
  },
  'voice-activity-in-mid-turn': {
    ...spoken,
    says: [
      server.sends({ voiceActivity: { voiceActivityType: 'ACTIVITY_START' } }),
      server.sends({ voiceActivity: { voiceActivityType: 'ACTIVITY_END' } }),
      ...server.hears('Greet me.'),
      together(server.says(tone), server.transcribes('Hel')),
      server.sends({ voiceActivity: { voiceActivityType: 'ACTIVITY_START' } }),
      server.transcribes('lo'),
      ...server.completes(),
      client.closes(),
    ],
  },
  'usage-in-mid-turn': {
    says: [
      server.says('Hel'),
      server.usage(counts),
      server.says('lo'),
      server.turnComplete(),
      server.usage(allCounts),
      client.closes(),
    ],
    ...said,
  },
  'usage-with-content': {
    says: [
      together(server.says('Hel'), server.usage(counts)),
      server.says('lo'),
      server.turnComplete(allCounts),
      client.closes(),
    ],
    ...said,
  },
}

export const LIVE_TURNS: Readonly<Record<string, () => CassetteBuilder>> = Object.fromEntries(
  Object.entries(CASES).map(([name, one]) => [`cases/live-${name}`, built(one)]),
)
