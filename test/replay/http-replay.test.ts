/** The replay engine, as a carrier sees it: which answer, in which order, at what moment. */
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { finished, said, stream, text, unary } from './exchanges.ts'
import { playbook } from './playbook.ts'

const hello = stream('Hello?', [said('Hel', 20), said('lo', 50), finished(90)])
const FINISHED = 'data: {"candidates": [{"finishReason": "STOP"}]}'

/** A whole answer with this head. */
function answered(headers: readonly (readonly [string, string])[]): Exchange {
  return unary('Hello?', '{}', {
    response: { status: 200, reason: 'Fine', headers, body: text('{}'), trailers: [] },
  })
}

describe('at pace instant', () => {
  it('plays the whole answer at once, a chunk for each that was recorded', () => {
    playbook([hello])
      .asksFor('stream', 'Hello?')
      .does('head 1: 200', 'chunk 1: Hel', 'chunk 1: lo', `chunk 1: ${FINISHED}`, 'end 1', 'done 1: complete')
  })

  it('joins what was joined', () => {
    playbook([stream('Hello?', [said('Hel', 20), { ...finished(20), joined: true }])])
      .asksFor('stream', 'Hello?')
      .does('head 1: 200', 'chunk 1: Hel', 'end 1', 'done 1: complete')
  })

  it('keeps an event marked `hold` back for 50 ms, and what comes after it too', () => {
    playbook([stream('Hello?', [said('Hel', 20), said('lo', 20, { hold: true }), finished(20)])])
      .asksFor('stream', 'Hello?')
      .does('head 1: 200', 'chunk 1: Hel', 'wake @1050')
      .after(49)
      .does('wake @1050')
      .after(1)
      .does('chunk 1: lo', `chunk 1: ${FINISHED}`, 'end 1', 'done 1: complete')
  })

  it('plays answers that come to different clients without mixing them up', () => {
    playbook([hello, stream('And?', [said('So', 20)])])
      .asksFor('stream', 'And?', 7)
      .does('head 7: 200', 'chunk 7: So', 'end 7', 'done 7: complete')
      .asksFor('stream', 'Hello?', 8)
      .does('head 8: 200', 'chunk 8: Hel', 'chunk 8: lo', `chunk 8: ${FINISHED}`, 'end 8', 'done 8: complete')
  })

  it('says that an empty answer is empty, but says nothing of what a HEAD would have had', () => {
    const empty = { status: 204, headers: [], trailers: [] }
    const base = unary('', '')
    const request = { method: 'DELETE', url: 'https://x.test/v1beta/files/a', headers: [], body: undefined }
    const play = playbook([
      { ...base, request, response: empty },
      { ...base, request: { ...request, method: 'HEAD' }, response: { ...empty, status: 200 } },
    ])
    play.asks(1, { method: 'DELETE', url: '/v1/files/a' }).does('head 1: 204', 'end 1', 'done 1: complete')
    expect(play.head().length).toBe(0)
    play.asks(2, { method: 'HEAD', url: '/v1/files/a' }).does('head 2: 200', 'end 2', 'done 2: complete')
    expect(play.head().length).toBeUndefined()
  })
})

describe('at the recorded pace', () => {
  const recorded = { pace: { type: 'factor', factor: 1 } } as const

  it('keeps every gap, and lets a late timer delay what follows it', () => {
    playbook([hello], recorded)
      .asksFor('stream', 'Hello?')
      .does('wake @1010')
      .after(10)
      .does('head 1: 200', 'wake @1020')
      .after(15)
      .does('chunk 1: Hel', 'wake @1055')
      .after(30)
      .does('chunk 1: lo', 'wake @1095')
      .after(40)
      .does(`chunk 1: ${FINISHED}`, 'wake @1105')
      .after(10)
      .does('end 1', 'done 1: complete')
  })

  it('divides the gaps by the factor', () => {
    playbook([hello], { pace: { type: 'factor', factor: 2 } })
      .asksFor('stream', 'Hello?')
      .does('wake @1005')
      .after(5)
      .does('head 1: 200', 'wake @1010')
  })

  it('has no pause that is longer than its cap, and none that is shorter than it was', () => {
    const pace = { type: 'factor', factor: 2, capMs: 12 } as const
    playbook([hello], { pace })
      .asksFor('stream', 'Hello?')
      .does('wake @1005')
      .after(5)
      .does('head 1: 200', 'wake @1010')
      .after(5)
      .does('chunk 1: Hel', 'wake @1022')
      .after(12)
      .does('chunk 1: lo', 'wake @1034')
  })

  it('wakes for whoever comes next, of several', () => {
    playbook([hello, stream('And?', [said('So', 12)])], recorded)
      .asksFor('stream', 'Hello?', 1)
      .does('wake @1010')
      .asksFor('stream', 'And?', 2)
      .does()
      .after(10)
      .does('head 1: 200', 'head 2: 200', 'wake @1012')
      .after(2)
      .does('chunk 2: So', 'wake @1020')
  })
})

