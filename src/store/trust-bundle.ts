/**
 * Files of certificates to trust: what a program trusts anyway, and our authority, so that a program that is told to
 * trust nothing but one file still reaches everybody else.
 *
 * Room: store.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'

/** Where systems keep what they trust, as one file: Debian, Fedora, SUSE, Alpine and macOS (Go's `root_*.go`). */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

const CERTIFICATE = /^-+BEGIN (?:TRUSTED )?CERTIFICATE-+$[^-]*^-+END (?:TRUSTED )?CERTIFICATE-+$/gm

/**
 * A bundle of this authority and of what is trusted anyway, each certificate once.
 *
 * @param ca - As PEM.
 * @param own - A file that stands for all that is trusted anyway; undefined: what the system trusts, and Mozilla's list.
 */
export function trustBundle(ca: string, own: string | undefined): string {
  const system = SYSTEM_FILES.find(file => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  const trusted =
    own === undefined
      ? [...(system === undefined ? [] : [readFileSync(system, 'utf8')]), ...rootCertificates]
      : [readFileSync(own, 'utf8')]
  const blocks = [...trusted, ca].flatMap(text => text.replaceAll('\r\n', '\n').match(CERTIFICATE) ?? [])
  return `${[...new Set(blocks.map(block => block.trim()))].join('\n')}\n`
}

/** Puts a file there as a whole; nothing is written where it is so already. */
export function keepFile(file: string, text: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file, 'utf8') === text)
    return
  const aside = `${file}.${process.pid}`
  try {
    writeFileSync(aside, text, { mode: 0o600 })
    renameSync(aside, file)
  } finally {
    rmSync(aside, { force: true })
  }
}
