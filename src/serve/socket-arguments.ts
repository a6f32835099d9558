/**
 * What an app may give a WHATWG `WebSocket`, and the errors of the DOM that it gets for anything else
 * (websockets.spec.whatwg.org §3).
 *
 * Room: serve.
 */
import { MAX_REASON_BYTES } from '../wire/close.ts'
import { encodeUtf8 } from '../wire/text.ts'

/** A token (RFC 9110 §5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** The address of a socket; `http:` is taken for `ws:`. */
export function socketUrl(url: string | URL): URL {
  const address = parsed(String(url))
  if (address.protocol === 'http:') address.protocol = 'ws:'
  if (address.protocol === 'https:') address.protocol = 'wss:'
  if (address.protocol !== 'ws:' && address.protocol !== 'wss:') {
    throw syntaxError(`Expected a ws: or wss: protocol, got ${address.protocol}`)
  }
  if (address.hash !== '' || address.href.endsWith('#')) throw syntaxError('Got fragment')
  return address
}

/** The subprotocols that are asked for. */
export function checkedProtocols(protocols: string | readonly string[]): readonly string[] {
  const names = typeof protocols === 'string' ? [protocols] : [...protocols].map(String)
  const distinct = new Set(names.map(name => name.toLowerCase())).size === names.length
  if (distinct && names.every(name => TOKEN.test(name))) return names
  throw syntaxError('Invalid Sec-WebSocket-Protocol value')
}

/** What a close is to carry; a code of undefined where there is none. */
export function checkClose(
  code: unknown,
  reason: string | undefined,
): { readonly code: number | undefined; readonly reason: string } {
  const given = code === undefined ? undefined : Math.min(65_535, Math.max(0, Math.round(Number(code)) || 0))
  if (given !== undefined && given !== 1000 && (given < 3000 || given > 4999)) {
    throw new DOMException('invalid code', 'InvalidAccessError')
  }
  // Half a surrogate pair becomes U+FFFD.
  const bytes = Buffer.from(encodeUtf8(reason ?? ''))
  const [text, length] = [bytes.toString(), bytes.length]
  if (length > MAX_REASON_BYTES) {
    throw syntaxError(`Reason must be less than ${MAX_REASON_BYTES} bytes; received ${length}`)
  }
  // A reason without a code has the usual one.
  return { code: given ?? (text === '' ? undefined : 1000), reason: text }
}

function parsed(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw syntaxError(`Invalid URL: ${url}`)
  }
}

function syntaxError(message: string): DOMException {
  return new DOMException(message, 'SyntaxError')
}
