/** Five Live sessions in which arrival order is not cause: scripted services, and the apps that talk to them. */
import type { JsonValue } from '../../src/wire/json.ts'
import { call, heard, interrupted, ready, said, speech, turnComplete } from './live-playbook.ts'
import type { Move, SessionScript } from './live-service.ts'
import type { Action, Cue } from './live-world.ts'

const QUICK = [0, 30] as const
const SLOW = [100, 700] as const

const send = (message: JsonValue): Action => ({ type: 'send', message })
const microphone = (on: boolean): Action => ({ type: 'microphone', on })
const closes: Action = { type: 'close', code: 1000 }
const text = (words: string): Action => send({ realtimeInput: { text: words } })

const cue = (sees: string, times: number, does: Action, delay: Cue['delay'] = QUICK): Cue => ({
  sees,
  times,
  delay,
  does,
})
const early = (...what: Parameters<typeof cue>): Cue => ({ ...cue(...what), early: true })

const setup = (given?: string): JsonValue => ({
  setup: {
    model: 'models/m',
    realtimeInputConfig: {},
    sessionResumption: given === undefined ? {} : { handle: given },
  },
})
const starts = (given?: string): Cue => cue('open', 1, send(setup(given)))

const after = (label: string, times: number, sends: JsonValue, delay = 30): Move => ({
  waits: { for: label, times },
  delay,
  sends,
})
const hears = (sound: number, sends: JsonValue, delay = 30): Move => ({ waits: { sound }, delay, sends })
const then = (sends: JsonValue, delay = 20): Move => ({ delay, sends })

const acknowledges = after('setup', 1, ready)
const transcript = (words: string): JsonValue => ({ serverContent: { outputTranscription: { text: words } } })
const generated = { serverContent: { generationComplete: true } }
const usage = { usageMetadata: { totalTokenCount: 7 } }
const handle = (newHandle: string): JsonValue => ({ sessionResumptionUpdate: { newHandle, resumable: true } })
const speaks = (words: string): readonly Move[] => [
  then(speech(`${words} 1`)),
  then(transcript(words)),
  then(speech(`${words} 2`), 80),
  then(generated),
  then(turnComplete, 5),
]
/** It hears a while, says what it heard, and answers. */
const converses = (words: string): readonly Move[] => [
  hears(300, heard(words)),
  hears(200, heard(`${words}!`)),
  ...speaks(words),
]

const endless: SessionScript = {
  name: 'an endless microphone',
  discretes: 4,
  mutes: false,
  app: [
    [
      starts(),
      cue('setupComplete', 1, microphone(true)),
      cue('turnComplete', 1, send(said('and in writing')), SLOW),
      early('turnComplete', 2, text('one more thing'), SLOW),
      cue('turnComplete', 4, send({ realtimeInput: { audioStreamEnd: true } }), SLOW),
      cue('turnComplete', 5, closes),
    ],
  ],
  service: [
    [
      acknowledges,
      ...converses('one'),
      then(usage),
      { waits: { for: 'clientContent', times: 1 }, delay: 40 },
      ...speaks('two'),
      { waits: { for: 'realtimeInput.text', times: 1 }, delay: 40 },
      ...speaks('three'),
      ...converses('four'),
      { waits: { for: 'realtimeInput.audioStreamEnd', times: 1 }, delay: 10 },
      ...speaks('five'),
      then(usage),
    ],
  ],
}

const halfDuplex: SessionScript = {
  name: 'a client that mutes while the model speaks',
  discretes: 2,
  mutes: true,
  app: [
    [
      starts(),
      cue('setupComplete', 1, microphone(true)),
      ...[1, 2, 3].flatMap(turn => [
        cue('modelTurn', 2 * turn - 1, microphone(false)),
        cue('turnComplete', turn, microphone(true), SLOW),
      ]),
      cue('turnComplete', 3, text('that was all'), SLOW),
      cue('turnComplete', 4, closes, SLOW),
    ],
  ],
  service: [
    [
      acknowledges,
      ...converses('one'),
      ...converses('two'),
      ...converses('three'),
      { waits: { for: 'realtimeInput.text', times: 1 }, delay: 40 },
      ...speaks('four'),
    ],
  ],
}

