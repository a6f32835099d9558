/**
 * Gives a placeholder for an access token to whoever asks a replay for one: a client of Vertex AI asks before its
 * first request, with whatever credentials it has, and a recording has none.
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import { hostKind } from '../dialect/hosts.ts'
import type { RequestHandler } from './listener.ts'
import { readableByPage } from './own-pages.ts'
import { reachedBy } from './reached.ts'

/** Where a replay server gives tokens, beside the hosts that give out real ones. */
export const TOKEN_PATH = '/.wiretape/token'

/** What stands for an access token. */
const TOKEN = 'replayed-by-wiretape'
const LIFETIME_S = 3600

/** The same handler, but for requests for a token. */
export function answeringTokens(handler: RequestHandler): RequestHandler {
  return (request, response) => {
    if (!asksForToken(request)) {
      handler(request, response)
      return
    }
    request.resume()
    const expires = new Date(Date.now() + LIFETIME_S * 1000).toISOString()
    const headers = readableByPage(request, [['content-type', 'application/json; charset=UTF-8']])
    for (const [name, value] of headers) response.setHeader(name, value)
    // For those who ask as RFC 6749 §5.1 and RFC 8693 §2.2.1 say, and for those who ask to be another account.
    response.end(
      JSON.stringify({
        access_token: TOKEN,
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: LIFETIME_S,
        accessToken: TOKEN,
        expireTime: expires.replace(/\.\d+Z$/, 'Z'),
      }),
    )
  }
}

/** Something may stand before the path: the user of a proxy says which cassette is meant. */
function asksForToken(request: IncomingMessage): boolean {
  const { host } = reachedBy(request)
  return (
    request.method === 'POST' &&
    (request.url?.endsWith(TOKEN_PATH) === true || (host !== undefined && hostKind(host) === 'token'))
  )
}
