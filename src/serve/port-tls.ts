/**
 * What makes a port one for TLS and tunnels: the user's authority, the certificates that it gives, and which
 * tunnels end here while recording, and while replaying.
 *
 * Room: serve.
 */
import { hostKind } from '../dialect/hosts.ts'
import { authorityFolder, openAuthority } from '../store/authority.ts'
import { dialTunnel } from './connection.ts'
import type { DoorwayOptions } from './doorway.ts'
import { createLeaves } from './leaves.ts'
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
export interface PortTls extends DoorwayOptions, Pick<TunnelOptions, 'decide' | 'dial' | 'note'> {
  /** What stands before the path of a request that came through a tunnel of a proxy user with this name. */
  readonly prefixOf?: ((user: string) => string) | undefined
}

/**
 * Opens the authority, and makes it where there is none.
 *
 * @param decide - Whether a tunnel to a host is made.
 * @param note - Takes remarks about clients that got nothing.
 * @throws `WIRETAPE_USAGE` where the folder of the authority is not private, `WIRETAPE_WRITE` where it can't be made.
 */
export async function openPortTls(
  { caDir = authorityFolder() }: TlsOptions,
  decide: (host: string) => TunnelFate,
  note: (text: string) => void,
): Promise<PortTls> {
  const authority = await openAuthority(caDir, Date.now())
  const leaves = await createLeaves(authority, Date.now)
  return { leaves, caFile: authority.certFile, decide, dial: dialTunnel, note }
}

/** Nothing leaves the machine: what is not the service's is refused. */
export function replayedTunnel(host: string): TunnelFate {
  return hostKind(host) === 'foreign'
    ? refused(`replaying passes nothing through, and ${host} is not on a recording`)
    : { type: 'end' }
}

/** The service is recorded; what gives out credentials is not. */
export function recordedTunnel({ otherHosts }: RecordTlsOptions): (host: string) => TunnelFate {
  return host => {
    switch (hostKind(host)) {
      case 'service':
        return { type: 'end' }
      case 'token':
        return { type: 'pass' }
      case 'foreign':
        return otherHosts === 'refuse'
          ? refused(`--only-google passes nothing through to ${host}`)
          : { type: 'pass' }
    }
  }
}

function refused(why: string): TunnelFate {
  return { type: 'refuse', why }
}
