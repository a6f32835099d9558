/**
 * UTF-8 to text and back without loss, and the few things done with whole byte arrays.
 *
 * Decoding is strict: bytes that are not UTF-8 have no text, and a byte order mark is a character like any
 * other, so that encoding what was decoded always gives the same bytes.
 *
 * Room: wire.
 */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** The text that these bytes spell; undefined where they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a text. Half a surrogate pair has none of its own and becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** One array with the bytes of all. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}

/** True if both hold the same bytes. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index += 1) {
    if (left[index] !== right[index]) return false
  }
  return true
}

/** Where `wanted` begins in `bytes`, at `from` or later; -1 where it does not. */
export function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const first = wanted[0]
  if (first === undefined) return from
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (at + wanted.length > bytes.length) return -1
    if (wanted.every((byte, index) => byte === bytes[at + index])) return at
  }
  return -1
}
