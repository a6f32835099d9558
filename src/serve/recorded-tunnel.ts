/**
 * Which tunnels end here while recording, and which are made.
 *
 * Room: serve.
 */
import { hostKind, servesModels } from '../dialect/hosts.ts'
import { dialTunnel } from './connection.ts'
import { refused, type RecordTlsOptions } from './port-tls.ts'
import type { TunnelFate } from './tunnel.ts'

const PASS: TunnelFate = { type: 'pass', dial: dialTunnel }

/**
 * The service is recorded, and its owner's other APIs, where they are asked over HTTP/1.1: an app that is recorded with
 * them is replayed with them. What gives out credentials is not.
 */
export function recordedTunnel({ otherHosts }: RecordTlsOptions): (host: string) => TunnelFate {
  return host => {
    switch (hostKind(host)) {
      case 'service':
        // What models say is never passed by unrecorded: a client that speaks something else to them fails.
        return otherHosts === 'refuse' || servesModels(host)
          ? { type: 'end' }
          : { type: 'end', other: dialTunnel }
      case 'token':
        return PASS
      case 'foreign':
        return otherHosts === 'refuse' ? refused(`--only-google passes nothing through to ${host}`) : PASS
    }
  }
}
