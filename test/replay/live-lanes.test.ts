/** Which client message holds which server message: the lanes of a replayed socket. */
import { describe, expect, it } from 'vitest'
import { encodeUtf8 } from '../../src/wire/text.ts'
import {
  answer,
  call,
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
const part = (n: number) => ({
  toolResponse: { functionResponses: [{ id: 'a', willContinue: true, response: { n } }] },
})
const CLEAN = { failures: [], leftovers: [] }

describe('discrete messages', () => {
  const recording = [
    ...begin,
    client(said('one')),
    server(speech('1')),
    server(turnComplete),
    client(said('two')),
    server(speech('2')),
    closed('client', 1000),
  ]

  it('hold every later server message until they came', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .emits('accept')
      .says(setup)
      .emits(sends(ready))
      .after(500)
      .emits()
      .says(said('one'))
      .emits(sends(speech('1')), sends(turnComplete))
      .says(said('two'))
      .emits(sends(speech('2')))
      .leaves(1000)
      .emits('done 1 complete')
      .reports({ ...CLEAN, notes: [], played: 1, requests: 1, exchanges: 1 })
  })

  it('may come before the server messages that came before them on the recording', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('one'))
      .says(said('two'))
      .leaves(1000)
      .reports(CLEAN)
  })

  it('are the same in any key case and in binary frames', () => {
    const bytes = encodeUtf8(
      '{"client_content": {"turn_complete": true, "turns": [{"parts": [{"text": "one"}], "role": "user"}]}}',
    )
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .receives({ type: 'message', id: 1, bytes, frame: 'binary' })
      .emits(sends(speech('1')), sends(turnComplete))
  })

  it('close the socket at once where another one was recorded, and show both sides', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('uno'))
      .emits('fail WIRETAPE_NO_MATCH', 'close 4404', 'done 1 abandoned')
      .explains(
        'exchange 1 (line 1 of a.cassette.yaml), message 3',
        '$.clientContent.turns[0].parts[0].text',
        'recorded "one", received "uno"',
      )
      .says(said('one'))
      .emits()
      .leaves(4404)
      .emits()
      .reports({ leftovers: [] })
  })

  it('say where they are recorded when they come too early or twice', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('two'))
      .emits('fail WIRETAPE_NO_MATCH', 'close 4404', 'done 1 abandoned')
      .explains('It is on the recording as message 6.')
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('one'))
      .says(said('one'))
      .emits('fail WIRETAPE_NO_MATCH', 'close 4404', 'done 1 abandoned')
      .explains('It is on the recording as message 3.')
  })

  it('are refused after the last recorded one', () => {
    playbook(replayOf([connection(begin)]))
      .opens()
      .says(setup)
      .says(said('more'))
      .emits('fail WIRETAPE_NO_MATCH', 'close 4404', 'done 1 abandoned')
      .explains('after its last one', 'has nothing more of the kind')
  })

  it('are held apart where one message says several', () => {
    const start = { realtimeInput: { activityStart: {} } }
    const text = { realtimeInput: { text: 'hi' } }
    playbook(
      replayOf([
        connection([...begin, client(start), server(heard('a')), client(text), server(speech('b'))]),
      ]),
    )
      .opens()
      .says(setup)
      .says({ realtimeInput: { text: 'hi', activityStart: {} } })
      .emits(sends(heard('a')), sends(speech('b')))
  })
})

describe('a recording whose client ran ahead', () => {
  const recording = [
    client(setup),
    client(said('one')),
    server(ready),
    server(speech('1')),
    client(said('two')),
    server(speech('2')),
    server(turnComplete),
    server(speech('3')),
    closed('client'),
  ]

  it('greets a client that waits to be greeted', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .emits(sends(ready))
      .says(said('one'))
      .emits(sends(speech('1')))
  })

  it('goes on with a turn after a quiet second, for a client that waits for its end, and not with the next', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('one'))
      .emits(sends(speech('1')))
      .after(999)
      .emits()
      .after(1)
      .emits(sends(speech('2')), sends(turnComplete))
      .says(said('two'))
      .emits(sends(speech('3')))
      .leaves()
      .reports({
        ...CLEAN,
        notes: [
          'exchange 1 (line 1 of a.cassette.yaml), message 6: sent after quiet without message 5, clientContent',
          'exchange 1 (line 1 of a.cassette.yaml), message 7: sent after quiet without message 5, clientContent',
        ],
      })
  })

  it('stalls where the message never comes', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('one'))
      .after(1_000)
      .after(9_999)
      .emits()
      .after(1)
      .emits('fail WIRETAPE_STALL', 'close 4408', 'done 1 abandoned')
  })
})

