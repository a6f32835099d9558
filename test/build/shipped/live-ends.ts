/** The cases of how a Live connection ends: closes, lost connections, goAway, and what comes after. */
import { client, end, server, type CassetteBuilder } from '../../../src/build/entry.ts'
import { built, ends, HANDLE, HELLO, TEXT, type Case } from './live-setups.ts'

const RESUMABLE = { ...TEXT, sessionResumption: {} }
const given = server.resumption(HANDLE)
const breaksDown = server.closes(1011, 'Internal error encountered.')
const runsOut = server.closes(1011, 'Deadline expired before operation could complete.')
const begun = [given, server.says('Good ')]
/** The turn, taken up again. */
const again = { says: [server.says('Hello'), ...ends] }

/** A setup that is answered by a close. */
function refused(code: number, reason: string): Case {
  return { asks: [], says: [server.closes(code, reason)], ready: 'never' }
}

const CASES: Readonly<Record<string, Case>> = {
  'resumed-after-1011': { setup: RESUMABLE, says: [...begun, breaksDown], resumed: [again] },
  'resumed-after-1000': {
    setup: RESUMABLE,
    says: [...begun, server.closes(1000, 'The operation was cancelled.')],
    resumed: [again],
  },
  'resumed-after-lost-connection': {
    setup: RESUMABLE,
    says: [...begun, end({ how: 'upstream-reset' })],
    resumed: [again],
  },
  'resumed-by-newest-handle': {
    setup: RESUMABLE,
    says: [given, server.says('Good '), server.resumption('redacted-session-handle-2'), breaksDown],
    resumed: [{ ...again, handle: 'redacted-session-handle-2' }],
  },
  'resumed-by-handle-after-turn': {
    setup: RESUMABLE,
    says: [
      server.says('Good day.'),
      server.turnComplete(),
      given,
      client.says('And you?'),
      server.says('I am '),
      breaksDown,
    ],
    resumed: [{ says: [server.says('All is well.'), ...ends] }],
  },
  'resumed-after-empty-update': {
    setup: RESUMABLE,
    says: [...begun, server.resumption(), breaksDown],
    resumed: [again],
  },
  'resumed-at-second-try': {
    setup: RESUMABLE,
    says: [...begun, breaksDown],
    resumed: [{ says: [breaksDown] }, again],
  },
  'closed-at-every-resumption': {
    setup: RESUMABLE,
    says: [...begun, breaksDown],
    resumed: [{ says: [breaksDown], repeat: 'always' }],
  },
  'handle-refused': {
    setup: RESUMABLE,
    says: [...begun, breaksDown],
    resumed: [{ says: [server.closes(1007, 'Request contains an invalid argument.')], ready: 'never' }],
  },
  'closed-1011-before-a-handle': {
    setup: RESUMABLE,
    says: [server.resumption(), server.says('Good '), breaksDown],
  },
  'lost-connection': { says: [server.says('Good '), end({ how: 'upstream-reset' })] },

  'go-away-in-mid-turn': {
    setup: RESUMABLE,
    says: [...begun, server.goesAway('10s'), server.says('morning.'), runsOut],
    resumed: [again],
  },
  'go-away-and-silence': {
    setup: RESUMABLE,
    says: [...begun, server.goesAway('1s'), client.closes()],
    resumed: [again],
  },
  'go-away-without-a-handle': {
    says: [server.says('Hel'), server.goesAway('50s'), server.says('lo'), ...ends],
    stored: HELLO,
  },
  'go-away-then-closed-without-a-handle': {
    says: [server.says('Good '), server.goesAway('1s'), server.says('morning.'), runsOut],
  },

  'closed-1000-after-the-turn': {
    says: [server.says('Hello'), server.turnComplete(), server.closes(1000)],
  },
  'closed-1000-without-a-word': { says: [server.closes(1000)] },
  'model-refused': {
    setup: { ...TEXT, model: 'models/gemini-live-0.1' },
    ...refused(
      1008,
      'models/gemini-live-0.1 is not found for API version v1alpha, or is not supported for bidiGenerateContent.',
    ),
  },
  'transparent-resumption-refused': {
    setup: { ...TEXT, sessionResumption: { transparent: true } },
    ...refused(
      1007,
      `Invalid JSON payload received. Unknown name "transparent" at 'setup.session_resumption': Cannot find field.`,
    ),
  },
}

export const LIVE_ENDS: Readonly<Record<string, () => CassetteBuilder>> = Object.fromEntries(
  Object.entries(CASES).map(([name, one]) => [`cases/live-${name}`, built(one)]),
)