describe('stepped by hand', () => {
  const manual = { pace: { type: 'manual' } } as const

  it('sends nothing until it is stepped, and then a chunk: the head with the first, the end with the last', () => {
    playbook([hello], manual)
      .asksFor('stream', 'Hello?')
      .does()
      .after(60_000)
      .does()
      .steps()
      .does('head 1: 200', 'chunk 1: Hel')
      .steps()
      .does('chunk 1: lo')
      .steps()
      .does(`chunk 1: ${FINISHED}`, 'end 1', 'done 1: complete')
      .steps()
      .does()
  })

  it('sends an answer that has no chunk in one step', () => {
    const empty = { status: 204, headers: [], trailers: [] }
    playbook([unary('Hello?', '', { response: empty })], manual)
      .asksFor('unary', 'Hello?')
      .steps()
      .does('head 1: 204', 'end 1', 'done 1: complete')
  })

  it('takes turns as on the recording, where several are open', () => {
    playbook(
      [hello, stream('And?', [said('So', 30), said('what', 60)], { end: { at: 60, how: undefined } })],
      manual,
    )
      .asksFor('stream', 'And?', 7)
      .after(1_000)
      .asksFor('stream', 'Hello?', 8)
      .steps()
      .does('head 7: 200', 'chunk 7: So')
      .steps()
      .does('head 8: 200', 'chunk 8: Hel')
      .steps()
      .does('chunk 8: lo')
      .steps()
      .does('chunk 7: what', 'end 7', 'done 7: complete')
  })

  it('cuts in a step of its own', () => {
    const cut = stream('Hello?', [said('Hel', 20)], { end: { at: 20, how: 'upstream-reset' } })
    playbook([cut, { ...cut, response: { status: 200, headers: [], trailers: [] } }], manual)
      .asksFor('stream', 'Hello?', 1)
      .steps()
      .does('head 1: 200', 'chunk 1: Hel')
      .steps()
      .does('destroy 1', 'done 1: upstream-reset')
      .asksFor('stream', 'Hello?', 2)
      .steps()
      .does('head 2: 200')
      .steps()
      .does('destroy 2', 'done 2: upstream-reset')
  })

  it('sees a client leave at every step, without a `hold`', () => {
    const play = playbook([hello], manual)
    play.asksFor('stream', 'Hello?').steps().leaves(1).does('done 1: abandoned').steps().does()
    expect(play.report().leftovers).toMatchObject([{ kind: 'abandoned' }])
  })

  it('refuses at once what is not on the recording', () => {
    const play = playbook([hello], manual).asksFor('stream', 'Hullo?')
    expect(play.head().status).toBe(400)
  })

  it('is not stepped at another pace', () => {
    playbook([hello], { pace: { type: 'factor', factor: 1 } })
      .asksFor('stream', 'Hello?')
      .steps()
      .does()
  })
})

describe('an answer that was cut on the recording', () => {
  it('is played as far as it came, then cut 50 ms later, and the report says so', () => {
    const play = playbook([stream('Hello?', [said('Hel', 20)], { end: { at: 20, how: 'upstream-reset' } })])
    play
      .asksFor('stream', 'Hello?')
      .does('head 1: 200', 'chunk 1: Hel', 'wake @1050')
      .after(50)
      .does('destroy 1', 'done 1: upstream-reset')
    expect(play.report().notes).toEqual([
      'exchange 1 (line 3 of test.cassette.yaml) was cut by the service on the recording: what there is was played, then the connection was cut',
    ])
  })

  it('gives a client that left by itself a second to leave by itself again', () => {
    const left = stream('Hello?', [said('Hel', 20)], { end: { at: 40, how: 'client-abort' } })
    const play = playbook([left, left])
    play
      .asksFor('stream', 'Hello?', 1)
      .does('head 1: 200', 'chunk 1: Hel', 'wake @2000')
      .leaves(1)
      .does('done 1: client-abort')
      .asksFor('stream', 'Hello?', 2)
      .after(1000)
      .does('destroy 2', 'done 2: client-abort')
    expect(play.report().leftovers).toEqual([])
  })

  it('is no answer at all where there was none', () => {
    playbook([{ ...hello, response: undefined, end: { at: 0, how: 'upstream-error' } }])
      .asksFor('stream', 'Hello?')
      .does('destroy 1', 'done 1: upstream-error')
  })
})

