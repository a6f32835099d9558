/**
 * Base64 (RFC 4648 §4), strictly: text has bytes only if encoding those bytes gives that very text.
 *
 * So a payload can leave its text and come back to it, and what is spelled in any other way (the URL-safe
 * alphabet, missing padding, line breaks, stray bits) stays the text it is.
 *
 * Room: wire.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PAD = 0x3d
/** Marks a character that is not in the alphabet; no valid group of four can reach it. */
const NONE = 0x4000_0000

const CODES = Uint8Array.from(ALPHABET, character => character.charCodeAt(0))
const VALUES = new Int32Array(128).fill(NONE)
CODES.forEach((code, value) => {
  VALUES[code] = value
})

const ascii = new TextDecoder('latin1')

/** Where short text is put together: media goes by in many small pieces. */
const scratch = new Uint8Array(65_536)

/** The canonical base64 of these bytes, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  const length = Math.ceil(bytes.length / 3) * 4
  const out = length > scratch.length ? new Uint8Array(length) : scratch
  const whole = bytes.length - (bytes.length % 3)
  let at = 0
  for (let index = 0; index < whole; index += 3) {
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0)
    out[at] = CODES[group >> 18] ?? PAD
    out[at + 1] = CODES[(group >> 12) & 63] ?? PAD
    out[at + 2] = CODES[(group >> 6) & 63] ?? PAD
    out[at + 3] = CODES[group & 63] ?? PAD
    at += 4
  }
  if (whole < bytes.length) {
    const last = bytes[whole + 1]
    const group = ((bytes[whole] ?? 0) << 16) | ((last ?? 0) << 8)
    out[at] = CODES[group >> 18] ?? PAD
    out[at + 1] = CODES[(group >> 12) & 63] ?? PAD
    out[at + 2] = last === undefined ? PAD : (CODES[(group >> 6) & 63] ?? PAD)
    out[at + 3] = PAD
  }
  return ascii.decode(out.subarray(0, length))
}

/** The bytes that this text is the canonical base64 of; undefined where it is not that of any. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  const whole = text.length - (padding === 0 ? 0 : 4)
  let at = 0
  for (let index = 0; index < whole; index += 4) {
    const group = groupAt(text, index)
    if (group < 0) return undefined
    bytes[at] = group >> 16
    bytes[at + 1] = group >> 8
    bytes[at + 2] = group
    at += 3
  }
  if (padding === 0) return bytes
  const group = groupAt(`${text.slice(whole, -padding)}${'A'.repeat(padding)}`, 0)
  // What the padding cuts off must be zero, or the text would come back as another one.
  if (group < 0 || (group & (padding === 2 ? 0xffff : 0xff)) !== 0) return undefined
  bytes[at] = group >> 16
  if (padding === 1) bytes[at + 1] = group >> 8
  return bytes
}

/** The 24 bits of four characters; negative where one is not in the alphabet. */
function groupAt(text: string, index: number): number {
  const a = VALUES[text.charCodeAt(index)] ?? NONE
  const b = VALUES[text.charCodeAt(index + 1)] ?? NONE
  const c = VALUES[text.charCodeAt(index + 2)] ?? NONE
  const d = VALUES[text.charCodeAt(index + 3)] ?? NONE
  return ((a | b | c | d) & NONE) === 0 ? (a << 18) | (b << 12) | (c << 6) | d : -1
}

/** How many bytes base64 stands for, in either alphabet, padded or not. Whether it is base64 is not looked at. */
export function base64Length(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.floor(((text.length - padding) * 3) / 4)
}
