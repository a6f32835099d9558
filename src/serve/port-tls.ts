/**
 * What makes a port one for TLS and tunnels, and which tunnels end here while replaying.
 *
 * Nothing here knows TLS: that is loaded where it is asked for, by `open-tls.ts`.
 *
 * Room: serve.
 */
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { hostKind } from '../dialect/hosts.ts'
import type { Doorway } from './doorway.ts'
import type { TunnelFate, TunnelOptions } from './tunnel.ts'

/** How a port speaks TLS beside plain HTTP, and is a proxy for the hosts of the service. */
export interface TlsOptions {
  /**
   * The folder of the certificate authority, for this user alone; it is made where there is none. In the user's data
   * folder unless given.
   */
  readonly caDir?: string | undefined
}

/** The same while recording. */
export interface RecordTlsOptions extends TlsOptions {
  /** What becomes of tunnels to hosts that are not the service's: `pass`, unseen and unrecorded, unless `refuse`. */
  readonly otherHosts?: 'pass' | 'refuse' | undefined
}

/** All that a port needs to speak TLS, and to be a proxy for it. */
export interface PortTls extends Pick<TunnelOptions, 'decide' | 'note' | 'onAsked'> {
  /** The file with the certificate that clients are to trust. */
  readonly caFile: string
  /** Puts the doorway before a server. `taken` has the connections that are open. */
  readonly openDoorway: (server: Server, taken: Set<Duplex>) => Doorway
  /** What stands before the path of a request that came through a tunnel of a proxy user with this name. */
  readonly prefixOf?: ((user: string) => string) | undefined
}

/**
 * Opens the authority that a port is to use; undefined where TLS is not asked for. All that knows of certificates is
 * loaded for those only who ask for it.
 *
 * @param decide - Whether a tunnel to a host is made.
 * @param note - Takes remarks about clients that got nothing.
 * @throws `WIRETAPE_USAGE` where the folder of the authority is not private, `WIRETAPE_WRITE` where it can't be made.
 */
export async function openTls(
  options: TlsOptions | undefined,
  decide: PortTls['decide'],
  note: PortTls['note'],
): Promise<PortTls | undefined> {
  return options && (await import('./open-tls.ts')).openPortTls(options, decide, note)
}

/** Nothing leaves the machine: what is not the service's is refused. */
export function replayedTunnel(host: string): TunnelFate {
  return hostKind(host) === 'foreign'
    ? refused(`replaying passes nothing through, and ${host} is not on a recording`)
    : { type: 'end' }
}

/** A tunnel that is not made. `why`: for the client and for the report, without a line end. */
export function refused(why: string): TunnelFate {
  return { type: 'refuse', why }
}
