/** Which recorded connection a socket gets, and what is told to one that gets none. */
import { describe, expect, it } from 'vitest'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'
import {
  answer,
  call,
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
  speech,
  turnComplete,
  URL,
} from './live-playbook.ts'

const talk = (text: string, begin = setup) =>
  connection([client(begin), server(ready), server(speech(text)), closed('client')])
const other = { setup: { model: 'models/other' } }
const handle = (newHandle: string) => ({ sessionResumptionUpdate: { newHandle, resumable: true } })
const resumes = (given: string | undefined) => ({
  setup: { model: 'models/m', sessionResumption: given === undefined ? {} : { handle: given } },
})
const at = (url: string) => ({ request: { method: 'GET', url, headers: [], body: undefined } })

describe('a socket', () => {
  it('gets the first unused connection that begins with its setup', () => {
    playbook(replayOf([talk('a'), talk('b', other), talk('c')]))
      .opens(1)
      .opens(2)
      .opens(3)
      .says(other, 1)
      .emits(sends(ready), sends(speech('b')))
      .says(setup, 2)
      .emits(sends(ready), sends(speech('a')))
      .leaves(undefined, undefined, 2)
      .says(setup, 3)
      .emits(sends(ready), sends(speech('c')))
      .reports({ failures: [], leftovers: [], played: 3, notes: [] })
  })

  it('that reconnects gets the next one', () => {
    playbook(replayOf([talk('a'), talk('b')]))
      .opens(1)
      .says(setup, 1)
      .leaves(1000, '', 1)
      .opens(2)
      .says(setup, 2)
      .emits(sends(ready), sends(speech('b')))
  })

  it('that begins like one that is still open is noted, since recorded order may not be the app’s', () => {
    playbook(replayOf([talk('a'), talk('b'), talk('c')]))
      .opens(1)
      .opens(2)
      .says(setup, 1)
      .says(setup, 2)
      .reports({
        notes: [
          'exchange 2 (line 1 of a.cassette.yaml): ambiguous, since sockets that begin alike were open at once',
        ],
      })
  })

  it('is told the difference where no connection begins so, after a greeting that settles its connect call', () => {
    playbook(replayOf([talk('a')]))
      .opens()
      .says(other)
      .emits(sends(ready), 'fail WIRETAPE_NO_MATCH', 'close 4404')
      .explains('WIRETAPE_NO_MATCH: $.setup.model: recorded "m", received "other"', 'exchange 1')
      .says(said('more'))
      .emits()
      .leaves(4404)
      .emits()
      .reports({ requests: 1, played: 0, leftovers: [expect.objectContaining({ kind: 'never-asked' })] })
  })

  it('is told where all connections had their turn, and where there is none of its kind', () => {
    playbook(replayOf([talk('a')]))
      .opens(1)
      .says(setup, 1)
      .opens(2)
      .says(setup, 2)
      .emits(sends(ready), 'fail WIRETAPE_NO_MATCH', 'close 4404')
      .explains('the one that is recorded had their turn')
    playbook(replayOf([talk('a')]))
      .opens(1, '/ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateMusic')
      .says(setup)
      .emits(sends(ready), 'fail WIRETAPE_NO_MATCH', 'close 4404')
      .explains('the recording has only GenerativeService.BidiGenerateContent')
    playbook(replayOf([])).opens().says(setup).explains('no connection at all')
  })

  it('that says nothing is closed after the stall time', () => {
    playbook(replayOf([talk('a')]))
      .opens()
      .wakes(10_000)
      .after(9_999)
      .emits()
      .after(1)
      .emits(sends(ready), 'fail WIRETAPE_STALL', 'close 4408')
  })

  it('that leaves without a word is noted', () => {
    playbook(replayOf([talk('a')]))
      .opens()
      .leaves(1006)
      .emits()
      .reports({
        notes: ['A client opened GenerativeService.BidiGenerateContent and left without a message'],
      })
  })

  it('may ask for a connection as often as it repeats', () => {
    const again = { ...talk('a'), repeat: 2 }
    playbook(replayOf([again]))
      .opens(1)
      .says(setup, 1)
      .leaves(undefined, undefined, 1)
      .reports({ leftovers: [expect.objectContaining({ message: expect.stringContaining('1 of 2 times') })] })
      .opens(2)
      .says(setup, 2)
      .emits(sends(ready), sends(speech('a')))
      .opens(3)
      .says(setup, 3)
      .emits(sends(ready), 'fail WIRETAPE_NO_MATCH', 'close 4404')
  })

  it('need not begin as recorded where the exchange matches by route', () => {
    playbook(replayOf([{ ...talk('a'), match: 'route' }]))
      .opens()
      .says(other)
      .emits(sends(ready), sends(speech('a')))
      .leaves()
      .reports({ failures: [], leftovers: [] })
  })

  it('need not go on as recorded there, but for the kind of what it says and the calls that it answers', () => {
    const whole = {
      ...connection([
        client(setup),
        server(ready),
        client(said('Hello.')),
        server(call('f1', 'f2')),
        client(answer('f1', 'f2')),
        server(speech('a')),
      ]),
      match: 'route' as const,
    }
    const until = () =>
      playbook(replayOf([whole]))
        .opens()
        .says(other)
        .emits(sends(ready))
        .says(said('Good evening to you.'))
        .emits(sends(call('f1', 'f2')))
    until()
      .says({ toolResponse: { functionResponses: [{ id: 'f2', name: 'f', response: {} }] } })
      .emits()
      .says({ toolResponse: { functionResponses: [{ id: 'f1', name: 'f', response: {} }] } })
      .emits(sends(speech('a')))
      .leaves()
      .reports({ failures: [], leftovers: [] })
    until().says(answer('f3')).emits('fail WIRETAPE_NO_MATCH', 'close 4404', 'done 1 abandoned')
    until()
      .says({ realtimeInput: { text: 'Hello.' } })
      .emits('fail WIRETAPE_NO_MATCH', 'close 4404', 'done 1 abandoned')
  })

  it('must come in its turn where the order is strict', () => {
    playbook(replayOf([talk('a'), talk('b', other)], { match: 'strict-order' }))
      .opens()
      .says(other)
      .emits(sends(ready), 'fail WIRETAPE_NO_MATCH', 'close 4404')
  })
})

