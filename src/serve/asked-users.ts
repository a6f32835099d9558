/**
 * Which clients of a folder were asked for the proxy's user, which names the cassette, and never said one.
 *
 * Clients can't be told apart before they have said it. So it is kept by host: whoever comes back with a user has
 * answered for that host.
 *
 * Room: serve.
 */
import { hostKind } from '../dialect/hosts.ts'
import { replayedTunnel } from './port-tls.ts'
import type { TunnelFate } from './tunnel.ts'

/** Those who were asked. */
export interface AskedUsers {
  /** A tunnel is asked for that must have a user; `user` is undefined where there is none. */
  take(host: string, user: string | undefined): void
  /** The hosts that nobody has come to with a user after somebody had come without. */
  unanswered(): readonly string[]
}

/** Nobody was asked yet. */
export function createAskedUsers(): AskedUsers {
  const open = new Set<string>()
  return {
    take(host, user) {
      if (user === undefined) open.add(host)
      else open.delete(host)
    },
    unanswered: () => [...open],
  }
}

/** As while replaying one recording, but the user of a tunnel is asked for. What gives out credentials needs none. */
export function folderTunnel(host: string): TunnelFate {
  const fate = replayedTunnel(host)
  return fate.type === 'end' && hostKind(host) === 'service' ? { ...fate, asks: 'user' } : fate
}
