/**
 * Opens the user's authority for a port, and makes what it shows to clients.
 *
 * Loaded only where TLS is asked for: it is the way to all that knows of certificates.
 *
 * Room: serve.
 */
import { authorityFolder, openAuthority } from '../store/authority.ts'
import { createDoorway } from './doorway.ts'
import { createLeaves } from './leaves.ts'
import type { PortTls, TlsOptions } from './port-tls.ts'

/**
 * Opens the authority, and makes it where there is none.
 *
 * @param decide - Whether a tunnel to a host is made.
 * @param note - Takes remarks about clients that got nothing.
 * @throws `WIRETAPE_USAGE` where the folder of the authority is not private, `WIRETAPE_WRITE` where it can't be made.
 */
export async function openPortTls(
  { caDir = authorityFolder() }: TlsOptions,
  decide: PortTls['decide'],
  note: PortTls['note'],
): Promise<PortTls> {
  const { certFile: caFile, ...authority } = await openAuthority(caDir, Date.now())
  const leaves = await createLeaves(authority, Date.now)
  return {
    caFile,
    decide,
    note,
    openDoorway: (server, taken) => createDoorway(server, taken, { leaves, caFile, note }),
  }
}
