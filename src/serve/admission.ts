/**
 * Which requests are for a server of ours at all: whatever name, page or proxy setting led here, nothing is
 * answered that was not meant to come here.
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from './listener.ts'
import { isLocalHost, isLocalOrigin } from './local-names.ts'
import { answersPreflight } from './own-pages.ts'
import { reachedBy } from './reached.ts'
import { refuse } from './refusal.ts'
import { answerTo, type Upgrades } from './upgrade.ts'

/** What is done about a request before it is answered. */
export interface AdmissionOptions {
  /** Told of each request that was refused. */
  readonly onRefused?: ((why: string) => void) | undefined
  /** What stands before the path of a client that can only say as the user of a proxy what it is. */
  readonly prefixOf?: ((user: string) => string) | undefined
}

/** The same handler, for requests that are meant to come here; a browser's question before one is answered here. */
export function admitting(handler: RequestHandler, options: AdmissionOptions): RequestHandler {
  return (request, response) => {
    const why = objectionTo(request)
    if (why === undefined) {
      if (answersPreflight(request, response)) return
      addPrefix(request, options)
      handler(request, response)
      return
    }
    options.onRefused?.(why)
    refuse(response, 'WIRETAPE_USAGE', why)
  }
}

/** The same for sockets. */
export function admittingUpgrades(upgrades: Upgrades, options: AdmissionOptions): Upgrades {
  return {
    owns(request) {
      if (objectionTo(request) === undefined) addPrefix(request, options)
      return upgrades.owns(request)
    },
    upgrade(request, socket, head) {
      const why = objectionTo(request)
      if (why === undefined) {
        upgrades.upgrade(request, socket, head)
        return
      }
      options.onRefused?.(why)
      refuse(answerTo(request), 'WIRETAPE_USAGE', why)
    },
  }
}

/** Once, and not where the client has said it itself. */
function addPrefix(request: IncomingMessage, { prefixOf }: AdmissionOptions): void {
  const { user } = reachedBy(request)
  if (user === undefined || prefixOf === undefined) return
  const prefix = prefixOf(user)
  if (request.url?.startsWith(`${prefix}/`) !== true) request.url = `${prefix}${request.url}`
}

/** Why a request is refused; undefined where it is answered. */
function objectionTo(request: IncomingMessage): string | undefined {
  const { host, origin } = request.headers
  const reached = reachedBy(request)
  takeOwnAddress(request)
  if (request.url?.startsWith('/') !== true) {
    return 'This is no proxy for plain HTTP. Name it as the base URL of the client, or as HTTPS_PROXY with --tls; HTTP_PROXY is not for it.'
  }
  if (reached.host !== undefined) {
    return namesHost(host, reached.host)
      ? undefined
      : `The connection is one to ${reached.host}, and the request names another host: ${host ?? 'none'}.`
  }
  if (!isLocalHost(host)) {
    return `This is Wiretape on loopback: it answers to 127.0.0.1 and localhost only, whatever name led here${host === undefined ? '' : ` (${host})`}.`
  }
  if (origin !== undefined && !isLocalOrigin(origin)) {
    return `A page of ${origin} asks. Wiretape on loopback answers to pages of 127.0.0.1 and localhost only.`
  }
  return undefined
}

/** A client may name us in full in its request, as it would to a proxy (RFC 9112 §3.2.2). */
function takeOwnAddress(request: IncomingMessage): void {
  const { url = '' } = request
  const [start = '', authority] = /^https?:\/\/([^/?#]+)/i.exec(url) ?? []
  if (authority === undefined || authority !== request.headers.host || !isLocalHost(authority)) return
  const path = url.slice(start.length)
  request.url = path.startsWith('/') ? path : `/${path}`
}

/** True if a `Host` field names this host, with the port that goes with https or without, with a dot at its end or without. */
function namesHost(field: string | undefined, host: string): boolean {
  return field !== undefined && field.toLowerCase().replace(/\.?(?::(?:443|80))?$/, '') === host
}
