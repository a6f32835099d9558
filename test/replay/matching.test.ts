/** What makes a request the recorded one: a function, places to ignore, what is allowed, and what is passed on. */
import { describe, expect, it } from 'vitest'
import { WiretapeError } from '../../src/errors.ts'
import type { Matcher, MatchRequest } from '../../src/replay/matching.ts'
import { SERVICE, text, unary, UNARY_PATH } from './exchanges.ts'
import * as live from './live-playbook.ts'
import { playbook } from './playbook.ts'

const encode = (body: string): Uint8Array => new TextEncoder().encode(body)
const ask = (body: string) => ({ url: UNARY_PATH, body: encode(body) })
const sent = (body: string) =>
  unary('', '{}', {
    request: {
      method: 'POST',
      url: `${SERVICE}${UNARY_PATH}`,
      headers: [['accept', '*/*']],
      body: text(body),
    },
  })
const answered = ['head 1: 200', 'chunk 1: {}', 'end 1', 'done 1: complete']

function thrownBy(act: () => unknown): WiretapeError {
  try {
    act()
  } catch (error) {
    if (error instanceof WiretapeError) return error
  }
  throw new Error('threw no WiretapeError')
}

describe('a function that matches', () => {
  it('gets both requests as plain data, bodies as they are compared, and decides', () => {
    const seen: (readonly [MatchRequest, MatchRequest])[] = []
    const match: Matcher = (recorded, received) => {
      seen.push([recorded, received])
      return true
    }
    playbook([sent('{"generation_config":{"topK":1}}')], { match })
      .asks(1, {
        ...ask('{"other":true}'),
        headers: [
          ['X-Goog-Api-Key', 'secret-of-mine'],
          ['Accept', 'a'],
          ['accept', 'b'],
        ],
      })
      .does(...answered)
    expect(seen).toEqual([
      [
        {
          operation: 'POST models/m:generateContent',
          method: 'POST',
          url: `${SERVICE}${UNARY_PATH}`,
          headers: { accept: '*/*' },
          body: { generationConfig: { topK: 1 } },
        },
        {
          operation: 'POST models/m:generateContent',
          method: 'POST',
          url: UNARY_PATH,
          headers: { 'x-goog-api-key': expect.stringContaining('redacted-'), accept: 'a, b' },
          body: { other: true },
        },
      ],
    ])
  })

  it('is asked only about exchanges of the same operation, and not where an exchange says its own', () => {
    const never: Matcher = () => {
      throw new Error('asked')
    }
    const play = playbook([{ ...sent('{}'), match: 'body' }], { match: never })
    play.asks(1, ask('{}')).does(...answered)
    play.asks(2, { method: 'GET', url: '/v1beta/files' }).failure()
  })

  it.each<readonly [string, Matcher, string]>([
    ['throws', () => JSON.parse('{'), 'The `match` function failed: it threw SyntaxError'],
    [
      'is asynchronous',
      (async () => true) as unknown as Matcher,
      'The `match` function failed: it returned a promise instead of true or false.',
    ],
    [
      'forgets to return',
      (() => {}) as unknown as Matcher,
      'The `match` function failed: it returned a value of type undefined instead of true or false.',
    ],
  ])('that %s is a failure that says so, and nothing matches', (_, match, words) => {
    const failure = playbook([sent('{}'), sent('{}')], { match, onMiss: 'pass' })
      .asks(1, ask('{}'))
      .failure()
    expect(failure.message).toContain(words)
    expect(failure.details).toMatchObject({ cause: 'match-function-failed' })

    const socket = live.replayOf([live.connection([live.client(live.setup)])], { match })
    live.playbook(socket).opens().says(live.setup).explains(words).reports({ played: 0 })
  })

  it('decides over the messages of a socket, each with its address', () => {
    const seen: unknown[] = []
    const match: Matcher = (recorded, received) => {
      seen.push([recorded.body, received.body, recorded.url, received.method])
      return true
    }
    const messages = [
      live.client(live.setup),
      live.server(live.call('a')),
      live.client(live.answer('a')),
      live.server(live.speech('done')),
    ]
    live
      .playbook(live.replayOf([live.connection(messages)], { match }))
      .opens()
      .says({ setup: { model: 'models/other' } })
      .says({ toolResponse: { functionResponses: [{ id: 'a', response: { other: 1 } }] } })
      .emits(live.sends(live.speech('done')))
      .leaves()
      .reports({ failures: [], leftovers: [] })
    expect(seen.at(0)).toEqual([{ setup: { model: 'm' } }, { setup: { model: 'other' } }, live.URL, 'GET'])
    expect(seen.at(-1)).toEqual([
      { toolResponse: { functionResponses: [{ id: 'a', name: 'f', response: { of: 'a' } }] } },
      { toolResponse: { functionResponses: [{ id: 'a', response: { other: 1 } }] } },
      live.URL,
      'GET',
    ])
  })
})

