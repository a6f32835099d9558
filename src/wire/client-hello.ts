/**
 * What a TLS client offers to speak, read off the first bytes that it sends (RFC 8446 §4.1.2, RFC 7301 §3.1).
 *
 * Room: wire.
 */

const HANDSHAKE = 22
const CLIENT_HELLO = 1
const ALPN = 16
/** Type and length of a record, and of the message in it. */
const RECORD_HEAD = 5
/** RFC 8446 §5.1: a longer one is refused by every server, so nobody waits for the rest of it. */
const MAX_RECORD = 16_384
const MESSAGE_HEAD = 4
/** Version and random. */
const FIXED = 34

const ascii = new TextDecoder('latin1')

/**
 * The protocols that it names, e.g. `h2`; `more` where it takes more bytes to tell. Undefined where it names none, or is
 * no TLS client; and where its greeting is cut into several records, which no client of today does.
 */
export function offeredProtocols(bytes: Uint8Array): readonly string[] | 'more' | undefined {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return undefined
  if (bytes.length < RECORD_HEAD) return 'more'
  const size = short(bytes, 3)
  if (size > MAX_RECORD) return undefined
  const end = RECORD_HEAD + size
  if (bytes.length < end) return 'more'
  const hello = bytes.subarray(RECORD_HEAD, end)
  if (hello[0] !== CLIENT_HELLO || hello.length < MESSAGE_HEAD + messageLength(hello)) return undefined
  let at = MESSAGE_HEAD + FIXED
  // The session's id, what ciphers there are, how to compress; then the extensions, with the length of them all.
  at += 1 + (hello[at] ?? 0)
  at += 2 + short(hello, at)
  at += 1 + (hello[at] ?? 0)
  at += 2
  while (at + 4 <= hello.length) {
    const type = short(hello, at)
    const length = short(hello, at + 2)
    if (type === ALPN) return namesIn(hello.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}

/** A list with its length before it, and before each name that of the name; undefined where none is in it. */
function namesIn(list: Uint8Array): readonly string[] | undefined {
  const names: string[] = []
  for (let at = 2; at < list.length;) {
    const length = list[at] ?? 0
    names.push(ascii.decode(list.subarray(at + 1, at + 1 + length)))
    at += 1 + length
  }
  return names.length === 0 ? undefined : names
}

/** Three bytes, after that of its type. */
function messageLength(message: Uint8Array): number {
  return ((message[1] ?? 0) << 16) | short(message, 2)
}

/** Two bytes as a number; 0 where there are none. */
function short(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}
