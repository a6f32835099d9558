/** Which recorded exchange answers which request. */
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { SERVICE, text, unary, UNARY_PATH } from './exchanges.ts'
import { playbook } from './playbook.ts'

const encode = (body: string): Uint8Array => new TextEncoder().encode(body)

/** An exchange that sent this body to this path. */
function sent(body: string | undefined, answer: string, more: Partial<Exchange['request']> = {}): Exchange {
  const request = {
    method: 'POST',
    url: `${SERVICE}${UNARY_PATH}`,
    headers: [],
    body: body === undefined ? undefined : text(body),
    ...more,
  }
  return unary('', answer, { request })
}

/** Where the upload with this number goes on. */
const uploadUrl = (id: number): string =>
  `${new URL(SERVICE).origin}/upload/v1beta/files?upload_id=redacted-upload-id-${id}`

const answeredWith = (answer: string, id = 1): string[] => [
  `head ${id}: 200`,
  `chunk ${id}: ${answer}`,
  `end ${id}`,
  `done ${id}: complete`,
]

describe('a request', () => {
  it('gets the first exchange that is not used up and whose body matches, in whatever order it comes', () => {
    const play = playbook([unary('a', 'one'), unary('b', 'two'), unary('a', 'three')])
    play.asksFor('unary', 'b').does(...answeredWith('two'))
    play.asksFor('unary', 'a').does(...answeredWith('one'))
    play.asksFor('unary', 'a').does(...answeredWith('three'))
  })

  it.each([
    ['spacing and the order of keys', '{"contents": [ ],\n "generationConfig": {"topK": 1, "topP": 0.5}}'],
    ['key case', '{"contents":[],"generation_config":{"top_k":1,"top_p":0.5}}'],
    ['how a number is spelled', '{"contents":[],"generationConfig":{"topK":1.0,"topP":5e-1}}'],
    ['a last line feed, and escapes', '{"contents":[],"\\u0067enerationConfig":{"topK":1,"topP":0.5}}\n'],
  ])('matches whatever its %s', (_, body) => {
    playbook([sent('{"contents":[],"generationConfig":{"topK":1,"topP":0.5}}', 'yes')])
      .asks(1, { url: `/v1${UNARY_PATH}`, body: encode(body) })
      .does(...answeredWith('yes'))
  })

  it('is compared by its words, not by the service, version, project or credentials it is sent with', () => {
    const url =
      'https://us-central1-aiplatform.googleapis.com/v1beta1/projects/redacted-project-1/locations/us-central1/publishers/google/models/m:generateContent'
    playbook([sent('{}', 'yes', { url })])
      .asks(1, {
        url: '/v1/projects/mine/locations/us-central1/publishers/google/models/m:generateContent?key=AIzaSomething',
        body: encode('{}'),
      })
      .does(...answeredWith('yes'))
  })

  it('compares placeholders without their numbers', () => {
    playbook([sent('{"name":"redacted-token-7"}', 'yes')])
      .asks(1, { url: UNARY_PATH, body: encode('{"name":"redacted-token-1"}') })
      .does(...answeredWith('yes'))
  })

  it('may have no body, which is not the same as an empty object', () => {
    const play = playbook([sent(undefined, 'none'), sent('{}', 'empty')])
    play.asks(1, { url: UNARY_PATH, body: encode('{}') }).does(...answeredWith('empty'))
    play.asks(1, { url: UNARY_PATH }).does(...answeredWith('none'))
  })

  it('is compared as text where it is no JSON, and byte by byte where it is no text', () => {
    const play = playbook([
      sent('plain', 'text'),
      sent(undefined, 'bytes', { body: { type: 'base64', base64: '/wAB' } }),
    ])
    play.asks(1, { url: UNARY_PATH, body: Uint8Array.of(255, 0, 1) }).does(...answeredWith('bytes'))
    play.asks(1, { url: UNARY_PATH, body: encode('plain ') }).failure()
    play.asks(1, { url: UNARY_PATH, body: encode('plain') }).does(...answeredWith('text'))
  })

  it('uploads a file, and is compared by the bytes of it though they are JSON', () => {
    const headers = [['x-goog-upload-command', 'upload, finalize']] as const
    const url = `${new URL(SERVICE).origin}/upload/v1beta/files?upload_id=redacted-upload-id-1`
    const upload = { url: '/upload/v1beta/files?upload_id=redacted-upload-id-1', headers }
    const play = playbook([sent('{"a": 1}', 'yes', { url, headers })])
    play.asks(1, { ...upload, body: encode('{"a":1}') }).failure()
    play.asks(1, { ...upload, body: encode('{"a": 1}') }).does(...answeredWith('yes'))
  })

  it('goes on with its own upload where another one sends the same', () => {
    const play = playbook([
      sent('bytes', 'one', { url: uploadUrl(1) }),
      sent('bytes', 'two', { url: uploadUrl(2) }),
    ])
    const path = (id: number): string => uploadUrl(id).slice(new URL(uploadUrl(id)).origin.length)
    play.asks(1, { url: path(2), body: encode('bytes') }).does(...answeredWith('two'))
    play.asks(1, { url: path(1), body: encode('bytes') }).does(...answeredWith('one'))
  })
})

describe('an exchange', () => {
  it('answers as often as `repeat` says', () => {
    const play = playbook([unary('a', 'one', { repeat: 2 }), unary('a', 'two', { repeat: 'always' })])
    play.asksFor('unary', 'a').does(...answeredWith('one'))
    play.asksFor('unary', 'a').does(...answeredWith('one'))
    play.asksFor('unary', 'a').does(...answeredWith('two'))
    play.asksFor('unary', 'a').does(...answeredWith('two'))
    expect(play.report().leftovers).toEqual([])
  })

  it('takes any body with `match: route`', () => {
    const play = playbook([unary('a', 'one', { match: 'route' }), unary('b', 'two')])
    play.asksFor('unary', 'b').does(...answeredWith('one'))
    play.asksFor('unary', 'b').does(...answeredWith('two'))
  })

  it('waits for those before it with `match: strict-order`, and names the first of them', () => {
    const play = playbook([unary('a', 'one'), unary('b', 'two', { match: 'strict-order' })])
    const { message, details } = play.asksFor('unary', 'b').failure()
    expect(message).toContain('This request came before its turn on the recording: it is asked out of order.')
    expect(message).toContain('first:    POST models/m:generateContent, exchange 1 (line 3')
    expect(details).toMatchObject({ exchange: 2, first: 1 })
    play.asksFor('unary', 'a').does(...answeredWith('one'))
    play.asksFor('unary', 'b').does(...answeredWith('two'))
  })
})

describe('a replay', () => {
  it('compares only routes with `match: route`, but for exchanges that say otherwise', () => {
    const play = playbook([unary('a', 'one'), unary('b', 'two', { match: 'body' })], { match: 'route' })
    play.asksFor('unary', 'x').does(...answeredWith('one'))
    play.asksFor('unary', 'x').failure()
  })

  it('takes requests in recorded order only with `match: strict-order`', () => {
    const play = playbook([unary('a', 'one', { repeat: 2 }), unary('b', 'two')], { match: 'strict-order' })
    play.asksFor('unary', 'a').does(...answeredWith('one'))
    play.asksFor('unary', 'b').failure()
    play.asksFor('unary', 'a').does(...answeredWith('one'))
    play.asksFor('unary', 'b').does(...answeredWith('two'))
  })
})
