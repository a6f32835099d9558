/**
 * What a JVM needs to come through the tunnel: the proxy as properties, and a trust store that is a copy of its own
 * with our authority in it. The copy is made by the JVM's `keytool`, once, and kept beside the authority.
 *
 * Room: cli.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Variables for a JVM, and what there is to say about them. */
export interface JavaTrust {
  readonly variables: Readonly<Record<string, string>>
  readonly notes: readonly string[]
}

/** The password of every `cacerts` that comes with a JVM; it guards nothing. */
const PASSWORD = 'changeit'
const STORE = /-Djavax\.net\.ssl\.trustStore=(\S+)/
const STORE_PASSWORD = /-Djavax\.net\.ssl\.trustStorePassword=(\S+)/

/**
 * `JAVA_TOOL_OPTIONS` with what the user has in it, and ours behind it, which then counts. Nothing where no JVM is.
 *
 * A trust store that the user names there is the one that is copied.
 */
export async function javaOptions(env: NodeJS.ProcessEnv, caFile: string, proxy: URL): Promise<JavaTrust> {
  const tool = keytool(env)
  if (tool === undefined) return { variables: {}, notes: [] }
  const own = env['JAVA_TOOL_OPTIONS'] ?? ''
  const store = STORE.exec(own)?.[1] ?? tool.cacerts
  const password = STORE_PASSWORD.exec(own)?.[1] ?? PASSWORD
  try {
    const trusted = await trustStore(tool.path, { store, password, caFile })
    const options = [
      `-Dhttps.proxyHost=${proxy.hostname}`,
      `-Dhttps.proxyPort=${proxy.port}`,
      `-Djavax.net.ssl.trustStore=${/\s/.test(trusted) ? `"${trusted}"` : trusted}`,
      `-Djavax.net.ssl.trustStorePassword=${password}`,
    ]
    // A shell that has taken our lines has ours already.
    const others = own.split(' ').filter(word => word !== '' && !options.includes(word))
    return { variables: { JAVA_TOOL_OPTIONS: [...others, ...options].join(' ') }, notes: [] }
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n').slice(-1)
    return { variables: {}, notes: [`no trust store could be made for Java out of ${store}: ${why}`] }
  }
}

/** The JVM's own tool and trust store: of `JAVA_HOME`, or of the first one on the PATH. */
function keytool(env: NodeJS.ProcessEnv): { readonly path: string; readonly cacerts: string } | undefined {
  const home = env['JAVA_HOME'] ?? ''
  const folders = [...(home === '' ? [] : [join(home, 'bin')]), ...(env['PATH'] ?? '').split(delimiter)]
  const name = process.platform === 'win32' ? 'keytool.exe' : 'keytool'
  for (const folder of folders.filter(Boolean)) {
    const path = join(folder, name)
    if (!existsSync(path)) continue
    const root = dirname(dirname(realpathSync(path)))
    const cacerts = ['lib/security/cacerts', 'jre/lib/security/cacerts']
      .map(part => join(root, part))
      .find(part => existsSync(part))
    if (cacerts !== undefined) return { path, cacerts }
  }
  return undefined
}

/** The copy with our authority in it; it is made anew when any of the two has changed. */
async function trustStore(
  tool: string,
  { store, password, caFile }: { readonly store: string; readonly password: string; readonly caFile: string },
): Promise<string> {
  if (dirname(store) === dirname(caFile)) return store
  const hash = createHash('sha256').update(readFileSync(store)).update(readFileSync(caFile)).digest('hex')
  const file = join(dirname(caFile), `java-${hash.slice(0, 16)}.keystore`)
  if (existsSync(file)) return file
  const aside = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    copyFileSync(store, aside)
    chmodSync(aside, 0o600)
    const words = ['-importcert', '-noprompt', '-alias', 'wiretape', '-file', caFile, '-keystore', aside]
    await promisify(execFile)(tool, [...words, '-storepass', password])
    renameSync(aside, file)
  } finally {
    rmSync(aside, { force: true })
  }
  return file
}
