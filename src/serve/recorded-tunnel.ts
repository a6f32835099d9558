/**
 * Which tunnels end here while recording, and which are made.
 *
 * Room: serve.
 */
import { hostKind } from '../dialect/hosts.ts'
import { dialTunnel } from './connection.ts'
import { refused, type RecordTlsOptions } from './port-tls.ts'
import type { TunnelFate } from './tunnel.ts'

const PASS: TunnelFate = { type: 'pass', dial: dialTunnel }

/** The service is recorded; what gives out credentials is not. */
export function recordedTunnel({ otherHosts }: RecordTlsOptions): (host: string) => TunnelFate {
  return host => {
    switch (hostKind(host)) {
      case 'service':
        return { type: 'end' }
      case 'token':
        return PASS
      case 'foreign':
        return otherHosts === 'refuse' ? refused(`--only-google passes nothing through to ${host}`) : PASS
    }
  }
}
