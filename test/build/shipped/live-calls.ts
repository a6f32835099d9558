/** The cases of Live function calls: in which messages they come, what comes beside them, and calls that are taken back. */
import { client, model, server, user, type CassetteBuilder } from '../../../src/build/entry.ts'
import { built, clear, ends, weather, WITH_WEATHER, type Case } from './live-setups.ts'

const paris = weather('Paris', 'f1')
const rome = weather('Rome', 'f2')
const said = server.says('Clear in both.')
const clears = [server.says('Clear.'), ...ends]
const CALLED = [model(paris), user(clear('f1')), model('Clear.')]

const CASES: Readonly<Record<string, Case>> = {
  'calls-in-two-messages': {
    says: [
      server.calls(paris),
      server.calls(rome),
      client.responds(clear('f1')),
      client.responds(clear('f2')),
      said,
      ...ends,
    ],
    stored: [model(paris), model(rome), user(clear('f1'), clear('f2')), model('Clear in both.')],
  },
  'call-after-call': {
    says: [
      server.calls(paris),
      client.responds(clear('f1')),
      server.calls(rome),
      client.responds(clear('f2')),
      said,
      ...ends,
    ],
    stored: [model(paris), user(clear('f1')), model(rome), user(clear('f2')), model('Clear in both.')],
  },
  'text-after-call': {
    says: [server.calls(paris), server.says('One moment.'), client.responds(clear('f1')), ...clears],
    stored: [model(paris), model('One moment.'), user(clear('f1')), model('Clear.')],
  },
  'turn-complete-after-call': {
    says: [server.calls(paris), server.turnComplete(), client.responds(clear('f1')), ...clears],
    stored: CALLED,
  },
  'call-cancelled': {
    says: [server.calls(paris), server.cancels('f1'), server.interrupted(), ...ends],
  },
  'one-of-two-calls-cancelled': {
    says: [server.calls(paris, rome), server.cancels('f2'), client.responds(clear('f1')), ...clears],
  },
  'closed-1007-in-mid-call': {
    says: [
      server.says('Checking'),
      server.calls(paris),
      client.responds(clear('f1')),
      server.closes(1007, 'Request contains an invalid argument.'),
    ],
  },
}

export const LIVE_CALLS: Readonly<Record<string, () => CassetteBuilder>> = Object.fromEntries(
  Object.entries(CASES).map(([name, one]) => [`cases/live-${name}`, built({ setup: WITH_WEATHER, ...one })]),
)
