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
    const restBehind = (base: string | undefined): string | undefined => {
      const known = base === undefined ? undefined : new URL(base).href.replace(/\/$/, '')
      return known !== undefined && startsWithBase(asHttp, known) ? asHttp.slice(known.length) : undefined
    }
    for (const [base, proxy] of [
      [vertexUrl, vertexUrl],
      [url, url],
      [vertexUpstream, vertexUrl],
      [upstream, url],
      [SERVICE_ORIGIN, url],
    ] as const) {
      const rest = restBehind(base)
      if (rest !== undefined) return at(proxy, rest)
    }
    const { origin, hostname } = new URL(asHttp)
    if (hostname.endsWith('.googleapis.com') && vertexPlaceOf(asHttp) !== undefined) {
      return at(vertexUrl, asHttp.slice(origin.length))
    }
    throw strange(origin)
  }
}

function startsWithBase(address: string, base: string): boolean {
  return address.startsWith(base) && /^(?:[/?#]|$)/.test(address.slice(base.length))
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