describe('a function that takes out of both requests what it does not compare', () => {
  it('finds the next ones whole', () => {
    const match: Matcher = (recorded, received) => {
      const [one, other] = [recorded, received].map(({ body }) => body as { contents?: string[] })
      return one?.contents?.pop() === other?.contents?.pop()
    }
    playbook([sent('{"contents":["a","x"]}'), sent('{"contents":["a","y"]}')], { match })
      .asks(1, ask('{"contents":["a","y"]}'))
      .does(...answered)
      .asks(2, ask('{"contents":["a","x"]}'))
      .does('head 2: 200', 'chunk 2: {}', 'end 2', 'done 2: complete')
  })
})

describe('an ignored place', () => {
  it.each([
    ['a value', '/a', '{"a":1,"b":2}', '{"a":9,"b":2}'],
    ['a value that only one side has', '/a', '{"a":1,"b":2}', '{"b":2}'],
    ['any item', '/a/*/id', '{"a":[{"id":1},{"id":2}]}', '{"a":[{"id":8},{"id":9}]}'],
    ['any key', '/labels/*/at', '{"labels":{"x":{"at":1}}}', '{"labels":{"x":{"at":2}}}'],
    ['one item', '/a/0', '{"a":[1,2]}', '{"a":[3,2]}'],
    ['a last item that only one side has', '/a/1', '{"a":[1]}', '{"a":[1,2]}'],
    ['a key with a slash and a tilde', '/a~1b~0c', '{"a/b~c":1}', '{"a/b~c":2}'],
    [
      'a place in the other key case',
      '/generation_config/seed',
      '{"generationConfig":{"seed":1}}',
      '{"generationConfig":{"seed":2}}',
    ],
  ])('does not count: %s', (_, pointer, recorded, received) => {
    playbook([sent(recorded)], { ignore: [pointer] })
      .asks(1, ask(received))
      .does(...answered)
    playbook([sent(recorded)])
      .asks(1, ask(received))
      .failure()
  })

  it.each([
    ['on the recording', '{"contents":[],"generationConfig":{"seed":1}}', '{"contents":[]}'],
    ['in the request', '{"contents":[]}', '{"contents":[],"generationConfig":{"seed":1}}'],
    ['and in the other are none', '{"generationConfig":{"seed":1}}', '{"generation_config":{}}'],
  ])('that was the only setting %s leaves none', (_, recorded, received) => {
    playbook([sent(recorded)], { ignore: ['/generationConfig/seed'] })
      .asks(1, ask(received))
      .does(...answered)
  })

  it('that was the only setting of a socket leaves none', () => {
    const setup = (settings: object) => ({ setup: { model: 'models/m', ...settings } })
    const recorded = [
      live.client(setup({ generationConfig: { seed: 1 } })),
      live.server({ setupComplete: {} }),
    ]
    live
      .playbook(live.replayOf([live.connection(recorded)], { ignore: ['/setup/generationConfig/seed'] }))
      .opens()
      .says(setup({}))
      .emits(live.sends({ setupComplete: {} }))
  })

  it.each([
    ['another value', '/a', '{"a":1,"b":2}', '{"a":1,"b":3}'],
    ['what stands deeper', '/b', '{"a":{"b":1}}', '{"a":{"b":2}}'],
    ['another item', '/a/0', '{"a":[1,2]}', '{"a":[1,3]}'],
    ['how many items there are', '/a/*/id', '{"a":[{"id":1}]}', '{"a":[{"id":1},{"id":2}]}'],
  ])('hides nothing else: %s', (_, pointer, recorded, received) => {
    playbook([sent(recorded)], { ignore: [pointer] })
      .asks(1, ask(received))
      .failure()
  })

  it('of a socket is a place in a message, wherever a function response stands in it', () => {
    const ignore = ['/clientContent/turns/0/parts/0/text', '/toolResponse/functionResponses/*/response/of']
    const messages = [
      live.client(live.setup),
      live.client(live.said('a')),
      live.server(live.call('x')),
      live.client(live.answer('x')),
      live.server(live.speech('done')),
    ]
    const play = live.playbook(live.replayOf([live.connection(messages)], { ignore }))
    play
      .opens()
      .says(live.setup)
      .says(live.said('b'))
      .says({ toolResponse: { functionResponses: [{ id: 'x', name: 'f', response: { of: 'other' } }] } })
      .emits(live.sends(live.speech('done')))
    live
      .playbook(live.replayOf([live.connection(messages)], { ignore }))
      .opens()
      .says({ setup: { model: 'models/other' } })
      .reports({ failures: [{ code: 'WIRETAPE_NO_MATCH' }] })
  })

  it('may be the handle by which a session resumes', () => {
    const resuming = (handle: string) => ({ setup: { model: 'models/m', sessionResumption: { handle } } })
    const given = { sessionResumptionUpdate: { newHandle: 'h-1', resumable: true } }
    const first = live.connection([
      live.client(live.setup),
      live.server(live.ready),
      live.server(given),
      live.closed('client'),
    ])
    const second = live.connection([live.client(resuming('h-1')), live.server(live.ready)])
    const play = (ignore: readonly string[]) =>
      live
        .playbook(live.replayOf([first, second], { ignore }))
        .opens()
        .says(live.setup)
        .leaves()
        .opens(2)
        .says(resuming('from-elsewhere'), 2)
    play([]).reports({ failures: [{ details: { cause: 'session-handle-changed' } }] })
    play(['/setup/sessionResumption/handle']).reports({ failures: [], leftovers: [] })
  })

  it.each([
    ['$.contents[0].parts[*].text', '/contents/0/parts/*/text'],
    ['contents/0', '/contents/0'],
    ['#/contents/0', '/contents/0'],
    ['/a~b', '/a~0b'],
    ['', "match: 'route'"],
  ])('that is no pointer is an error with what would be: %s', (ignore, right) => {
    for (const act of [
      () => playbook([], { ignore: [ignore] }),
      () => live.replayOf([], { ignore: [ignore] }),
    ]) {
      const { code, message } = thrownBy(act)
      expect(code).toBe('WIRETAPE_USAGE')
      expect(message).toContain(right)
    }
  })
})

