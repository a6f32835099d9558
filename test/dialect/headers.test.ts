/** What a cassette keeps of headers. */
import { describe, expect, it } from 'vitest'
import { clientOf, isDroppedHeader } from '../../src/dialect/headers.ts'

describe('a request header', () => {
  it.each([
    ['accept-encoding', 'gzip'],
    ['accept-language', '*'],
    ['connection', 'keep-alive'],
    ['content-length', '5'],
    ['host', 'x'],
    ['sec-fetch-mode', 'cors'],
    ['user-agent', 'x'],
    ['x-goog-api-client', 'x'],
    ['x-goog-api-key', 'x'],
    ['authorization', 'x'],
    ['proxy-authorization', 'x'],
    ['cookie', ''],
    ['x-goog-user-project', 'x'],
    ['x-goog-iam-authorization-token', 'x'],
    ['content-type', 'application/json'],
    ['accept', '*/*'],
  ])('%s: %s is not kept', (name, value) => {
    expect(isDroppedHeader('request', name, value)).toBe(true)
  })

  it.each([
    ['content-type', 'multipart/form-data'],
    ['accept', 'text/event-stream'],
    ['api-revision', '2026-05-20'],
    ['x-server-timeout', '10'],
    ['x-goog-upload-command', 'start'],
    ['x-new', '1'],
    ['date', 'x'],
  ])('%s: %s is kept', (name, value) => {
    expect(isDroppedHeader('request', name, value)).toBe(false)
  })
})

describe('a response header', () => {
  it.each([
    'accept-ranges',
    'alt-svc',
    'cache-control',
    'connection',
    'content-disposition',
    'content-encoding',
    'content-length',
    'date',
    'expires',
    'keep-alive',
    'pragma',
    'server',
    'server-timing',
    'set-cookie',
    'transfer-encoding',
    'vary',
    'via',
    'x-content-type-options',
    'x-frame-options',
    'x-goog-sherlog-link',
    'x-xss-protection',
  ])('%s is not kept', name => {
    expect(isDroppedHeader('response', name, 'x')).toBe(true)
  })

  it.each([
    'content-type',
    'x-goog-upload-url',
    'x-goog-upload-status',
    'x-gemini-service-tier',
    'retry-after',
  ])('%s is kept', name => {
    expect(isDroppedHeader('response', name, 'application/json')).toBe(false)
  })
})

describe('the client of a recording', () => {
  it('is what its SDK says, whatever its HTTP client calls itself', () => {
    expect(
      clientOf([
        ['User-Agent', 'speakeasy-sdk/typescript 2.4.1'],
        ['X-Goog-Api-Client', 'google-genai-sdk/3.3.0 gl-node/v22.23.2'],
      ]),
    ).toBe('google-genai-sdk/3.3.0 gl-node/v22.23.2')
  })

  it('is the user agent where there is no SDK', () => {
    expect(
      clientOf([
        ['x-goog-api-client', ' '],
        ['user-agent', 'curl/8.5.0'],
      ]),
    ).toBe('curl/8.5.0')
  })

  it('is not known where nothing says it', () => {
    expect(clientOf([['accept', '*/*']])).toBeUndefined()
  })
})
