/**
 * Which header fields a cassette does not keep, and what they tell of the client.
 *
 * Deny lists: a field that is new tomorrow is kept. They come from 249 recorded exchanges, in which only
 * `content-type` and the upload fields then remain.
 *
 * Room: dialect.
 */
import { headerValue, type HeaderList } from '../wire/headers.ts'
import { SECRET_HEADERS } from './secrets.ts'

/** Transport, which a replay has of its own. */
const TRANSPORT = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const REQUEST: ReadonlySet<string> = new Set([
  ...TRANSPORT,
  'accept-encoding',
  'accept-language',
  'expect',
  'forwarded',
  'host',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-version',
  'user-agent',
  'via',
  'x-goog-api-client',
])

const RESPONSE: ReadonlySet<string> = new Set([
  ...TRANSPORT,
  'accept-ranges',
  'alt-svc',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'date',
  'expires',
  'pragma',
  'server',
  'server-timing',
  'set-cookie',
  'vary',
  'via',
  'x-content-type-options',
  'x-frame-options',
  'x-goog-sherlog-link',
  'x-xss-protection',
])

/** True for a header field that a cassette does not keep. Names in lower case. Deny lists: what is new is kept. */
export function isDroppedHeader(side: 'request' | 'response', name: string, value: string): boolean {
  if (side === 'response') return RESPONSE.has(name)
  if (REQUEST.has(name) || SECRET_HEADERS.has(name)) return true
  if (name.startsWith('sec-fetch-') || name.startsWith('x-forwarded-')) return true
  return (name === 'content-type' && value === 'application/json') || (name === 'accept' && value === '*/*')
}

/**
 * The name and version of the client library, from its request headers; undefined where it does not say.
 *
 * An SDK says it in `x-goog-api-client` (`google-genai-sdk/3.3.0 gl-node/v22.23.2`), even where its HTTP
 * client has a `user-agent` of its own (js-genai Interactions).
 */
export function clientOf(headers: HeaderList): string | undefined {
  return [headerValue(headers, 'x-goog-api-client'), headerValue(headers, 'user-agent')]
    .map(value => value?.trim())
    .find(value => value !== undefined && value !== '')
}
