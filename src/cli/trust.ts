/**
 * What makes a program trust our authority, whatever it is written in: files, and the variables that name them.
 *
 * What the user's own variables name is trusted too. Files that only one run needs are gone with it.
 *
 * Room: cli.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { WiretapeError } from '../errors.ts'
import { keepFile, trustBundle } from '../store/trust-bundle.ts'
import { javaOptions } from './java-trust.ts'

/** Variables to set, and what there is to say about them. */
export interface Trust {
  readonly variables: Readonly<Record<string, string>>
  readonly notes: readonly string[]
  /** Removes what was made for this run only. */
  readonly dispose: () => void
}

/** Variables that name the one file of all that is trusted. */
const BUNDLES = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE']
/** The same, but they need not be set: others stand in for them. */
const OTHER_BUNDLES = ['CURL_CA_BUNDLE', 'AWS_CA_BUNDLE', 'GIT_SSL_CAINFO', 'HTTPLIB2_CA_CERTS']

/**
 * Makes the files.
 *
 * @param env - The user's.
 * @param server - The certificate of its authority, as PEM, beside which files are kept; and its address, which Java
 *   programs are to take for their proxy.
 * @param lasting - Whether files that come of the user's own variables are for one run, or for a shell.
 * @throws `WIRETAPE_USAGE` where a file that the user's variables name can't be read.
 */
export async function makeTrust(
  env: NodeJS.ProcessEnv,
  { url, caFile }: { readonly url: string; readonly caFile: string },
  lasting: 'run' | 'shell',
): Promise<Trust> {
  const ca = readFileSync(caFile, 'utf8')
  let temporary: string | undefined
  const java = javaOptions(env, caFile, new URL(url))

  function folder(): string {
    if (lasting === 'shell') return dirname(caFile)
    temporary ??= mkdtempSync(join(tmpdir(), 'wiretape-trust-'))
    return temporary
  }

  function bundle(name: string): string {
    const own = ownValue(env, name)
    if (own === undefined) {
      const kept = join(dirname(caFile), 'roots-and-wiretape-ca.pem')
      keepFile(kept, trustBundle(ca, undefined))
      return kept
    }
    const file = join(folder(), `${name}.pem`)
    keepFile(
      file,
      read(name, own, () => trustBundle(ca, own)),
    )
    return file
  }

  function dispose(): void {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
  }

  try {
    const names = [...BUNDLES, ...OTHER_BUNDLES.filter(name => ownValue(env, name) !== undefined)]
    const node = ownValue(env, 'NODE_EXTRA_CA_CERTS')
    const { variables, notes } = await java
    return {
      variables: {
        NODE_EXTRA_CA_CERTS: node === undefined ? caFile : bundle('NODE_EXTRA_CA_CERTS'),
        ...Object.fromEntries(names.map(name => [name, bundle(name)])),
        ...variables,
      },
      notes,
      dispose,
    }
  } catch (error) {
    dispose()
    throw error
  }
}

function ownValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name] ?? ''
  return value === '' ? undefined : value
}

function read(name: string, file: string, work: () => string): string {
  try {
    return work()
  } catch (cause) {
    throw new WiretapeError('WIRETAPE_USAGE', `${name} names ${file}, which can't be read.`, {
      hint: 'With --tls, what it holds is put together with the certificate authority. Name a file that is there, or unset it.',
      cause,
    })
  }
}