describe('a resumed session', () => {
  const first = connection([
    client(resumes(undefined)),
    server(ready),
    server(handle('h-1')),
    server(handle('h-2')),
    closed('client'),
  ])
  const second = connection([
    client(resumes('h-2')),
    server(ready),
    server(speech('second')),
    closed('client'),
  ])
  const third = connection([client(resumes('h-2')), server(ready), server(speech('third')), closed('client')])
  const started = () =>
    playbook(replayOf([first, second, third]))
      .opens(1)
      .says(resumes(undefined), 1)
      .emits(sends(ready), sends(handle('h-1')), sends(handle('h-2')))
      .leaves(undefined, undefined, 1)
      .opens(2)

  it('gets the connection with its handle, then the next one with it', () => {
    started()
      .says(resumes('h-2'), 2)
      .emits(sends(ready), sends(speech('second')))
      .leaves(undefined, undefined, 2)
      .opens(3)
      .says(resumes('h-2'), 3)
      .emits(sends(ready), sends(speech('third')))
      .leaves(undefined, undefined, 3)
      .reports({ failures: [], leftovers: [] })
  })

  it('gets the next one where it resumes from an earlier handle of the same recording', () => {
    started()
      .says(resumes('h-1'), 2)
      .emits(sends(ready), sends(speech('second')))
  })

  it('gets none with a handle that the recording never gave, or without one', () => {
    started()
      .says(resumes('h-9'), 2)
      .emits(sends(ready), 'fail WIRETAPE_NO_MATCH', 'close 4404')
      .explains('the handle it resumes: recorded one, received another')
    started()
      .says(resumes(undefined), 2)
      .emits(sends(ready), 'fail WIRETAPE_NO_MATCH', 'close 4404')
      .explains('the handle it resumes: recorded one, received none')
  })

  it('may bring a handle from outside where the recording began with one', () => {
    playbook(replayOf([second]))
      .opens()
      .says(resumes('of-another-day'))
      .emits(sends(ready), sends(speech('second')))
  })
})

describe('a connection that is decided before the first message', () => {
  const refused = connection(undefined, {
    response: {
      status: 429,
      reason: 'Slow down',
      headers: [['retry-after', '1']],
      body: { type: 'text', text: 'later' },
      trailers: [],
    },
  })

  it('is refused as it was, in its turn', () => {
    const replay = replayOf([talk('a'), refused, talk('b')])
    playbook(replay)
      .opens(1)
      .emits('accept')
      .opens(2)
      .emits('refuse 429 later', 'done 2 complete')
      .opens(3)
      .emits('accept')
    expect(replayOf([refused]).handle({ type: 'open', id: 1, url: URL, headers: [] }, 0)).toContainEqual({
      type: 'refuse',
      id: 1,
      status: 429,
      reason: 'Slow down',
      headers: [['retry-after', '1']],
      body: encodeUtf8('later'),
    })
  })

  it('is dropped where no answer came at all', () => {
    playbook(replayOf([connection(undefined, { end: { at: 1, how: 'upstream-error' } })]))
      .opens()
      .emits('drop', 'done 1 upstream-error')
  })

  it('speaks at once where the service spoke first', () => {
    playbook(replayOf([connection([closed('server', 1008, 'no such model')]), talk('b')]))
      .opens()
      .emits('accept', 'close 1008', 'done 1 complete')
      .leaves(1008)
      .emits()
      .opens(2)
      .says(setup, 2)
      .emits(sends(ready), sends(speech('b')))
  })

  it('is found behind any address, and is another one on another route', () => {
    playbook(replayOf([connection([server(turnComplete)], at('ws://elsewhere.example/x/y'))]))
      .opens(1, '/x/y?key=1')
      .emits('accept', sends(turnComplete))
  })
})

const KEY = `AIza${'x'.repeat(35)}`
const keyed = () =>
  replayOf(
    [
      connection([
        client(setup),
        server(ready),
        client(said('with redacted-api-key-7')),
        server(speech('a')),
      ]),
    ],
    {
      redactor: createRedactor(SECRET_RULES),
    },
  )

describe('a secret in what the client sends', () => {
  it('is compared as its placeholder, whatever its number, and never shown', () => {
    playbook(keyed())
      .opens()
      .says(setup)
      .says(said(`with ${KEY}`))
      .emits(sends(speech('a')))
    const replay = keyed()
    playbook(replay)
      .opens()
      .says(setup)
      .says(said(`without ${KEY}`))
      .emits('fail WIRETAPE_NO_MATCH', 'close 4404', 'done 1 abandoned')
      .explains('without redacted-api-key')
    expect(JSON.stringify(replay.report())).not.toContain(KEY)
  })
})
