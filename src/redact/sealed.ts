/**
 * Finds keys inside base64, where no placeholder could stand for them.
 *
 * The bytes of a prefix have three spellings in base64, by where in a group of three they begin. The search
 * looks for the characters that they alone decide, and decodes what follows. So it needs not know where the
 * base64 began, and finds nothing to do in media.
 *
 * Room: redact.
 */
import { HEAD_LENGTH, MORE, NO, type Finding, type Needle } from './needle.ts'
import { decodePercent, startOfUnit, unitAt, type Ending, type Unit } from './percent.ts'
import type { SecretShape } from './rules.ts'
import { CUT_OFF_MIN } from './shape.ts'
import { afterBreaks } from './spelled.ts'

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const URL_SAFE = `${STANDARD.slice(0, 62)}-_`

/** Looks for the secrets of one shape inside base64, of either alphabet. */
export function sealedNeedles(shape: SecretShape): readonly Needle[] {
  return [0, 1, 2].map(offset => {
    const first = Math.ceil((offset * 8) / 6)
    const heads = [STANDARD, URL_SAFE].map(alphabet => headOf(shape.prefix, offset, alphabet))
    return {
      heads: [...new Set(heads)],
      spelling: 'base64',
      find: (text, at, ending) => open(shape, text, at, first, offset, ending),
    }
  })
}

/** The characters that the prefix alone decides, if its first byte is the group's byte number `offset`. */
function headOf(prefix: string, offset: number, alphabet: string): string {
  let head = ''
  const bits = prefix
    .split('')
    .map(character => character.charCodeAt(0).toString(2).padStart(8, '0'))
    .join('')
  for (let at = Math.ceil((offset * 8) / 6) * 6 - offset * 8; at + 6 <= bits.length; at += 6) {
    head += alphabet.charAt(Number.parseInt(bits.slice(at, at + 6), 2))
  }
  return head.slice(0, HEAD_LENGTH)
}

/** Decodes from the group that began `first` characters before `at`, of which `skip` bytes come before the prefix. */
function open(
  shape: SecretShape,
  text: string,
  at: number,
  first: number,
  skip: number,
  ending: Ending,
): Finding {
  let start = at
  for (let back = 0; back < first; back += 1) start = startOfCharacter(text, start)
  if (start < 0) return NO
  let decoded = ''
  let bits = 0
  let held = 0
  const wanted = skip + shape.prefix.length + shape.min
  for (let index = start; decoded.length < wanted;) {
    const character = characterAt(text, index)
    if (character === 'more') {
      if (ending === 'open') return MORE
      return decoded.length >= skip + shape.prefix.length + CUT_OFF_MIN
        ? found(shape, decoded, start, skip)
        : NO
    }
    const value = valueOf(character.character)
    if (value === -1) return NO
    held = ((held << 6) | value) & 0xff_ff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      const byte = String.fromCharCode((held >> bits) & 0xff)
      if (!fits(shape, byte, decoded.length - skip)) return NO
      decoded += byte
    }
    index = character.end
  }
  return found(shape, decoded, start, skip)
}

/** Where the character of base64 begins that ends before `at`: JSON may have a backslash before a slash. */
function startOfCharacter(text: string, at: number): number {
  const start = startOfUnit(text, at)
  if (start <= 0 || decodePercent(text.slice(start, at)) !== '/') return start
  const before = startOfUnit(text, start)
  return decodePercent(text.slice(before, start)) === '\\' ? before : start
}

/** The character of base64 at `index`, after the line breaks there. */
function characterAt(text: string, index: number): Unit | 'more' {
  const at = afterBreaks(text, index)
  if (at === 'more' || at >= text.length) return 'more'
  const unit = unitAt(text, at, 'open')
  if (unit === 'more' || unit.character !== '\\' || unit.end >= text.length) return unit
  const escaped = unitAt(text, unit.end, 'open')
  return escaped === 'more' || escaped.character === '/' ? escaped : unit
}

function found(shape: SecretShape, decoded: string, start: number, skip: number): Finding {
  if (shape.accept?.(decoded.slice(skip)) === false) return NO
  return { type: 'refused', start, kind: shape.kind }
}

function fits(shape: SecretShape, byte: string, index: number): boolean {
  if (index < 0) return true
  return index < shape.prefix.length ? byte === shape.prefix[index] : shape.body(byte)
}

function valueOf(character: string): number {
  const value = STANDARD.indexOf(character)
  return value === -1 ? URL_SAFE.indexOf(character) : value
}
