/**
 * How a client came to a server of ours: straight to its port, or through a tunnel to a host of the service that
 * ends here.
 *
 * Room: serve.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** What is known of a connection before its first request. */
export interface Reached {
  readonly scheme: 'http' | 'https'
  /** The host that the client believes to talk to, in lower case; undefined: this machine. */
  readonly host: string | undefined
  /** The name that it gave as the user of the proxy. */
  readonly user: string | undefined
}

const STRAIGHT: Reached = { scheme: 'http', host: undefined, user: undefined }

const connections = new WeakMap<Duplex, Reached>()

/** Says how the client on this connection came here. */
export function markReached(connection: Duplex, reached: Reached): void {
  connections.set(connection, reached)
}

/** How the client of a request came here. */
export function reachedBy({ socket }: Pick<IncomingMessage, 'socket'>): Reached {
  return connections.get(socket) ?? STRAIGHT
}

/** The origin at which the client reached us, as it named it: addresses that it is given begin with it. */
export function originOf(request: IncomingMessage): string {
  const { scheme, host } = reachedBy(request)
  return `${scheme}://${request.headers.host ?? host ?? '127.0.0.1'}`
}