const bargeIn: SessionScript = {
  name: 'a client that interrupts',
  discretes: 5,
  mutes: false,
  app: [
    [
      starts(),
      cue('setupComplete', 1, microphone(true)),
      cue('setupComplete', 1, send({ realtimeInput: { activityStart: {} } })),
      cue('inputTranscription', 1, send({ realtimeInput: { activityEnd: {} } }), SLOW),
      cue('modelTurn', 3, send({ realtimeInput: { activityStart: {} } })),
      cue('interrupted', 1, send({ realtimeInput: { activityEnd: {} } }), SLOW),
      cue('turnComplete', 2, closes),
    ],
  ],
  service: [
    [
      acknowledges,
      { waits: { for: 'realtimeInput.activityStart', times: 1 }, delay: 0 },
      hears(400, heard('tell me')),
      { waits: { for: 'realtimeInput.activityEnd', times: 1 }, delay: 50 },
      ...[1, 2, 3, 4, 5].map(part => then(speech(`part ${part}`), 15)),
      { waits: { for: 'realtimeInput.activityStart', times: 2 }, delay: 10 },
      hears(100, interrupted, 10),
      then(turnComplete, 5),
      { waits: { for: 'realtimeInput.activityEnd', times: 2 }, delay: 50 },
      ...speaks('of course'),
    ],
  ],
}

const toolCall: SessionScript = {
  name: 'sound during a tool call',
  discretes: 4,
  mutes: false,
  app: [
    [
      starts(),
      cue('setupComplete', 1, microphone(true)),
      cue('toolCall', 1, { type: 'answer', ids: ['a', 'b', 'c'] }, [200, 1500]),
      cue('turnComplete', 1, text('and the other'), SLOW),
      cue('toolCall', 2, { type: 'answer', ids: ['d', 'e'] }, [200, 1500]),
      cue('turnComplete', 2, closes),
    ],
  ],
  service: [
    [
      acknowledges,
      hears(400, call('a', 'b', 'c')),
      ...['a', 'b', 'c'].map(id => ({ waits: { for: `function response ${id}`, times: 1 }, delay: 5 })),
      ...speaks('done'),
      { waits: { for: 'realtimeInput.text', times: 1 }, delay: 5 },
      then(call('d', 'e')),
      ...['d', 'e'].map(id => ({ waits: { for: `function response ${id}`, times: 1 }, delay: 5 })),
      ...converses('all done'),
    ],
  ],
}

const resumed: SessionScript = {
  name: 'a session resumed over three sockets',
  discretes: 6,
  mutes: false,
  app: [
    [
      starts(),
      cue('setupComplete', 1, send(said('hello')), SLOW),
      cue('goAway', 1, closes, SLOW),
      cue('close', 1, { type: 'reconnect' }, SLOW),
    ],
    [
      starts('h-1'),
      cue('setupComplete', 1, send(said('listen'))),
      cue('setupComplete', 1, microphone(true), SLOW),
      cue('close', 1, { type: 'reconnect' }, SLOW),
    ],
    [
      starts('h-2'),
      early('setupComplete', 1, send(said('still there?')), SLOW),
      cue('turnComplete', 1, closes),
    ],
  ],
  service: [
    [
      acknowledges,
      { waits: { for: 'clientContent', times: 1 }, delay: 40 },
      ...speaks('hello'),
      then(handle('h-1')),
      then({ goAway: { timeLeft: '5s' } }, 60),
    ],
    [
      acknowledges,
      hears(500, heard('so')),
      then(speech('well')),
      then(handle('h-2')),
      { delay: 90, closes: 1011 },
    ],
    [acknowledges, { waits: { for: 'clientContent', times: 1 }, delay: 40 }, ...speaks('yes'), then(usage)],
  ],
}

/** The sessions, by what is difficult in them. */
export const SCRIPTS: readonly SessionScript[] = [endless, halfDuplex, bargeIn, toolCall, resumed]