describe('a client that leaves in mid-answer', () => {
  const held = stream('Hello?', [said('Hel', 20), said('lo', 20, { hold: true }), finished(20)])

  it('is reported with what it left', () => {
    const play = playbook([held])
    play.asksFor('stream', 'Hello?').leaves(1).does('done 1: abandoned')
    expect(play.report().leftovers).toEqual([
      {
        file: 'test.cassette.yaml',
        number: 1,
        operation: 'POST models/m:streamGenerateContent?alt=sse',
        kind: 'abandoned',
        message:
          'POST models/m:streamGenerateContent?alt=sse, exchange 1 (line 3 of test.cassette.yaml), was abandoned with 2 chunks to come',
      },
    ])
  })

  it('is not reported when it had read the end mark', () => {
    const usage = { at: 20, data: text('{"usageMetadata": {}}'), hold: true as const }
    const play = playbook([stream('Hello?', [finished(20), usage])])
    play.asksFor('stream', 'Hello?').leaves(1).does('done 1: complete')
    expect(play.report().leftovers).toEqual([])
  })

  it('is not reported when only the end was to come', () => {
    const play = playbook([stream('Hello?', [said('Hel', 20)])], { pace: { type: 'factor', factor: 1 } })
    play.asksFor('stream', 'Hello?').after(10).after(10).does('chunk 1: Hel', 'wake @1100')
    play.leaves(1).does('done 1: complete')
    expect(play.report().leftovers).toEqual([])
  })

  it('cannot be told from one that read all when all was sent, and the report says how it could', () => {
    const play = playbook([hello])
    play.asksFor('stream', 'Hello?').leaves(1).does()
    expect(play.report().leftovers).toEqual([])
    expect(play.report().notes).toEqual([expect.stringContaining('set `hold: true` on an event')])
  })
})

describe('what is left over', () => {
  it('is every exchange that was not asked for as often as it must be', () => {
    const play = playbook([
      unary('once', 'a'),
      unary('twice', 'b', { repeat: 2 }),
      unary('always', 'c', { repeat: 'always' }),
      unary('never', 'd', { repeat: 'always' }),
    ])
    play.asksFor('unary', 'twice').asksFor('unary', 'always')
    expect(play.report()).toMatchObject({ exchanges: 4, played: 2, requests: 2, failures: [] })
    expect(play.report().leftovers.map(({ number, message }) => [number, message.split('), ')[1]])).toEqual([
      [1, 'was never asked for'],
      [2, 'was asked for 1 of 2 times'],
      [4, 'was never asked for'],
    ])
  })
})

describe('a socket that was recorded', () => {
  it('is left to the engine for sockets, whether it was opened or refused', () => {
    const opened = { ...unary('a', ''), response: undefined, messages: [] }
    const refused = { ...unary('a', ''), exchange: 'live' }
    expect(playbook([opened, refused]).report()).toMatchObject({ exchanges: 0, leftovers: [], notes: [] })
  })
})

describe('equal requests at once', () => {
  const first = unary('Hello?', 'one')
  const second = unary('Hello?', 'two')

  it('are answered in recorded order, and the report calls that ambiguous', () => {
    const play = playbook([first, second])
    play.asksFor('unary', 'Hello?', 1).does('head 1: 200', 'chunk 1: one', 'end 1', 'done 1: complete')
    play.asksFor('unary', 'Hello?', 2).does('head 2: 200', 'chunk 2: two', 'end 2', 'done 2: complete')
    expect(play.report().notes).toEqual([
      'ambiguous: exchange 1 (line 3 of test.cassette.yaml) and exchange 2 (line 13 of test.cassette.yaml) answer the same request differently, and both were asked for at once',
    ])
  })

  it('are not ambiguous one after the other, nor with the same answer', () => {
    const play = playbook([first, second, second])
    play.asksFor('unary', 'Hello?', 1).has(1).asksFor('unary', 'Hello?', 2).asksFor('unary', 'Hello?', 3)
    expect(play.report().notes).toEqual([])
  })
})

describe('the head of an answer', () => {
  it('is as recorded, but for what frames and encodes the body', () => {
    const head = playbook([
      answered([
        ['content-type', 'application/json'],
        ['content-length', '9'],
        ['content-encoding', 'gzip'],
        ['Transfer-Encoding', 'chunked'],
        ['connection', 'close, x-hop'],
        ['x-hop', '1'],
        ['x-twice', 'a'],
        ['x-twice', 'b'],
      ]),
    ])
      .asksFor('unary', 'Hello?')
      .head()
    expect(head).toMatchObject({ status: 200, reason: 'Fine', length: undefined })
    expect(head.headers).toEqual([
      ['content-type', 'application/json'],
      ['x-twice', 'a'],
      ['x-twice', 'b'],
    ])
  })

  it('has upload addresses that lead to where the client reached the replay', () => {
    const stored = 'https://upload.wiretape.invalid/upload/v1beta/files?upload_id=redacted-upload-id-1'
    const head = playbook([answered([['x-goog-upload-url', stored]])])
      .asksFor('unary', 'Hello?')
      .head()
    expect(head.headers).toEqual([
      ['x-goog-upload-url', 'http://127.0.0.1:1/upload/v1beta/files?upload_id=redacted-upload-id-1'],
    ])
  })
})
