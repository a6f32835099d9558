/**
 * Where a request that is meant for the service goes while a proxy stands in front of it.
 *
 * Room: serve.
 */
import { SERVICE_ORIGIN, vertexPlaceOf } from '../dialect/vertex.ts'
import { WiretapeError } from '../errors.ts'

/** The proxy, and the services behind it where they are not the real ones. */
export interface ProxyPlace {
  readonly url: string
  readonly vertexUrl: string
  readonly upstream?: string | undefined
  readonly vertexUpstream?: string | undefined
}

/**
 * Gives the address at the proxy for one at the service; `ws` stays `ws`.
 *
 * @throws `WIRETAPE_USAGE` for an address of anybody else: it could not be recorded.
 */
export type Relocate = (address: string | URL) => string

/** Relocates to this proxy. */
export function createRelocate({ url, vertexUrl, upstream, vertexUpstream }: ProxyPlace): Relocate {
  return address => {
    const { href, protocol } = new URL(address)
    const asHttp = href.replace(/^ws/i, 'http')
    const at = (base: string, rest: string): string =>
      (/^ws/i.test(protocol) ? base.replace(/^http/, 'ws') : base) + rest
    for (const [base, proxy] of [
      [vertexUrl, vertexUrl],
      [url, url],
      [vertexUpstream, vertexUrl],
      [upstream, url],
      [SERVICE_ORIGIN, url],
    ] as const) {
      const rest = base === undefined ? undefined : restBehind(asHttp, base)
      if (rest !== undefined) return at(proxy, rest)
    }
    const { origin, hostname } = new URL(asHttp)
    if (hostname.endsWith('.googleapis.com') && vertexPlaceOf(asHttp) !== undefined) {
      return at(vertexUrl, asHttp.slice(origin.length))
    }
    throw strange(origin)
  }
}

/** What an address has behind a base URL; undefined where it is not there. Both with `http` or `https`. */
export function restBehind(address: string, base: string): string | undefined {
  if (!URL.canParse(base)) return undefined
  const known = new URL(base).href.replace(/\/+$/, '')
  const rest = address.slice(known.length)
  return address.startsWith(known) && /^(?:[/?#]|$)/.test(rest) ? rest : undefined
}

function strange(origin: string): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_USAGE',
    `${origin} is not the service, so a request to it is not recorded.`,
    {
      hint: 'Name it as `upstream` or `vertexUpstream`, or ask it with another `fetch`.',
      details: { origin },
    },
  )
}
