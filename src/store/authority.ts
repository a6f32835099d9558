/**
 * The authority of one user, in a folder that nobody else can read: made once, by whoever needs it first.
 *
 * `wiretape-ca.key.pem` has the certificate and its key and is the authority; `wiretape-ca.pem`, without the key, is
 * what programs are told to trust.
 *
 * Room: store.
 */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { WiretapeError } from '../errors.ts'
import { expiryOf, makeAuthority, type Certified } from './certificate.ts'
import { dataFolder } from './data-folder.ts'

/** An authority that is kept in a folder. */
export interface KeptAuthority extends Certified {
  /** The folder, as an absolute path. */
  readonly folder: string
  /** The certificate alone, as PEM: the file that programs are told to trust. */
  readonly certFile: string
}

const KEY_FILE = 'wiretape-ca.key.pem'
const CERT_FILE = 'wiretape-ca.pem'

/** Where the authority is kept unless another folder is named: the user's own data. */
export function authorityFolder(): string {
  return join(dataFolder({ env: process.env, platform: process.platform, home: homedir() }), 'ca')
}

/**
 * The authority in this folder; it is made where there is none. Two processes that start together get the same.
 *
 * @param now - In milliseconds since 1970.
 * @throws `WIRETAPE_USAGE` where others can read the folder or the key, or where the authority has expired or can't
 * be read; `WIRETAPE_WRITE` where it can't be written.
 */
export async function openAuthority(folder: string, now: number): Promise<KeptAuthority> {
  const home = resolve(folder)
  const keyFile = join(home, KEY_FILE)
  const certFile = join(home, CERT_FILE)
  writing(home, () => mkdirSync(home, { recursive: true, mode: 0o700 }))
  checkPrivate(home, '700')
  if (statSync(keyFile, { throwIfNoEntry: false }) === undefined) await make(keyFile, now)
  checkPrivate(keyFile, '600')
  const { cert, key } = read(keyFile)
  const expires = expiry(keyFile, cert)
  if (expires <= now) throw expired(keyFile, expires)
  if (contentOf(certFile) !== cert) replace(certFile, cert)
  return { cert, key, expires, folder: home, certFile }
}

/** Writes the whole file aside, then gives it its name, if nobody was faster: then theirs counts. */
async function make(keyFile: string, now: number): Promise<void> {
  const { cert, key } = await makeAuthority(now)
  const aside = asideOf(keyFile)
  writing(keyFile, () => {
    writeFileSync(aside, `${cert.trim()}\n${key.trim()}\n`, { mode: 0o600, flag: 'wx' })
    try {
      linkSync(aside, keyFile)
    } catch (error) {
      if (!isThere(error)) throw error
    } finally {
      rmSync(aside, { force: true })
    }
  })
}

function replace(file: string, text: string): void {
  const aside = asideOf(file)
  writing(file, () => {
    writeFileSync(aside, text, { mode: 0o600, flag: 'wx' })
    renameSync(aside, file)
  })
}

function asideOf(file: string): string {
  return `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
}

function contentOf(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(file, 'utf8') : undefined
}

function read(keyFile: string): { readonly cert: string; readonly key: string } {
  const text = readFileSync(keyFile, 'utf8')
  const [cert, key] = [
    /^-+BEGIN CERTIFICATE-+$[^-]*^-+END CERTIFICATE-+$/m,
    /^-+BEGIN RSA PRIVATE KEY-+$[^-]*^-+END RSA PRIVATE KEY-+$/m,
  ].map(block => block.exec(text)?.[0])
  if (cert !== undefined && key !== undefined) return { cert: `${cert}\n`, key: `${key}\n` }
  throw unreadable(keyFile)
}

function expiry(keyFile: string, cert: string): number {
  try {
    return expiryOf(cert)
  } catch {
    throw unreadable(keyFile)
  }
}

/** Windows has no such permissions: what is in a user's profile is that user's. */
function checkPrivate(path: string, mode: '600' | '700'): void {
  if (process.platform === 'win32') return
  const { mode: found, uid } = statSync(path)
  const loose = (found & 0o077) !== 0
  if (!loose && uid === process.getuid?.()) return
  const what = loose
    ? `can be read or changed by others (mode ${(found & 0o777).toString(8)})`
    : 'belongs to another user'
  const dangers = 'Whoever has the key can pretend to be the service to your programs.'
  throw new WiretapeError('WIRETAPE_USAGE', `The certificate authority is not private: ${path} ${what}.`, {
    hint: loose
      ? `${dangers} If nobody else has read it: chmod ${mode} ${path}. If you are not sure, delete it, and a new one is made.`
      : `${dangers} Name a folder of your own with --ca-dir.`,
    details: { path, mode: (found & 0o777).toString(8) },
  })
}

function expired(keyFile: string, expires: number): WiretapeError {
  return new WiretapeError(
    'WIRETAPE_USAGE',
    `The certificate authority in ${keyFile} has expired on ${new Date(expires).toISOString().slice(0, 10)}.`,
    {
      hint: 'Delete the file, and a new one is made; what was told to trust the old one has to be told anew.',
      details: { path: keyFile },
    },
  )
}

function unreadable(keyFile: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', `${keyFile} holds no certificate authority of Wiretape.`, {
    hint: 'Delete it, and one is made, or name another folder with --ca-dir.',
    details: { path: keyFile },
  })
}

function writing(path: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WiretapeError(
      'WIRETAPE_WRITE',
      `The certificate authority can't be kept at ${path}: ${reason}`,
      {
        hint: 'Name a folder that you may write to with --ca-dir.',
        details: { path },
        cause,
      },
    )
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
