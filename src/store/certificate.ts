/**
 * X.509: the authority that a user's programs are told to trust, and the certificates that it gives to hosts.
 *
 * The authority can speak for nobody but this machine and the hosts of the service (RFC 5280 §4.2.1.10), so that its
 * key is of no use to who wants to be a bank.
 *
 * Room: store.
 */
import { generateKeyPair, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import forge from 'node-forge'

/** A certificate and its private key, both as PEM. */
export interface Certified {
  readonly cert: string
  readonly key: string
  /** When it ends to be valid, in milliseconds since 1970. */
  readonly expires: number
}

const DAY = 86_400_000
const AUTHORITY_DAYS = 3650
const LEAF_DAYS = 7
/** Certificates are valid from a day ago on, for clients whose clock is late. */
const BACKDATED = DAY

/** The domain, with all below it, and the name that the authority may speak for, besides loopback addresses. */
const DOMAINS = ['googleapis.com', 'localhost']

/** An RSA key of 2048 bits, as PEM. Every runtime takes it; it is all that the library signs with. */
export async function makeKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
}

/**
 * Makes an authority with a key of its own, valid for ten years.
 *
 * @param now - In milliseconds since 1970.
 */
export async function makeAuthority(now: number): Promise<Certified> {
  const key = await makeKey()
  const name = [
    { name: 'commonName', value: `Wiretape CA ${randomBytes(4).toString('hex')}` },
    { name: 'organizationName', value: 'Wiretape, for this user only' },
  ]
  const certificate = draft(key, name, now, AUTHORITY_DAYS)
  certificate.setIssuer(name)
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
    { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    { name: 'subjectKeyIdentifier' },
    { id: '2.5.29.30', critical: true, value: permitted() },
  ])
  return signed(certificate, key, key)
}

/**
 * Gives a certificate to hosts, valid for a week.
 *
 * @param names - Host names and addresses, all of them in the one certificate.
 * @param key - The private key that it is for, see {@link makeKey}.
 * @param now - In milliseconds since 1970.
 */
export function issueLeaf(
  authority: Certified,
  names: readonly string[],
  key: string,
  now: number,
): Certified {
  const issuer = forge.pki.certificateFromPem(authority.cert)
  // Its subject looks like no host, for that would be held to the constraints on names.
  const certificate = draft(key, [{ name: 'commonName', value: 'Wiretape on this machine' }], now, LEAF_DAYS)
  certificate.setIssuer(issuer.subject.attributes)
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: false },
    { name: 'keyUsage', critical: true, digitalSignature: true, keyEncipherment: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: names.map(altName) },
    { name: 'subjectKeyIdentifier' },
    {
      name: 'authorityKeyIdentifier',
      keyIdentifier: issuer.generateSubjectKeyIdentifier().getBytes(),
    },
  ])
  return signed(certificate, key, authority.key)
}

/** When a certificate ends to be valid, in milliseconds since 1970. Throws for what is none. */
export function expiryOf(cert: string): number {
  return forge.pki.certificateFromPem(cert).validity.notAfter.getTime()
}

function draft(
  key: string,
  subject: forge.pki.CertificateField[],
  now: number,
  days: number,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate()
  const { n, e } = forge.pki.privateKeyFromPem(key)
  certificate.publicKey = forge.pki.setRsaPublicKey(n, e)
  certificate.serialNumber = serial()
  certificate.validity.notBefore = new Date(now - BACKDATED)
  certificate.validity.notAfter = new Date(now + days * DAY)
  certificate.setSubject(subject)
  return certificate
}

/** A positive number of 127 bits, not to be guessed (RFC 5280 §4.1.2.2). */
function serial(): string {
  const bytes = randomBytes(16)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40)
  return bytes.toString('hex')
}

function signed(certificate: forge.pki.Certificate, key: string, signer: string): Certified {
  certificate.sign(forge.pki.privateKeyFromPem(signer), forge.md.sha256.create())
  return {
    cert: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n'),
    key,
    expires: certificate.validity.notAfter.getTime(),
  }
}

/** The kinds of names are numbers there (RFC 5280 §4.2.1.6): 2 for a DNS name, 7 for an address. */
function altName(name: string): { readonly type: number; readonly value?: string; readonly ip?: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name }
}

/** Tags of their context (RFC 5280 §4.2.1.6, §4.2.1.10): their numbers count, which are 0, 2 and 7. */
const TAGS = {
  permittedSubtrees: forge.asn1.Type.NONE,
  dnsName: forge.asn1.Type.INTEGER,
  address: forge.asn1.Type.ODESC,
}

/** What the authority may speak for: the domains, 127.0.0.0/8 and ::1. */
function permitted(): forge.asn1.Asn1 {
  const loopback6 = `${'\0'.repeat(15)}\u0001${'\u00ff'.repeat(16)}`
  const subtrees = [
    ...DOMAINS.map(name => tagged(TAGS.dnsName, name)),
    tagged(TAGS.address, '\u007f\0\0\0\u00ff\0\0\0'),
    tagged(TAGS.address, loopback6),
  ].map(base => sequence([base]))
  return sequence([tagged(TAGS.permittedSubtrees, subtrees)])
}

/** A text has one character per byte. */
function tagged(tag: forge.asn1.Type, value: string | forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return forge.asn1.create(forge.asn1.Class.CONTEXT_SPECIFIC, tag, typeof value !== 'string', value)
}

function sequence(parts: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.SEQUENCE, true, parts)
}
