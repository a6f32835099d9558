/** How replayed sockets end: closes, drops, stalls, and what is left. And when messages go out. */
import { describe, expect, it } from 'vitest'
import {
  client,
  closed,
  connection,
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
const LEFT = { file: 'a.cassette.yaml', number: 1 }
const left = (code?: number) => [connection([...begin, closed('client', code, 'bye')])]
const vanished = () => replayOf([connection(begin, { end: { at: 9, how: 'client-abort' } })])

describe('a recorded close', () => {
  it.each([
    [closed('server', 1011, 'Internal error'), 'close 1011', undefined],
    [closed('server', 1007, 'bad'), 'close 1007', undefined],
    [closed('server'), 'close without a code', undefined],
    [closed('server', 1005), 'close without a code', undefined],
    [closed('server', 1006), 'drop', undefined],
  ])('%o by the service is played when what caused it came', (close, line) => {
    playbook(replayOf([connection([...begin, client(said('x')), server(speech('a')), close])]))
      .opens()
      .says(setup)
      .emits(sends(ready))
      .says(said('x'))
      .emits(sends(speech('a')), line, 'done 1 complete')
      .leaves(1000)
      .emits()
      .reports({ failures: [], leftovers: [], notes: [] })
  })

  it('keeps its reason', () => {
    const replay = replayOf([connection([closed('server', 1011, 'Internal error encountered.')])])
    expect(
      replay.handle({ type: 'open', id: 1, url: connection([]).request.url, headers: [] }, 0),
    ).toContainEqual({
      type: 'close',
      id: 1,
      code: 1011,
      reason: 'Internal error encountered.',
    })
  })

  it.each(['upstream-reset', 'upstream-error', 'truncated'] as const)(
    'is a drop where the recording ended %s',
    how => {
      playbook(replayOf([connection([...begin, server(speech('a'))], { end: { at: 9, how } })]))
        .opens()
        .says(setup)
        .emits(sends(ready), sends(speech('a')), 'drop', `done 1 ${how}`)
        .reports({ failures: [], leftovers: [] })
    },
  )

  it('is a drop after the stall time where the client had vanished and now stays', () => {
    playbook(vanished())
      .opens()
      .says(setup)
      .after(9_999)
      .emits()
      .after(1)
      .emits('drop', 'done 1 client-abort')
    playbook(vanished())
      .opens()
      .says(setup)
      .leaves(1006)
      .emits('done 1 client-abort')
      .reports({ failures: [], leftovers: [], notes: [] })
  })

  it('is followed by nothing: what still comes is noted', () => {
    playbook(replayOf([connection([...begin, closed('server', 1000)])]))
      .opens()
      .says(setup)
      .says(said('late'))
      .emits()
      .reports({
        failures: [],
        notes: ['exchange 1 (line 1 of a.cassette.yaml): clientContent came after the close'],
      })
  })
})

describe('the client’s close', () => {
  it.each([
    [1000, undefined],
    [undefined, 1000],
    [1001, 1006],
    [4000, 4000],
  ])('is as recorded: %s, now %s', (recorded, now) => {
    playbook(replayOf(left(recorded)))
      .opens()
      .says(setup)
      .leaves(now)
      .emits('done 1 complete')
      .reports({ failures: [], leftovers: [] })
  })

  it.each([
    [1000, 1007],
    [4000, 1000],
    [1009, 1002],
  ])('is another one: %s, now %s', (recorded, now) => {
    playbook(replayOf(left(recorded)))
      .opens()
      .says(setup)
      .leaves(now, 'oh')
      .emits('fail WIRETAPE_NO_MATCH', 'done 1 complete')
      .explains(`closed with ${recorded} "bye"`, `closed with ${now} "oh"`)
  })

  it('leaves behind what was never reached and what was never sent', () => {
    playbook(replayOf([connection([...begin, client(said('x')), server(speech('a')), server(turnComplete)])]))
      .opens()
      .says(setup)
      .leaves()
      .emits('done 1 abandoned')
      .reports({
        failures: [],
        leftovers: [
          {
            ...LEFT,
            kind: 'never-reached',
            operation: 'GenerativeService.BidiGenerateContent',
            message: expect.stringContaining(
              'never reached: message 4, serverContent.modelTurn; message 5, serverContent.turnComplete. ' +
                'never sent by the client: message 3, clientContent',
            ),
          },
        ],
      })
  })

  it('leaves behind a message that the client was to send last, although nobody answered it', () => {
    playbook(
      replayOf([
        connection([...begin, client({ realtimeInput: { audioStreamEnd: true } }), closed('client')]),
      ]),
    )
      .opens()
      .says(setup)
      .leaves()
      .reports({ leftovers: [expect.objectContaining({ ...LEFT, kind: 'never-sent' })] })
  })

  it('never leaves bookkeeping behind, nor the service’s own close', () => {
    const steps = [
      ...begin,
      server(turnComplete, { at: 10 }),
      server({ usageMetadata: {} }, { at: 2000 }),
      server({ sessionResumptionUpdate: { newHandle: 'h' } }, { at: 2000 }),
      closed('server', 1000),
    ]
    playbook(replayOf([connection(steps)], { pace: { type: 'factor', factor: 1 } }))
      .opens()
      .says(setup)
      .after(10)
      .emits(sends(turnComplete))
      .leaves()
      .emits('done 1 complete')
      .reports({ failures: [], leftovers: [] })
  })

  it('that does not come is noted after the stall time', () => {
    playbook(replayOf(left()))
      .opens()
      .says(setup)
      .after(10_000)
      .emits()
      .wakes()
      .reports({
        failures: [],
        notes: [
          'exchange 1 (line 1 of a.cassette.yaml): played to its end, and the client keeps the socket open',
        ],
      })
  })
})

describe('a missing message', () => {
  const recording = [...begin, client(sound(100)), client(said('x')), server(speech('a')), closed('client')]

  it('is a stall after ten quiet seconds, which names what waits, what for, and what came', () => {
    playbook(replayOf([connection(recording)]))
      .opens()
      .says(setup)
      .after(9_999)
      .emits()
      .after(1)
      .emits('fail WIRETAPE_STALL', 'close 4408', 'done 1 abandoned')
      .explains(
        'waiting: message 5 of the service, serverContent.modelTurn',
        'it waits for: message 4, clientContent',
        'came so far: setup',
        'WIRETAPE_STALL: serverContent.modelTurn waits for message 4, clientContent',
      )
      .leaves(4408)
      .reports({ leftovers: [] })
  })

  it('is a stall however much sound comes', () => {
    const play = playbook(replayOf([connection(recording)], { stallMs: 1_000 }))
      .opens()
      .says(setup)
    for (let piece = 0; piece < 9; piece += 1) play.after(100).emits().says(sound(100)).emits()
    play.after(100).emits('fail WIRETAPE_STALL', 'close 4408', 'done 1 abandoned').explains('900 ms of audio')
  })

  it('is given the whole time again by every message that comes', () => {
    const steps = [...begin, client(said('x')), client(said('y')), server(speech('a')), closed('client')]
    playbook(replayOf([connection(steps)]))
      .opens()
      .says(setup)
      .after(9_000)
      .says(said('x'))
      .after(9_999)
      .emits()
      .says(said('y'))
      .emits(sends(speech('a')))
  })

  it('before a recorded close is one too', () => {
    playbook(replayOf([connection([...begin, client(said('x')), closed('server', 1011)])]))
      .opens()
      .says(setup)
      .after(10_000)
      .emits('fail WIRETAPE_STALL', 'close 4408', 'done 1 abandoned')
      .explains('the close')
  })

  it('has a reason that fits into a close frame, whatever it quotes', () => {
    const replay = replayOf([connection([...begin, client(said('ü'.repeat(200)))])])
    replay.handle({ type: 'open', id: 1, url: connection([]).request.url, headers: [] }, 0)
    const send = (json: string) =>
      replay.handle({ type: 'message', id: 1, bytes: new TextEncoder().encode(json), frame: 'text' }, 0)
    send(JSON.stringify(setup))
    const [close] = send(JSON.stringify(said('é'.repeat(200)))).filter(command => command.type === 'close')
    expect(new TextEncoder().encode(close?.reason).length).toBeLessThanOrEqual(123)
    expect(close?.reason).toMatch(/^WIRETAPE_NO_MATCH: message 3, \$\.clientContent.*\.\.\.$/)
  })
})
