/** The authority of one user: private, made once whoever is first, and of no use for other hosts. */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openAuthority } from '../../src/store/authority.ts'
import { issueLeaf, makeAuthority, makeKey } from '../../src/store/certificate.ts'
import { dataFolder } from '../../src/store/data-folder.ts'
import { emptyFolder } from '../cli/spawned.ts'

const NOW = Date.parse('2026-11-30T12:00:00Z')
const YEAR = 365 * 86_400_000
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('the authority', () => {
  it('is made where there is none, for its user alone', async () => {
    const folder = join(emptyFolder(), 'deep', 'ca')
    const { certFile } = await openAuthority(folder, NOW)
    expect(mode(folder)).toBe('700')
    expect(readdirSync(folder).map(name => [name, mode(join(folder, name))])).toEqual([
      ['wiretape-ca.key.pem', '600'],
      ['wiretape-ca.pem', '600'],
    ])
    expect(readFileSync(certFile, 'utf8')).not.toContain('PRIVATE')
  })

  it('is the same from then on', async () => {
    const folder = join(emptyFolder(), 'ca')
    const first = await openAuthority(folder, NOW)
    expect(await openAuthority(folder, NOW)).toEqual(first)
  })

  it('is one, whoever starts at the same time', async () => {
    const folder = join(emptyFolder(), 'ca')
    const opened = await Promise.all(Array.from({ length: 6 }, () => openAuthority(folder, NOW)))
    expect(new Set(opened.map(({ cert }) => cert)).size).toBe(1)
    expect(new Set(opened.map(({ key }) => key)).size).toBe(1)
    expect(readdirSync(folder)).toEqual(['wiretape-ca.key.pem', 'wiretape-ca.pem'])
  })

  it('gives its public file back if that is lost or changed', async () => {
    const folder = join(emptyFolder(), 'ca')
    const { certFile, cert } = await openAuthority(folder, NOW)
    writeFileSync(certFile, 'changed')
    await openAuthority(folder, NOW)
    expect(readFileSync(certFile, 'utf8')).toBe(cert)
  })
})

describe('a folder of an authority that is not to be trusted', () => {
  it('is refused where others can look into it', async () => {
    const folder = join(emptyFolder(), 'ca')
    mkdirSync(folder, { mode: 0o755 })
    chmodSync(folder, 0o755)
    await expect(openAuthority(folder, NOW)).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      message: `The certificate authority is not private: ${folder} can be read or changed by others (mode 755).\n\nWhoever has the key can pretend to be the service to your programs. If nobody else has read it: chmod 700 ${folder}. If you are not sure, delete it, and a new one is made.`,
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it('is refused where others can read the key', async () => {
    const folder = join(emptyFolder(), 'ca')
    await openAuthority(folder, NOW)
    const key = join(folder, 'wiretape-ca.key.pem')
    chmodSync(key, 0o640)
    await expect(openAuthority(folder, NOW)).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      message: expect.stringContaining(`${key} can be read or changed by others (mode 640)`),
    })
  })

  it('is refused where it has expired', async () => {
    const folder = join(emptyFolder(), 'ca')
    await openAuthority(folder, NOW)
    await expect(openAuthority(folder, NOW + 11 * YEAR)).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      message: expect.stringContaining('has expired on 2036-11-27'),
    })
  })

  it('is refused where something else stands there', async () => {
    const folder = join(emptyFolder(), 'ca')
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(join(folder, 'wiretape-ca.key.pem'), 'something else', { mode: 0o600 })
    await expect(openAuthority(folder, NOW)).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      message: expect.stringContaining('holds no certificate authority of Wiretape'),
    })
  })

  it('is refused where it can not be made', async () => {
    const file = join(emptyFolder(), 'file')
    writeFileSync(file, '')
    await expect(openAuthority(join(file, 'ca'), NOW)).rejects.toMatchObject({ code: 'WIRETAPE_WRITE' })
  })
})

describe('a certificate', () => {
  it('is one that OpenSSL takes at its strictest', async () => {
    const folder = emptyFolder()
    const authority = await makeAuthority(Date.now())
    const leaf = issueLeaf(authority, ['generativelanguage.googleapis.com'], await makeKey(), Date.now())
    writeFileSync(join(folder, 'ca.pem'), authority.cert)
    writeFileSync(join(folder, 'leaf.pem'), leaf.cert)
    const verified = execFileSync(
      'openssl',
      ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'ca.pem', 'leaf.pem'],
      { cwd: folder, encoding: 'utf8' },
    )
    expect(verified).toBe('leaf.pem: OK\n')
  })

  it('is of no use for a host that is none of ours, even with the key of the authority', async () => {
    const folder = emptyFolder()
    const authority = await makeAuthority(Date.now())
    const key = await makeKey()
    writeFileSync(join(folder, 'ca.pem'), authority.cert)
    for (const name of ['bank.example', '10.0.0.1']) {
      writeFileSync(join(folder, 'leaf.pem'), issueLeaf(authority, [name], key, Date.now()).cert)
      const verify = promisify(execFile)('openssl', ['verify', '-CAfile', 'ca.pem', 'leaf.pem'], {
        cwd: folder,
      })
      await expect(verify).rejects.toThrow('permitted subtree violation')
    }
  })

  it('is valid for a week, from a day ago', async () => {
    const leaf = issueLeaf(await makeAuthority(NOW), ['localhost', '127.0.0.1'], await makeKey(), NOW)
    const { validFrom, validTo, subjectAltName } = new X509Certificate(leaf.cert)
    expect([validFrom, validTo]).toEqual(['Nov 29 12:00:00 2026 GMT', 'Dec  7 12:00:00 2026 GMT'])
    expect(subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1')
  })
})

describe('the folder for the data of a user', () => {
  it.each([
    ['linux', {}, '/home/u/.local/share/wiretape'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/wiretape'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/u/.local/share/wiretape'],
    ['darwin', {}, '/home/u/Library/Application Support/wiretape'],
  ] as const)('on %s with %j is %s', (platform, env, folder) => {
    expect(dataFolder({ env, platform, home: '/home/u' })).toBe(folder)
  })

  it('on Windows is where local data is', () => {
    const env = { LOCALAPPDATA: '/Users/u/AppData/Local' }
    expect(dataFolder({ env, platform: 'win32', home: '/Users/u' })).toBe('/Users/u/AppData/Local/wiretape')
    expect(dataFolder({ env: {}, platform: 'win32', home: '/Users/u' })).toBe(
      '/Users/u/AppData/Local/wiretape',
    )
  })
})
