/**
 * Where requests go that came through a tunnel: to the host that the tunnel was to, or to what stands for it.
 *
 * Room: serve.
 */
import { sideOf } from '../dialect/hosts.ts'
import { createRouter, type Router } from './route.ts'

/** What stands for the sides of the service; undefined: the hosts themselves. Origins, maybe with a path prefix. */
export interface HostUpstreams {
  readonly upstream: string | undefined
  readonly vertexUpstream: string | undefined
}

/** Finds the router for a tunnel's host; undefined for a client that came straight to a port. */
export function createHostRouters({
  upstream,
  vertexUpstream,
}: HostUpstreams): (host: string | undefined) => Router | undefined {
  const routers = new Map<string, Router>()

  function upstreamOf(host: string): string {
    switch (sideOf(host)) {
      case 'developer':
        return upstream ?? `https://${host}`
      case 'vertex':
        return vertexUpstream ?? `https://${host}`
      case undefined:
        return `https://${host}`
    }
  }

  return host => {
    if (host === undefined) return undefined
    const known = routers.get(host)
    if (known !== undefined) return known
    const router = createRouter(() => upstreamOf(host))
    routers.set(host, router)
    return router
  }
}
