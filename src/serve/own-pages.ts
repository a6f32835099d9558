/**
 * Lets a page of this machine, of a dev server for one, read what it is answered: its browser asks by the protocol
 * of CORS (Fetch, §3.3) whether the page may.
 *
 * Who asks without a local `Origin` gets nothing of it: a program, whose answers stay to the byte, or a foreign page.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerValue, type HeaderList } from '../wire/headers.ts'
import { isLocalOrigin } from './local-names.ts'

const ALLOW_ORIGIN = 'access-control-allow-origin'
const EXPOSE = 'access-control-expose-headers'

/**
 * Answers the question of a browser that comes before the request of its page. It is none of the app's, so it is
 * neither replayed nor recorded, and what the service would say to it stays unasked.
 *
 * @returns False where there is no such question: nothing was done.
 */
export function answersPreflight(request: IncomingMessage, response: ServerResponse): boolean {
  const origin = pageOf(request)
  const { headers, method } = request
  const wanted = headers['access-control-request-method']
  if (origin === undefined || method !== 'OPTIONS' || wanted === undefined) return false
  const names = headers['access-control-request-headers']
  const isPrivate = headers['access-control-request-private-network'] === 'true'
  request.resume()
  response.sendDate = false
  response.writeHead(
    204,
    [
      [ALLOW_ORIGIN, origin],
      ['access-control-allow-methods', wanted],
      ...(names === undefined ? [] : [['access-control-allow-headers', names]]),
      // Private Network Access: Chromium asked so before it came to ask the user.
      ...(isPrivate ? [['access-control-allow-private-network', 'true']] : []),
      ['vary', 'origin, access-control-request-method, access-control-request-headers'],
    ].flat(),
  )
  response.end()
  return true
}

/**
 * The fields of an answer, with those by which a page of this machine may read it, if one asks.
 *
 * What a service has said to a page stays, so that a page sees no field here that it would not see there; what it
 * said to none, or to a page elsewhere, is said anew, of all fields.
 */
export function readableByPage(request: IncomingMessage, headers: HeaderList): HeaderList {
  const origin = pageOf(request)
  if (origin === undefined) return headers
  const allowed = headerValue(headers, ALLOW_ORIGIN)
  const isAllowed = allowed === '*' || allowed === origin
  const own: (readonly [string, string])[] = []
  if (!isAllowed) {
    own.push([ALLOW_ORIGIN, origin])
    if (headers.length > 0 && headerValue(headers, EXPOSE) === undefined) own.push([EXPOSE, namesIn(headers)])
  }
  if (!variesByOrigin(headers)) own.push(['vary', 'origin'])
  const kept = isAllowed ? headers : headers.filter(([name]) => name.toLowerCase() !== ALLOW_ORIGIN)
  return [...kept, ...own]
}

/** The origin of the page of this machine that asks; undefined for any other client, and for a socket, which needs no leave. */
function pageOf({ headers: { origin, upgrade } }: IncomingMessage): string | undefined {
  return origin !== undefined && upgrade === undefined && isLocalOrigin(origin) ? origin : undefined
}

function namesIn(headers: HeaderList): string {
  return [...new Set(headers.map(([name]) => name.toLowerCase()))].join(', ')
}

function variesByOrigin(headers: HeaderList): boolean {
  return headers
    .filter(([name]) => name.toLowerCase() === 'vary')
    .some(([, value]) => value.split(',').some(token => /^(?:origin|\*)$/i.test(token.trim())))
}
