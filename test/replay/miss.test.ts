/** What is said to a request that is not on the recording. */
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { SERVICE, text, unary, UNARY_PATH } from './exchanges.ts'
import { playbook } from './playbook.ts'

const encode = (body: string): Uint8Array => new TextEncoder().encode(body)

function sent(body: string, url = `${SERVICE}${UNARY_PATH}`): Exchange {
  return unary('', '{}', { request: { method: 'POST', url, headers: [], body: text(body) } })
}

/** The message for a request with this body, where these bodies are recorded. */
function missFor(body: string | Uint8Array, ...recorded: readonly Exchange[]): string {
  const bytes = typeof body === 'string' ? encode(body) : body
  return playbook(recorded).asks(1, { url: UNARY_PATH, body: bytes }).failure().message
}

/** A long value that differs in its middle. */
const long = (tail: string): string => JSON.stringify({ a: `${'x'.repeat(5000)}${tail}${'y'.repeat(5000)}` })

describe('a miss', () => {
  it('shows both sides of the first difference, where it is, and what to do next', () => {
    const play = playbook([unary('Why is the sky blue?', '{}')])
    expect(play.asksFor('unary', 'Why is the sky green?').failure().message).toBe(
      [
        'This request is not on the recording: the text of the last user message changed.',
        '  asked:    POST models/m:generateContent',
        '  recorded: exchange 1 (line 3 of test.cassette.yaml), not asked for yet',
        '  differs:  $.contents[0].parts[0].text',
        '    recorded: "Why is the sky blue?"',
        '    received: "Why is the sky green?"',
        '',
        "If this value differs from run to run, ignore it: `ignore: ['/contents/0/parts/0/text']`.",
        'If the app is right, record again: with WIRETAPE_MODE=all (useCassette), or wiretape record test.cassette.yaml --overwrite',
        'If the body does not matter, set `match: route` on that exchange.',
      ].join('\n'),
    )
  })

  it('says the same as data', () => {
    const play = playbook([unary('a', '{}')])
    const nearest = {
      file: 'test.cassette.yaml',
      exchange: 1,
      line: 3,
      uses: 0,
      difference: {
        path: '$.contents[0].parts[0].text',
        pointer: '/contents/0/parts/0/text',
        recorded: '"a"',
        received: '"b"',
      },
      differences: 1,
    }
    expect(play.asksFor('unary', 'b').failure().details).toEqual({
      operation: 'POST models/m:generateContent',
      cause: 'user-text-changed',
      causes: ['user-text-changed'],
      ...nearest,
      nearMisses: [
        {
          ...nearest,
          operation: 'POST models/m:generateContent',
          used: false,
          cause: 'user-text-changed',
          words: ['the text of the last user message changed'],
        },
      ],
    })
  })

  it('says the same to programs in the answer', () => {
    const play = playbook([unary('a', '{}')])
    const { error } = JSON.parse(play.asksFor('unary', 'b').body()) as {
      readonly error: { readonly status: string; readonly message: string; readonly details: unknown }
    }
    expect(error).toMatchObject({ code: 400, status: 'FAILED_PRECONDITION' })
    expect(error.message).toBe(play.failure().message)
    expect(error.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'WIRETAPE_NO_MATCH',
        domain: 'wiretape',
        metadata: {
          operation: 'POST models/m:generateContent',
          cause: 'user-text-changed',
          file: 'test.cassette.yaml',
          exchange: '1',
          line: '3',
          uses: '0',
          path: '$.contents[0].parts[0].text',
          pointer: '/contents/0/parts/0/text',
          recorded: '"a"',
          received: '"b"',
          differences: '1',
        },
      },
    ])
  })

  it('is answered with 400 and JSON, also where a stream was asked for, and is kept', () => {
    const play = playbook([unary('a', '{}')])
    play.asksFor('stream', 'a')
    expect(play.head()).toMatchObject({
      status: 400,
      headers: [['content-type', 'application/json; charset=UTF-8']],
    })
    expect(play.report()).toMatchObject({ requests: 1, played: 0, failures: [{ code: 'WIRETAPE_NO_MATCH' }] })
  })

  it('names the unused exchange that differs least', () => {
    const message = missFor('{"a":1,"b":2,"c":4}', sent('{"a":2,"b":3,"c":3}'), sent('{"a":1,"b":2,"c":3}'))
    expect(message).toContain('recorded: exchange 2 (line 13')
    expect(message).toContain('differs:  $.c')
  })

  it('counts the other differences', () => {
    expect(missFor('{"a":1,"b":2,"c":3}', sent('{"a":2,"b":3}'))).toContain('and at 2 more places: $.b, $.c')
  })

  it('says of a request that is asked again that it was already asked for', () => {
    const play = playbook([unary('a', '{}'), unary('b', '{}')])
    const { message, details } = play.asksFor('unary', 'a').asksFor('unary', 'a').failure()
    expect(message).toContain(
      'The recording has no further answer to this request: it is the same request again.',
    )
    expect(message).toContain('exchange 1 (line 3 of test.cassette.yaml), was already asked for')
    expect(message).toContain('set `repeat: 2`')
    expect(details).toMatchObject({ exchange: 1, uses: 1 })
  })

  it('compares with a used exchange where no other has the operation', () => {
    const play = playbook([unary('a', '{}', { repeat: 2 })])
    const { message } = play.asksFor('unary', 'a').asksFor('unary', 'a').asksFor('unary', 'b').failure()
    expect(message).toContain('exchange 1 (line 3 of test.cassette.yaml), was already asked for 2 times')
    expect(message).toContain('received: "b"')
  })

  it('lists what is recorded, nearest first, where nothing has the operation', () => {
    const message = missFor(
      '{}',
      sent('{}', `${SERVICE}/interactions`),
      sent('{}', `${SERVICE}/models/m:countTokens`),
      sent('{}', `${SERVICE}/models/m:countTokens`),
    )
    expect(message).toBe(
      [
        'This request is not on the recording: no such operation is recorded.',
        '  asked:    POST models/m:generateContent',
        '  recorded: POST models/m:countTokens',
        '            POST interactions',
        '',
        'Is this the right cassette?',
        'If the app is right, record again: with WIRETAPE_MODE=all (useCassette), or wiretape record test.cassette.yaml --overwrite',
      ].join('\n'),
    )
  })

  it('holds the request against another model or a stream, where only those are recorded', () => {
    const message = missFor('{"a":1}', sent('{"a":1}', `${SERVICE}/models/mm:generateContent`))
    expect(message).toBe(
      [
        'This request is not on the recording: the model is m, recorded with mm.',
        '  asked:    POST models/m:generateContent',
        '  recorded: POST models/mm:generateContent, exchange 1 (line 3 of test.cassette.yaml), not asked for yet',
        '',
        'If the app is right, record again: with WIRETAPE_MODE=all (useCassette), or wiretape record test.cassette.yaml --overwrite',
      ].join('\n'),
    )
  })

  it('says so where nothing is recorded', () => {
    expect(missFor('{}')).toContain('recorded: nothing at all')
  })
})