describe('what is allowed', () => {
  it('fails nothing and is a note, by its name alone', () => {
    const exchanges = [unary('a', '{}'), unary('b', '{}')]
    const play = playbook(exchanges, { allow: ['never-asked'] }).asksFor('unary', 'a')
    expect(play.report()).toMatchObject({
      leftovers: [],
      notes: [expect.stringMatching(/^allowed \(never-asked\): .*exchange 2 .* was never asked for$/)],
    })
    expect(playbook(exchanges, { allow: ['abandoned'] }).report().leftovers).toHaveLength(2)
  })

  it('may be a request too many: it is refused, and fails nothing', () => {
    const play = playbook([unary('a', '{}')], { allow: ['extra-request'] })
    play.asksFor('unary', 'a').asksFor('unary', 'a')
    expect(play.head().status).toBe(400)
    expect(play.report()).toMatchObject({
      failures: [],
      leftovers: [],
      notes: [expect.stringMatching(/^allowed \(extra-request\): /)],
    })
  })

  it('does not hide a changed request: its recorded one is left', () => {
    const play = playbook([unary('a', '{}')], { allow: ['extra-request'] }).asksFor('unary', 'b')
    expect(play.report()).toMatchObject({ failures: [], leftovers: [{ kind: 'never-asked' }] })
  })

  it('may be a socket too many, and one that was left', () => {
    const messages = [
      live.client(live.setup),
      live.server(live.ready),
      live.client(live.said('x')),
      live.server(live.speech('a')),
    ]
    live
      .playbook(live.replayOf([live.connection(messages)], { allow: ['never-reached', 'extra-request'] }))
      .opens(1)
      .says(live.setup)
      .leaves()
      .opens(2)
      .says(live.setup, 2)
      .emits(live.sends(live.ready), 'close 4404')
      .reports({
        failures: [],
        leftovers: [],
        notes: [
          expect.stringMatching(/^allowed \(extra-request\): /),
          expect.stringMatching(/^allowed \(never-reached\): /),
        ],
      })
  })

  it('is not a message on a socket that is not the recorded one', () => {
    const messages = [live.client(live.setup), live.client(live.said('x'))]
    live
      .playbook(live.replayOf([live.connection(messages)], { allow: ['extra-request'] }))
      .opens()
      .says(live.setup)
      .says(live.said('y'))
      .reports({ failures: [{ code: 'WIRETAPE_NO_MATCH' }] })
  })

  it('has names, and others are an error', () => {
    // @ts-expect-error: what a user without types may write.
    const { code, message } = thrownBy(() => playbook([], { allow: ['never-askd'] }))
    expect(code).toBe('WIRETAPE_USAGE')
    expect(message).toContain('never-asked, abandoned, never-reached, never-sent, extra-request')
  })
})

describe('a replay that passes on what it has not', () => {
  it('fails nothing, uses nothing, and says why', () => {
    const play = playbook([unary('a', '{}')], { onMiss: 'pass' })
    play.asksFor('unary', 'b').does('pass 1')
    play.asksFor('unary', 'a', 2).does('head 2: 200', 'chunk 2: {}', 'end 2', 'done 2: complete')
    expect(play.report()).toMatchObject({ failures: [], leftovers: [], requests: 2, played: 1 })
  })

  it('passes a socket on at once where nothing can answer it, else at its first message', () => {
    const messages = [live.client(live.setup), live.server(live.ready)]
    live
      .playbook(live.replayOf([live.connection(messages)], { onMiss: 'pass' }))
      .opens(1)
      .emits('accept')
      .says({ setup: { model: 'models/other' } }, 1)
      .emits('pass')
      .leaves(1000, '', 1)
      .emits()
      .opens(2)
      .says(live.setup, 2)
      .emits(live.sends(live.ready))
      .opens(3)
      .emits('pass')
      .reports({ failures: [], played: 1, requests: 3 })
  })
})
