/** Which client message holds which server message: the lanes of a replayed socket. */
import { describe, expect, it } from 'vitest'
import { encodeUtf8 } from '../../src/wire/text.ts'
import {
  answer,
  call,
  client,
  closed,
  connection,
  heard,
  playbook,
  ready,
  replayOf,
  said,
  sends,
  server,
  setup,
  speech,
  turnComplete,
} from './live-playbook.ts'

const begin = [client(setup), server(ready)]
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
    started()
      .says(answer('z'))
      .explains('answers call z, recorded as the answer to call a', 'has function response a here')
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