describe('function responses', () => {
  const recording = [
    ...begin,
    client(said('go')),
    server(call('a', 'b')),
    client(answer('a', 'b')),
    server(speech('done')),
    closed('client'),
  ]

  const started = () =>
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('go'))

  it.each([
    ['in one message', [answer('a', 'b')]],
    ['in one message, the other way round', [answer('b', 'a')]],
    ['one by one', [answer('a'), answer('b')]],
    ['one by one, the other way round', [answer('b'), answer('a')]],
  ])('hold what follows until all came, %s', (_, answers) => {
    const play = playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('go'))
      .emits(sends(call('a', 'b')))
    answers.slice(0, -1).forEach(message => play.says(message).emits())
    play
      .says(answers.at(-1) ?? {})
      .emits(sends(speech('done')))
      .leaves()
      .reports(CLEAN)
  })

  it('hold what goes on with their turn, however long they take', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .says(said('go'))
      .after(9_999)
      .emits()
      .says(answer('a', 'b'))
      .emits(sends(speech('done')))
  })

  it('may come between other messages', () => {
    const steps = [...begin, server(call('a')), client(answer('a')), client(said('x')), server(speech('y'))]
    playbook(replayOf([connection(steps)]))
      .opens()
      .says(setup)
      .says(said('x'))
      .emits()
      .says(answer('a'))
      .emits(sends(speech('y')))
  })

  it('close the socket where they answer no recorded call, answer it in another way, or twice', () => {
    started().says(answer('z')).explains('function response z', 'has nothing more of the kind')
    started()
      .says({ toolResponse: { functionResponses: [{ id: 'a', name: 'f', response: { of: 'x' } }] } })
      .explains('$.response.of: recorded "a", received "x"')
    started()
      .says(answer('a'))
      .says(answer('a'))
      .emits('fail WIRETAPE_NO_MATCH', 'close 4404', 'done 1 abandoned')
  })

  it('may come although their call was taken back', () => {
    const cancel = { toolCallCancellation: { ids: ['a'] } }
    playbook(replayOf([connection([...begin, server(call('a')), server(cancel)])]))
      .opens()
      .says(setup)
      .says(answer('a'))
      .emits()
      .reports({
        ...CLEAN,
        notes: [
          'exchange 1 (line 1 of a.cassette.yaml): function response a came for a call that was taken back',
        ],
      })
  })

  it('may be several to one call, in their order', () => {
    const steps = [...begin, server(call('a')), client(part(1)), client(part(2)), server(speech('y'))]
    playbook(replayOf([connection(steps)]))
      .opens()
      .says(setup)
      .says(part(1))
      .emits()
      .says(part(2))
      .emits(sends(speech('y')))
  })
})

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

describe('frames', () => {
  it('are as recorded: binary from the service unless the recording says text', () => {
    const steps = [client(setup), server(ready, { frame: 'text' }), server(turnComplete)]
    playbook(replayOf([connection(steps)]))
      .opens()
      .says(setup)
      .emits(`${sends(ready)} as text`, sends(turnComplete))
  })

  it('carry bytes that are no JSON as they were', () => {
    const steps = [
      { client: { type: 'text', text: 'hello' } as const },
      { server: { type: 'base64', base64: '//4=' } as const },
    ]
    const replay = replayOf([
      connection(steps, { request: { method: 'GET', url: 'ws://h/x', headers: [], body: undefined } }),
    ])
    replay.handle({ type: 'open', id: 1, url: '/x', headers: [] }, 0)
    expect(
      replay.handle({ type: 'message', id: 1, bytes: encodeUtf8('hello'), frame: 'text' }, 0),
    ).toContainEqual({ type: 'send', id: 1, bytes: Uint8Array.of(0xff, 0xfe), frame: 'binary' })
  })
})
