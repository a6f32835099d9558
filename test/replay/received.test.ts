/** What a line says of what a client sent: as it was sent, but for secrets and for the bytes of media. */
import { describe, expect, it } from 'vitest'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { bodyReceived, messageReceived } from '../../src/replay/received.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'

/** Of the shape of a key, and the key of nothing. */
const KEY = `AIza${'Sy01234567'.repeat(4)}`

const bytes = (value: unknown): Uint8Array =>
  encodeUtf8(typeof value === 'string' ? value : JSON.stringify(value))
const body = (value: unknown, headers: readonly (readonly [string, string])[] = []) =>
  bodyReceived(bytes(value), headers, createRedactor(SECRET_RULES))
const message = (sent: Uint8Array) => messageReceived(sent, createRedactor(SECRET_RULES))

describe('a request', () => {
  it('is told as its client spelled it', () => {
    const sent = { contents: [{ parts: [{ inline_thing: 1 }] }], generation_config: {}, z: null, a: 0.5 }
    expect(JSON.stringify(body(sent))).toBe(JSON.stringify({ body: sent }))
  })

  it('is text where it is no JSON object or list, and nothing where it has no body', () => {
    expect(body('{"half":')).toEqual({ text: '{"half":' })
    expect(body('"a string"')).toEqual({ text: '"a string"' })
    expect(body('')).toEqual({})
  })

  it.each([
    '{"id": 12345678901234567890}',
    '{"top": 1e400}',
    '{"twice": 1, "twice": 2}',
    '{"2": "before", "1": "after"}',
    `{"deep": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  ])('is text where a value would say something else: %.40s', sent => {
    expect(body(sent)).toEqual({ text: sent })
    expect(message(bytes(sent))).toEqual({ text: sent })
  })

  it('is a number of bytes where it is compressed in a way that is not known', () => {
    const sent = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd)
    const redactor = createRedactor(SECRET_RULES)
    expect(bodyReceived(sent, [['content-encoding', 'zstd']], redactor)).toEqual({ bytes: 4 })
    expect(bodyReceived(bytes('{}'), [['content-encoding', 'gzip']], redactor)).toEqual({ body: {} })
  })

  it('is base64 where it is no text', () => {
    expect(bodyReceived(Uint8Array.of(255, 0, 1), [], createRedactor(SECRET_RULES))).toEqual({
      base64: '/wAB',
    })
  })

  it.each([[['content-type', 'image/png']], [['X-Goog-Upload-Command', 'upload, finalize']]] as const)(
    'is a number of bytes where it is a file: %o',
    field => expect(body('{"not": "told"}', [field])).toEqual({ bytes: 15 }),
  )

  it('has placeholders for secrets, in values and in text', () => {
    expect(body({ tools: [{ apiKeyString: 'my own secret key' }], note: `a ${KEY}` })).toEqual({
      body: {
        tools: [{ apiKeyString: 'redacted-api-key-1' }],
        note: 'a redacted-api-key-2',
      },
    })
    expect(JSON.stringify(body(`not JSON ${KEY}`))).not.toContain(KEY)
  })

  it('ends before a key that hides in base64, and says so', () => {
    const told = body({ first: 'seen', blob: btoa(`xx${KEY}xx`), last: 'unseen' })
    expect(told).toMatchObject({ text: expect.stringContaining('seen'), refused: 'api-key' })
    expect(JSON.stringify(told)).not.toContain('unseen')
  })
})

describe('media', () => {
  it.each([
    ['in either spelling', { mimeType: 'audio/pcm', data: 'AAAA' }, { mimeType: 'audio/pcm', bytes: 3 }],
    ['with padding', { data: 'AA==', mime_type: 'image/png' }, { bytes: 1, mime_type: 'image/png' }],
    ['in the other alphabet', { mimeType: 'image/png', data: '-_-_' }, { mimeType: 'image/png', bytes: 3 }],
  ])('is its number of bytes: %s', (_, inlineData, told) => {
    expect(body({ contents: [{ parts: [{ inlineData }] }] })).toEqual({
      body: { contents: [{ parts: [{ inlineData: told }] }] },
    })
  })

  it.each([
    [{ data: 'AAAA' }],
    [{ mimeType: 'text/plain', data: 'not base64' }],
    [{ mimeType: 'text/plain', data: 'AAAA', bytes: 'taken' }],
    [{ thoughtSignature: 'AAAA', mimeType: 'x/y' }],
  ])('is not what merely looks like it: %o', sent => {
    expect(body(sent)).toEqual({ body: sent })
  })
})

describe('a message', () => {
  it('is told as its client spelled it, whatever it says', () => {
    const sent = { client_content: { turns: [], turn_complete: true } }
    expect(message(bytes(sent))).toEqual({ message: sent })
    const sound = { realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', data: 'AAAA' } } }
    expect(message(bytes(sound))).toEqual({
      message: { realtimeInput: { audio: { mimeType: 'audio/pcm;rate=16000', bytes: 3 } } },
    })
  })

  it('is text or base64 where it is no JSON', () => {
    expect(message(bytes('hello'))).toEqual({ text: 'hello' })
    expect(message(Uint8Array.of(0xc0))).toEqual({ base64: 'wA==' })
  })
})
