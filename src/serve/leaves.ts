/**
 * The certificates that this machine shows to clients: one for each host, made when it is first asked for and made
 * again before it expires.
 *
 * Room: serve.
 */
import { createSecureContext, type SecureContext } from 'node:tls'
import { hostKind } from '../dialect/hosts.ts'
import { issueLeaf, makeKey, type Certified } from '../store/certificate.ts'

/** A certificate that can be shown. */
export interface Leaf extends Certified {
  readonly context: SecureContext
}

/** The certificates of one authority. */
export interface Leaves {
  /**
   * The one for a host of the service, by its name; for every other name, and for none, the one for this machine's
   * own names. It is valid for a day yet, at least.
   */
  of(host: string | undefined): Leaf
}

/** Until a certificate is made again before it expires, in milliseconds. */
const DAY = 86_400_000
const OWN_NAMES = ['localhost', '127.0.0.1', '::1']

/**
 * @param now - Gives the time, in milliseconds since 1970.
 */
export async function createLeaves(authority: Certified, now: () => number): Promise<Leaves> {
  const key = await makeKey()
  const made = new Map<string, Leaf>()

  function make(names: readonly string[]): Leaf {
    const leaf = issueLeaf(authority, names, key, now())
    return { ...leaf, context: createSecureContext({ key: leaf.key, cert: leaf.cert }) }
  }

  return {
    of(host) {
      const name = host !== undefined && hostKind(host) !== 'foreign' ? host.toLowerCase() : ''
      const known = made.get(name)
      if (known !== undefined && known.expires - now() > DAY) return known
      const leaf = make(name === '' ? OWN_NAMES : [name])
      made.set(name, leaf)
      return leaf
    },
  }
}
