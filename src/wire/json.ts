/**
 * JSON text and the values it stands for, without losing what `JSON.parse` loses.
 *
 * Room: wire.
 */

/** A JSON value as JavaScript holds it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object; the order of its keys is part of what was sent. */
export interface JsonObject {
  /** The members, in order. */
  readonly [key: string]: JsonValue
}

/** A value, and how the text spelled each of its numbers, in the order in which they stand. */
export interface JsonReading {
  readonly value: JsonValue
  readonly numbers: readonly string[]
}

/** How deep a value may be nested: js-yaml refuses 100, and nothing real comes near. */
const MAX_JSON_DEPTH = 60

/** How deep a value may be nested that is looked into, and not taken for mere text: some thousands run out of stack. */
const MAX_READ_DEPTH = 1000

/**
 * How long a key may be, where each character that a file has to escape counts as three: YAML allows
 * 1,024 in one, quotes and escapes included, and an escape has six at most.
 */
const MAX_JSON_KEY = 400

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SCALAR = /[-+.\w]+/y
const BLANK_OR_COMMA = /[\s,:]/

/** True for a value with keys. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a list of values. */
export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** A member of the object itself; undefined for what every object inherits. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** True if two values are equal. The order of keys in an object does not count. */
export function sameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true
  if (isJsonList(one)) {
    return (
      isJsonList(other) &&
      one.length === other.length &&
      one.every((item, index) => sameJson(item, other[index]))
    )
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => Object.hasOwn(other, key) && sameJson(one[key], other[key]))
  )
}

/**
 * The value that a text spells as `JSON.parse` reads it; undefined where it is no JSON, or nested deeper than
 * {@link MAX_READ_DEPTH}.
 */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    // Each level has two brackets, so most texts are too short for it and need no second look.
    return text.length > 2 * MAX_READ_DEPTH && isDeeper(value, MAX_READ_DEPTH) ? undefined : value
  } catch {
    return undefined
  }
}

/** True if this is nested deeper than so many levels. */
function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((item: JsonValue) => isDeeper(item, levels - 1))
}

/** The object or list that a text spells; undefined for anything else, a lone number or string included. */
export function parseStructure(text: string): JsonValue | undefined {
  return /^\s*[[{]/.test(text) ? parseJson(text) : undefined
}

/**
 * Reads JSON text whose value can be written back without loss: every number survives as a double, no
 * key comes twice, integer-like keys are in the order a JavaScript object keeps, depth is
 * {@link MAX_JSON_DEPTH} at most, no key is longer than {@link MAX_JSON_KEY}, no string holds
 * half a surrogate pair, and the whole is an object or a list. Undefined otherwise; the text is then the
 * only faithful form.
 */
export function readJsonLossless(text: string): JsonReading | undefined {
  const value = parseStructure(text)
  const numbers = value === undefined ? undefined : scan(text)
  return value === undefined || numbers === undefined ? undefined : { value, numbers }
}

/**
 * True if a number spelled like this is the same number after it was a double. Minus zero, infinities,
 * integers over 2^53 and decimals with more digits than a double has are not.
 */
export function numberSurvives(lexeme: string): boolean {
  const number = Number(lexeme)
  if (!Number.isFinite(number) || Object.is(number, -0)) return false
  if (/^-?\d+$/.test(lexeme) && !Number.isSafeInteger(number)) return false
  return String(number) === lexeme || decimalOf(String(number)) === decimalOf(lexeme)
}

/** A decimal number in one spelling: its digits without outer zeros, and the power of ten of the last. */
function decimalOf(lexeme: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(lexeme) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const short = digits.replace(/0+$/, '')
  if (short === '') return '0'
  return `${sign}${short}e${Number(power) - fraction.length + digits.length - short.length}`
}

/** Walks text that `JSON.parse` accepts: how its numbers are spelled, or undefined where something would be lost. */
function scan(text: string): string[] | undefined {
  const numbers: string[] = []
  // One entry per open bracket: the keys of an object so far, undefined for a list.
  const open: (string[] | undefined)[] = []
  let wantsKey = false
  for (let index = 0; index < text.length;) {
    const character = text.charAt(index)
    if (character === '"') {
      const end = endOfString(text, index)
      const string = text.slice(index, end)
      if (!isWellFormed(string)) return undefined
      if (wantsKey) {
        const key = stringOf(string)
        if (writtenLength(key) > MAX_JSON_KEY) return undefined
        open.at(-1)?.push(key)
      }
      wantsKey = false
      index = end
    } else if (character === '{' || character === '[') {
      if (open.push(character === '{' ? [] : undefined) > MAX_JSON_DEPTH) return undefined
      wantsKey = character === '{'
      index += 1
    } else if (character === '}' || character === ']') {
      if (!keepsOrder(open.pop() ?? [])) return undefined
      wantsKey = false
      index += 1
    } else if (BLANK_OR_COMMA.test(character)) {
      if (character === ',') wantsKey = open.at(-1) !== undefined
      index += 1
    } else {
      SCALAR.lastIndex = index
      const lexeme = SCALAR.exec(text)?.[0] ?? character
      if (/^[-\d]/.test(lexeme)) {
        if (!numberSurvives(lexeme)) return undefined
        numbers.push(lexeme)
      }
      index += lexeme.length
    }
  }
  return numbers
}

/** The offset after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) break
    if (code === BACKSLASH) index += 1
  }
  return index + 1
}

/** What a JSON string spells. */
function stringOf(string: string): string {
  const text: string = JSON.parse(string)
  return text
}

function writtenLength(key: string): number {
  return key.length + 2 * (key.match(/[\p{C}\p{Zl}\p{Zp}"\\]/gu)?.length ?? 0)
}

/** False where a JSON string holds half a surrogate pair, raw or escaped: no UTF-8 file can hold it. */
function isWellFormed(string: string): boolean {
  if (!/\\u[dD][89a-fA-F]/.test(string)) return true
  return !/\p{Surrogate}/u.test(stringOf(string))
}

/** False if an object with these keys would have fewer of them, or have them in another order. */
function keepsOrder(keys: readonly string[]): boolean {
  const kept = Object.keys(Object.fromEntries(keys.map(key => [key, true])))
  return kept.length === keys.length && kept.every((key, index) => key === keys[index])
}
