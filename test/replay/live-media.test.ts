/** How media holds server messages: by how much came, never by how it was cut or when. */
import { describe, it } from 'vitest'
import {
  client,
  closed,
  connection,
  frame,
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

const begin = [client(setup), server(ready)]
const chunks = (count: number, ms: number) => Array.from({ length: count }, () => client(sound(ms)))
const CLEAN = { failures: [], leftovers: [] }

describe('media', () => {
  const recording = [
    ...begin,
    ...chunks(10, 100),
    server(speech('a')),
    server(speech('b')),
    ...chunks(5, 100),
    server(interrupted),
    server(turnComplete),
    closed('client'),
  ]

  it('holds the first message of a turn and an interruption by how much came, however it was cut', () => {
    const play = playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .emits(sends(ready))
    for (let piece = 0; piece < 24; piece += 1) play.says(sound(40)).emits()
    play.says(sound(40)).emits(sends(speech('a')), sends(speech('b')))
    for (let piece = 0; piece < 24; piece += 1) play.says(sound(20)).emits()
    play
      .says(sound(20))
      .emits(sends(interrupted), sends(turnComplete))
      .leaves()
      .reports({ ...CLEAN, notes: [] })
  })

  it('counts what one piece had beyond a gate, and nothing that was sent while another lane held it', () => {
    const steps = [...begin, ...chunks(10, 100), server(heard('a')), ...chunks(10, 100), server(heard('b'))]
    playbook(replayOf([connection(steps)]))
      .opens()
      .says(setup)
      .says(sound(2000))
      .emits(sends(heard('a')), sends(heard('b')))
    const held = [
      ...begin,
      ...chunks(1, 100),
      client(said('x')),
      server(speech('a')),
      ...chunks(5, 100),
      server(interrupted),
    ]
    playbook(replayOf([connection(held)]))
      .opens()
      .says(setup)
      .says(sound(400))
      .says(sound(100))
      .says(said('x'))
      .emits(sends(speech('a')))
      .says(sound(300))
      .emits()
      .says(sound(100))
      .emits(sends(interrupted))
  })

  it('does not hold what it does not cause', () => {
    const steps = [
      ...begin,
      ...chunks(9, 100),
      server({ sessionResumptionUpdate: { newHandle: 'h' } }),
      server({ goAway: { timeLeft: '10s' } }),
      closed('server', 1001, 'bye'),
    ]
    playbook(replayOf([connection(steps)]))
      .opens()
      .says(setup)
      .emits(
        sends(ready),
        sends({ sessionResumptionUpdate: { newHandle: 'h' } }),
        sends({ goAway: { timeLeft: '10s' } }),
        'close 1001',
        'done 1 complete',
      )
  })

  it('that is short lets the message go after a quiet second, which the report notes', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .after(200)
      .says(sound(300))
      .emits()
      .after(999)
      .emits()
      .after(1)
      .emits(sends(speech('a')), sends(speech('b')))
      .reports({
        failures: [],
        notes: [
          'exchange 1 (line 1 of a.cassette.yaml), message 13: sent after quiet with 300 of 1,000 ms of audio',
        ],
      })
  })

  it('is waited for again before an interruption, and not within the turn that it let go', () => {
    const transcribed = { serverContent: { outputTranscription: { text: 'a' } } }
    const steps = [
      ...begin,
      ...chunks(1, 100),
      server(speech('a')),
      ...chunks(1, 100),
      server(transcribed),
      ...chunks(1, 100),
      server(interrupted),
    ]
    playbook(replayOf([connection(steps)], { mediaQuietMs: 300 }))
      .opens()
      .says(setup)
      .after(299)
      .emits()
      .after(1)
      .emits(sends(speech('a')), sends(transcribed))
      .after(299)
      .emits()
      .after(1)
      .emits(sends(interrupted))
  })

  it('is short in its own lane, whatever comes in another', () => {
    const steps = [...begin, client(sound(100)), client(frame), client(frame), server(speech('a'))]
    const play = playbook(replayOf([connection(steps)]))
      .opens()
      .says(setup)
      .says(sound(5000))
      .emits()
      .says(frame)
      .after(900)
      .says(sound(5000))
      .emits()
      .after(100)
      .emits(sends(speech('a')))
    play.reports({
      notes: [
        'exchange 1 (line 1 of a.cassette.yaml), message 6: sent after quiet with 1 of 2 frames of video',
      ],
    })
  })

  it('of any amount is harmless where the recording has less', () => {
    const play = playbook(
      replayOf([connection([...begin, client(said('x')), server(speech('a')), closed('client')])]),
    )
      .opens()
      .says(setup)
    for (let piece = 0; piece < 50; piece += 1) play.says(sound(100)).emits()
    play
      .says(said('x'))
      .emits(sends(speech('a')))
      .leaves()
      .reports({ ...CLEAN, notes: [] })
  })
})