describe('what must not be shown', () => {
  it('is left out where a header gives it away, whatever it looks like', () => {
    const play = playbook([sent('{"a":"b"}')])
    const headers = [['x-goog-api-key', 'correct-horse-battery']] as const
    const body = encode('{"a":"the key is correct-horse-battery"}')
    const { message } = play.asks(1, { url: UNARY_PATH, headers, body }).failure()
    expect(message).toContain('received: "the key is redacted-api-key')
    expect(message).not.toContain('horse')
  })

  it('is left out of causes and near misses, for people and for programs', () => {
    const answer = (id: string, name: string): string =>
      JSON.stringify({
        systemInstruction: name,
        contents: [{ parts: [{ functionResponse: { id, name, response: {} } }] }],
      })
    const play = playbook([sent(answer('a', 'f')), sent(answer('b', 'g'))])
    const headers = [['x-goog-api-key', 'correct-horse-battery']] as const
    const body = encode(answer('correct-horse-battery', `AIza${'Sy'.repeat(17)}Q`))
    const { message, details } = play.asks(1, { url: UNARY_PATH, headers, body }).failure()
    expect(message).toContain('the system instruction changed; also the function response of redacted-')
    expect(details['nearMisses']).toHaveLength(2)
    for (const told of [message, JSON.stringify(details), play.body()]) expect(told).not.toMatch(/horse|AIza/)
  })

  it('is not the way to the cassette', () => {
    const { message } = playbook([sent('{}')], { file: '/home/me/projects/chat/a.cassette.yaml' })
      .asks(1, { url: UNARY_PATH, body: encode('[]') })
      .failure()
    expect(message).toContain('wiretape record /home/me/projects/chat/a.cassette.yaml --overwrite')
  })
})

