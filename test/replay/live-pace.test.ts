/** When replayed messages go out: at once, or with the recorded gaps to what caused them. */
import { describe, it } from 'vitest'
import {
  client,
  closed,
  connection,
  heard,
  interrupted,
  playbook,
  ready,
  replayOf,
  said,
  sends,
  server,
  setup,
  sound,
  speech,
  turnComplete,
} from './live-playbook.ts'

const factor = (value: number) => ({ pace: { type: 'factor', factor: value } as const })

describe('the pace', () => {
  const recording = [
    client(setup, { at: 4 }),
    server(ready, { at: 34 }),
    client(said('x'), { at: 5_000 }),
    server(speech('a'), { at: 5_400 }),
    server(speech('b'), { at: 5_500 }),
    server(turnComplete),
    closed('client'),
  ]

  it('keeps the gap to what caused a message, and to the message before it', () => {
    playbook(replayOf([connection(recording)], factor(1)))
      .opens()
      .says(setup)
      .emits()
      .wakes(30)
      .after(30)
      .emits(sends(ready))
      .after(70)
      .says(said('x'))
      .emits()
      .wakes(500)
      .after(400)
      .emits(sends(speech('a')))
      .after(99)
      .emits()
      .after(1)
      .emits(sends(speech('b')), sends(turnComplete))
  })

  it('divides gaps by its factor', () => {
    playbook(replayOf([connection(recording)], factor(2)))
      .opens()
      .says(setup)
      .after(15)
      .emits(sends(ready))
      .says(said('x'))
      .after(199)
      .emits()
      .after(1)
      .emits(sends(speech('a')))
  })

  it('counts from the moment that enough media had come', () => {
    const steps = [
      client(setup, { at: 0 }),
      server(ready),
      client(sound(100), { at: 100 }),
      client(sound(100), { at: 200 }),
      server(heard('a'), { at: 250 }),
      client(sound(100), { at: 300 }),
      server(interrupted, { at: 340 }),
    ]
    playbook(replayOf([connection(steps)], factor(1)))
      .opens()
      .says(setup)
      .emits(sends(ready))
      .says(sound(150))
      .after(30)
      .says(sound(50))
      .emits()
      .after(50)
      .emits(sends(heard('a')))
      .after(20)
      .says(sound(100))
      .emits()
      .after(39)
      .emits()
      .after(1)
      .emits(sends(interrupted))
  })

  it('makes no gap longer than its cap', () => {
    const capped = { pace: { type: 'factor', factor: 1, capMs: 150 } as const }
    playbook(replayOf([connection(recording)], capped))
      .opens()
      .says(setup)
      .after(30)
      .emits(sends(ready))
      .says(said('x'))
      .emits()
      .wakes(180)
      .after(150)
      .emits(sends(speech('a')))
      .wakes(280)
  })

  it('is instant unless set: nothing waits for time', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .emits(sends(ready))
      .says(said('x'))
      .emits(sends(speech('a')), sends(speech('b')), sends(turnComplete))
  })
})

describe('stepped by hand', () => {
  const manual = { pace: { type: 'manual' } } as const
  const recording = [
    client(setup, { at: 0 }),
    server(ready, { at: 30 }),
    client(said('x'), { at: 100 }),
    server(speech('a'), { at: 500 }),
    server(speech('b'), { at: 600 }),
    closed('server', 1011),
  ]

  it('sends a message for each step, once what caused it has come', () => {
    playbook(replayOf([connection(recording)], manual))
      .opens()
      .emits('accept')
      .says(setup)
      .after(60_000)
      .emits()
      .steps()
      .emits(sends(ready))
      .steps()
      .emits()
      .says(said('x'))
      .emits()
      .steps()
      .emits(sends(speech('a')))
      .steps()
      .emits(sends(speech('b')))
      .steps()
      .emits('close 1011', 'done 1 complete')
      .steps()
      .emits()
  })

  it('takes turns as on the recording, where several sockets are open', () => {
    const later = [client(setup), server(speech('late'), { at: 40 }), closed('client')]
    playbook(replayOf([connection(recording), connection(later)], manual))
      .opens(1)
      .says(setup, 1)
      .opens(2)
      .says(setup, 2)
      .steps()
      .emits(sends(ready))
      .steps()
      .emits(sends(speech('late')))
      .says(said('x'), 1)
      .steps()
      .emits(sends(speech('a')))
  })

  it('passes over a socket that waits for its client', () => {
    const later = [client(setup), server(speech('late'), { at: 4_000 }), closed('client')]
    playbook(replayOf([connection(recording), connection(later)], manual))
      .opens(1)
      .says(setup, 1)
      .opens(2)
      .says(setup, 2)
      .steps()
      .emits(sends(ready))
      .steps()
      .emits(sends(speech('late')))
  })

  it('fails a client that does not say what is waited for, as at every pace', () => {
    playbook(replayOf([connection(recording)], manual))
      .opens()
      .says(setup)
      .steps()
      .after(10_000)
      .emits('fail WIRETAPE_STALL', 'close 4408', 'done 1 abandoned')
  })
})

describe('a client that is slow to read', () => {
  const long = (name: string) => speech(name + 'x'.repeat(600_000))

  it('is sent no more than a megabyte ahead, until what was sent has gone out', () => {
    playbook(
      replayOf([
        connection([client(setup), server(ready), ...['a', 'b', 'c'].map(name => server(long(name)))]),
      ]),
    )
      .opens()
      .says(setup)
      .emits(sends(ready), sends(long('a')), sends(long('b')), 'drain')
      .wakes()
      .says(sound(20))
      .emits()
      .receives({ type: 'drained', id: 1 })
      .emits(sends(long('c')))
  })

  it('has the whole stall time from the moment at which it has got everything', () => {
    playbook(
      replayOf([
        connection([
          client(setup),
          server(long('a')),
          server(long('b')),
          client(said('more')),
          server(heard('more')),
        ]),
      ]),
    )
      .opens()
      .says(setup)
      .emits(sends(long('a')), sends(long('b')), 'drain')
      .after(60_000)
      .emits()
      .receives({ type: 'drained', id: 1 })
      .emits()
      .after(9_999)
      .emits()
      .after(1)
      .emits('fail WIRETAPE_STALL', 'close 4408', 'done 1 abandoned')
  })

  it('that is gone is sent nothing more', () => {
    playbook(replayOf([connection([client(setup), server(long('a')), server(long('b')), server(long('c'))])]))
      .opens()
      .says(setup)
      .leaves(1006)
      .emits('done 1 abandoned')
      .receives({ type: 'drained', id: 1 })
      .emits()
  })
})
