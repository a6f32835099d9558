/**
 * Two listeners in front of the service, and the recorder that takes what comes on them.
 *
 * Each side of the service has a port of its own, because some paths are the same on both.
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import { versionBehind } from '../dialect/operation.ts'
import { isAnonymous, SERVICE_ORIGIN, vertexOriginOf } from '../dialect/vertex.ts'
import { WiretapeError } from '../errors.ts'
import { pairHeaders } from '../wire/headers.ts'
import { createHostRouters } from './host-router.ts'
import { listen, type Listener, type RequestHandler } from './listener.ts'
import { openTls, type RecordTlsOptions } from './port-tls.ts'
import { reachedBy } from './reached.ts'
import { recordedTunnel } from './recorded-tunnel.ts'
import type { Recorder } from './recorder.ts'
import { createRouter, type Router } from './route.ts'
import type { SocketRequest } from './socket-relay.ts'
import { isHandshake, type Upgrades } from './upgrade.ts'

/** Where the service is, and where the proxy is to listen. */
export interface ServiceProxyOptions {
  /** The service's origin, maybe with a path prefix, which is not recorded; the real one where undefined. */
  readonly upstream?: string | undefined
  /** The same for the Vertex side; by the location in the path where undefined. */
  readonly vertexUpstream?: string | undefined
  /** 0, the default, for any that is free. */
  readonly port?: number | undefined
  readonly vertexPort?: number | undefined
  /** Makes each port one for TLS and for tunnels too. */
  readonly tls?: RecordTlsOptions | undefined
  /** Told of what was not taken, and why: a request for another host, a client that does not trust us. */
  readonly onNote?: ((text: string) => void) | undefined
}

/** The way to the service from one listener. */
export interface Behind {
  readonly handle: RequestHandler
  socket(asking: SocketRequest): void
}

/** What a listener does with what comes, before or instead of the service. */
export type Front = (behind: Behind) => { readonly handler: RequestHandler; readonly upgrades: Upgrades }

/** A proxy that listens. */
export interface ServiceProxy {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** The same for the Vertex side. */
  readonly vertexUrl: string
  /** The file with the certificate that clients are to trust; undefined without TLS. */
  readonly caFile: string | undefined
  /** Takes nothing new, gives what is open so many milliseconds, and cuts what then is left. */
  close(graceMs: number): Promise<void>
}

const ANONYMOUS =
  'a request came to GOOGLE_VERTEX_BASE_URL with neither project nor credentials, which Vertex AI refuses. In Go, and in Python with vertexai=True, a client leaves them out where project and location are variables and that one is set: record it with --tls, and without it (env -u GOOGLE_VERTEX_BASE_URL COMMAND)'

/** Everything goes to the service. */
const straight: Front = behind => ({
  handler: behind.handle,
  upgrades: { owns: isHandshake, upgrade: (request, _, head) => behind.socket({ request, head }) },
})

/**
 * Throws for an upstream that is none, before anything is begun.
 *
 * @throws `WIRETAPE_USAGE`
 */
export function checkUpstreams({ upstream, vertexUpstream }: ServiceProxyOptions): void {
  checkBase(upstream, '--upstream')
  checkBase(vertexUpstream, '--vertex-upstream')
}

/**
 * Listens on both ports, or on none.
 *
 * @throws `WIRETAPE_USAGE` where a port is taken or the certificate authority can't be used; `WIRETAPE_WRITE` where that
 * can't be made.
 */
export async function openServiceProxy(
  recorder: Recorder,
  options: ServiceProxyOptions,
  front: Front = straight,
): Promise<ServiceProxy> {
  const { upstream = SERVICE_ORIGIN, vertexUpstream, port = 0, vertexPort = 0 } = options
  const { onNote = () => undefined } = options
  const tls = await openTls(options.tls, recordedTunnel(options.tls ?? {}), onNote)
  const tunnelled = createHostRouters({ upstream: options.upstream, vertexUpstream })
  const listeners: Listener[] = []

  /** @param look - Sees each request that comes straight to this port. */
  async function serve(own: Router, at: number, look: (request: IncomingMessage) => void): Promise<string> {
    const routerOf = (request: IncomingMessage): Router => {
      const router = tunnelled(reachedBy(request).host)
      if (router === undefined) look(request)
      return router ?? own
    }
    const { handler, upgrades } = front({
      handle: (request, response) => recorder.handle(request, response, routerOf(request)),
      socket: asking => recorder.upgrade(asking, routerOf(asking.request)),
    })
    const listener = await listen(handler, at, { upgrades, onRefused: onNote, tls })
    listeners.push(listener)
    return listener.url
  }

  async function close(graceMs: number): Promise<void> {
    for (const listener of listeners) listener.stop()
    await recorder.drain(graceMs)
    await Promise.all([...listeners.map(listener => listener.close()), recorder.close()])
  }

  try {
    return {
      url: await serve(
        createRouter(() => upstream),
        port,
        () => undefined,
      ),
      vertexUrl: await serve(
        createRouter(path => vertexUpstream ?? vertexOriginOf(path)),
        vertexPort,
        request => {
          // A service of the user's own may know whose it is.
          if (vertexUpstream !== undefined) return
          if (isAnonymous(request.url ?? '', pairHeaders(request.rawHeaders))) onNote(ANONYMOUS)
        },
      ),
      caFile: tls?.caFile,
      close,
    }
  } catch (cause) {
    await close(0)
    throw cause
  }
}

function checkBase(url: string | undefined, option: string): void {
  if (url === undefined) return
  if (URL.canParse(url) && /^https?:\/\//i.test(url)) {
    const version = versionBehind(url)
    if (version === undefined) return
    throw doubled(url, option, version)
  }
  throw new WiretapeError('WIRETAPE_USAGE', `${option} is no http or https URL: ${url}`, {
    hint: 'Name an origin, maybe with a path prefix, e.g. https://example.com/proxy.',
    details: { option },
  })
}

/** What the SDKs call a base URL has no version, though addresses in documentation have one. */
function doubled(url: string, option: string, version: string): WiretapeError {
  const without = url.replace(/[^/]+\/*$/, '').replace(/\/$/, '')
  return new WiretapeError(
    'WIRETAPE_USAGE',
    `${option} ends with a version, ${version}, and clients put one into their own paths: ${url}`,
    { hint: `Leave it out: ${without}`, details: { option, version } },
  )
}