describe('a miss on a cassette that was made in a program', () => {
  it('names no command, since there is no file to record', () => {
    const { message } = playbook([sent('{}')], { file: 'a cassette that was built' })
      .asks(1, { url: UNARY_PATH, body: encode('[]') })
      .failure()
    expect(message).toContain('If the app is right, change the cassette.')
    expect(message).not.toContain('wiretape record')
  })
})

describe('a difference', () => {
  it.each([
    ['a value that is missing', '{"a":[1]}', '{"a":[1,{"b":2}]}', '$.a[1]', '(nothing)', '{"b":2}'],
    ['a value too many', '{"a":[1,2]}', '{"a":[1]}', '$.a[1]', '2', '(nothing)'],
    ['another type', '{"a":{"b":1}}', '{"a":[1]}', '$.a', '{"b":1}', '[1]'],
    ['null', '{"a":{}}', '{"a":null}', '$.a', '{}', 'null'],
    ['the root', '{"a":1}', '[1]', '$', '{"a":1}', '[1]'],
    ['a key that needs quotes', '{"a-b":{"c d":1}}', '{"a-b":{"c d":2}}', '$["a-b"]["c d"]', '1', '2'],
    ['a key that objects inherit', '{}', '{"constructor":1}', '$.constructor', '(nothing)', '1'],
    ['no body', '', '{"a":1}', '$', '(nothing)', '{"a":1}'],
    ['no JSON', '{"a":1}', 'a=1', '$', '{"a":1}', 'a=1'],
  ])('shows %s', (_, recorded, received, path, mine, theirs) => {
    const message = missFor(received, sent(recorded))
    expect(message.split('\n').slice(3, 6)).toEqual([
      `  differs:  ${path}`,
      `    recorded: ${mine}`,
      `    received: ${theirs}`,
    ])
  })

  it('shows where two texts part', () => {
    const message = missFor('one three', sent('one two'))
    expect(message).toContain('differs:  character 5\n    recorded: one two\n    received: one three\n')
  })

  it('shows the first byte that differs, and how long both are', () => {
    const binary = { type: 'base64', base64: '/wABAg==' } as const
    const recorded = { ...sent(''), request: { ...sent('').request, body: binary } }
    const message = missFor(Uint8Array.of(255, 0, 9, 2, 4), recorded)
    expect(message.split('\n').slice(3, 6)).toEqual([
      '  differs:  byte 2',
      '    recorded: 01 02 (4 bytes)',
      '    received: 09 02 04 (5 bytes)',
    ])
  })

  it('shows at most 200 characters of a value, around the place where the sides part', () => {
    const [, , , , recorded = '', received = ''] = missFor(long('new'), sent(long('old'))).split('\n')
    expect(recorded).toMatch(/^ {4}recorded: \.{3}x{40}oldy+\.{3}$/)
    expect(received).toMatch(/^ {4}received: \.{3}x{40}newy+\.{3}$/)
    expect(recorded.length).toBe('    recorded: '.length + 200)
  })

  it('holds no key, though the key is longer than what is shown or spelled with escapes', () => {
    const key = `AIza${'Sy'.repeat(17)}Q`
    const spelled = key.replace('Sy', 'S\\u0079')
    for (const value of [key, spelled, `${'x'.repeat(190)} ${spelled}`]) {
      const message = missFor(`{"a":"${value}"}`, sent('{"a":"b"}'))
      expect(message).toContain('redac')
      expect(message).not.toContain(key.slice(0, 12))
    }
  })
})
