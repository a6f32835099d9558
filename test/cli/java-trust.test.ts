/** What a JVM is told: the proxy, and a trust store that its own `keytool` has made. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { javaOptions } from '../../src/cli/java-trust.ts'
import { openAuthority } from '../../src/store/authority.ts'
import { emptyFolder } from './spawned.ts'

const PROXY = new URL('http://127.0.0.1:8443')
const { PATH = '' } = process.env

function hasKeytool(): boolean {
  try {
    execFileSync('keytool', ['-help'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The trust store that these options name. */
function storeIn(options = ''): string {
  return /.*-Djavax\.net\.ssl\.trustStore=(\S+)/.exec(options)?.[1] ?? ''
}

async function listed(store: string): Promise<string> {
  const words = ['-list', '-keystore', store, '-storepass', 'changeit']
  return (await promisify(execFile)('keytool', words)).stdout
}

describe('where no JVM is', () => {
  it('says nothing to it', async () => {
    expect(await javaOptions({ PATH: emptyFolder() }, '/none/ca.pem', PROXY)).toEqual({
      variables: {},
      notes: [],
    })
  })

  it('or one that can not make a trust store, says so and leaves what is set', async () => {
    const home = emptyFolder()
    mkdirSync(join(home, 'bin'))
    mkdirSync(join(home, 'lib/security'), { recursive: true })
    writeFileSync(join(home, 'lib/security/cacerts'), '')
    writeFileSync(join(home, 'ca.pem'), '')
    writeFileSync(join(home, 'bin/keytool'), '#!/bin/sh\necho "broken" >&2\nexit 1\n', { mode: 0o755 })
    const { variables, notes } = await javaOptions({ JAVA_HOME: home, PATH }, join(home, 'ca.pem'), PROXY)
    expect(variables).toEqual({})
    expect(notes).toEqual([
      expect.stringMatching(/^no trust store could be made for Java out of .*cacerts: .*broken/),
    ])
  })
})

describe.runIf(hasKeytool())('where a JVM is', () => {
  it('names a copy of its trust store that has our authority too', async () => {
    const { certFile, folder } = await openAuthority(join(emptyFolder(), 'ca'), Date.now())
    const { variables } = await javaOptions({ PATH }, certFile, PROXY)
    const options = variables['JAVA_TOOL_OPTIONS'] ?? ''
    expect(options).toMatch(/^-Dhttps\.proxyHost=127\.0\.0\.1 -Dhttps\.proxyPort=8443 -Djavax/)
    const store = storeIn(options)
    expect(store.startsWith(folder)).toBe(true)
    const entries = await listed(store)
    expect(entries).toMatch(/^wiretape, .*trustedCertEntry/m)
    expect(entries.match(/trustedCertEntry/g)?.length).toBeGreaterThan(50)
  })

  it('keeps what the user has set, and adds to the trust store that it names', async () => {
    const { certFile } = await openAuthority(join(emptyFolder(), 'ca'), Date.now())
    const own = join(emptyFolder(), 'own.keystore')
    const made = ['-importcert', '-noprompt', '-alias', 'mine', '-file', certFile, '-keystore', own]
    await promisify(execFile)('keytool', [...made, '-storepass', 'changeit'])
    const set = `-Xmx64m -Djavax.net.ssl.trustStore=${own}`
    const { variables } = await javaOptions({ PATH, JAVA_TOOL_OPTIONS: set }, certFile, PROXY)
    const options = variables['JAVA_TOOL_OPTIONS'] ?? ''
    expect(options.startsWith(`${set} -Dhttps.proxyHost`)).toBe(true)
    expect((await listed(storeIn(options))).match(/^\w+, .*trustedCertEntry/gm)).toEqual([
      expect.stringMatching(/^mine/),
      expect.stringMatching(/^wiretape/),
    ])
    const again = await javaOptions({ PATH, JAVA_TOOL_OPTIONS: options }, certFile, PROXY)
    expect(storeIn(again.variables['JAVA_TOOL_OPTIONS'])).toBe(storeIn(options))
  })

  it('makes the copy once', async () => {
    const { certFile } = await openAuthority(join(emptyFolder(), 'ca'), Date.now())
    const first = storeIn((await javaOptions({ PATH }, certFile, PROXY)).variables['JAVA_TOOL_OPTIONS'])
    const made = statSync(first).ino
    const second = storeIn((await javaOptions({ PATH }, certFile, PROXY)).variables['JAVA_TOOL_OPTIONS'])
    expect([second, statSync(second).ino]).toEqual([first, made])
  })
})
