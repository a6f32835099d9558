/**
 * Takes media out of payloads, so that a cassette can be read and its sound and pictures opened.
 *
 * Media is base64 in a `data` key beside a MIME type. What is beside none stays where it is: signatures
 * and tokens are base64 too, and must be compared, searched and reviewed as text.
 *
 * Room: cassette.
 */
import { decodeBase64 } from '../wire/base64.ts'
import { isJsonObject, type JsonReading, type JsonValue, parseJson } from '../wire/json.ts'
import { mapStrings, referenceTo, referredName, referredNames } from './blobs.ts'
import type { Payload } from './model.ts'

/** Takes the bytes of some media, and gives the reference that stands for them. */
export type Refer = (bytes: Uint8Array, mimeType: string) => string

/** Gives a blob its name: from its bytes, so that a second recording names it the same. */
export type NameBlob = (bytes: Uint8Array, mimeType: string) => string

/** A file to be written beside the cassette. */
export interface Blob {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What is done with the media in payloads. */
export interface MediaHandling {
  /** A value with references in place of its media. */
  value(value: JsonValue): JsonValue
  /** JSON text with quoted references in place of its media; any other text as it is. */
  text(text: string): string
  /** A reference to these bytes; undefined where there are too few of them. */
  bytes(bytes: Uint8Array, mimeType: string): string | undefined
}

/** Collects the media of one exchange. */
interface MediaCollector extends MediaHandling {
  /** Each blob once, in the order of first use. */
  readonly blobs: readonly Blob[]
  /** True if the exchange itself had a text that reads like a reference to one of these blobs. */
  isAmbiguous(): boolean
}

/** How many characters of base64 make a blob: 192 bytes. */
export const MIN_MEDIA_CHARACTERS = 256

/** Starts collecting. */
export function collectMedia(nameBlob: NameBlob): MediaCollector {
  const blobs = new Map<string, Uint8Array>()
  const mentioned = new Set<string>()
  const handling = takeMedia((bytes, mimeType) => {
    const name = nameBlob(bytes, mimeType)
    blobs.set(name, bytes)
    return referenceTo(name, 0, bytes.length)
  }, decodeBase64)

  return {
    ...handling,
    value(whole) {
      for (const name of namesIn(whole)) mentioned.add(name)
      return handling.value(whole)
    },
    text(whole) {
      for (const name of referredNames(whole)) mentioned.add(name)
      return handling.text(whole)
    },
    get blobs() {
      return [...blobs].map(([name, bytes]) => ({ name, bytes }))
    },
    isAmbiguous: () => [...blobs.keys()].some(name => mentioned.has(name)),
  }
}

/** Takes media out, wherever it goes. `decode`: the bytes of base64, undefined for a text that is none. */
export function takeMedia(refer: Refer, decode: (base64: string) => Uint8Array | undefined): MediaHandling {
  function value(whole: JsonValue): JsonValue {
    return mapStrings(whole, (string, key, siblings) => {
      const mimeType = mediaType(string, key, siblings)
      const bytes = mimeType === undefined ? undefined : decode(string)
      return mimeType === undefined || bytes === undefined ? string : refer(bytes, mimeType)
    })
  }

  function text(whole: string): string {
    if (whole.length < MIN_MEDIA_CHARACTERS || !whole.includes('"data"')) return whole
    const parsed = parseJson(whole)
    if (parsed === undefined) return whole
    const found = new Map<string, string>()
    mapStrings(parsed, (string, key, siblings) => {
      const mimeType = mediaType(string, key, siblings)
      if (mimeType !== undefined) found.set(string, mimeType)
      return string
    })
    return [...found].reduce((rest, [base64, mimeType]) => {
      // Base64 whose slashes are escaped has another spelling in the text, and stays.
      const bytes = rest.includes(`"${base64}"`) ? decodeBase64(base64) : undefined
      return bytes === undefined ? rest : rest.replaceAll(`"${base64}"`, `"${refer(bytes, mimeType)}"`)
    }, whole)
  }

  return {
    value,
    text,
    bytes: (bytes, mimeType) =>
      bytes.length < (MIN_MEDIA_CHARACTERS / 4) * 3 ? undefined : refer(bytes, mimeType),
  }
}

/** Everything stays where it is. */
export const leaveMedia: MediaHandling = {
  value: value => value,
  text: text => text,
  bytes: () => undefined,
}

/** The payload of a value, its media taken out. */
export function valuePayload({ value, numbers }: JsonReading, media: MediaHandling): Payload {
  const asUsual = numbers.every(lexeme => String(Number(lexeme)) === lexeme)
  return { type: 'value', value: media.value(value), ...(asUsual ? {} : { numbers }) }
}

/** The blobs that the strings of a value refer to, or would. */
export function namesIn(value: JsonValue): readonly string[] {
  const names: string[] = []
  mapStrings(value, string => {
    const name = referredName(string)
    if (name !== undefined) names.push(name)
    return string
  })
  return names
}

/** The MIME type of a string that is media, as far as can be seen without decoding it. */
export function mediaType(string: string, key: string, siblings: JsonValue): string | undefined {
  return key === 'data' && string.length >= MIN_MEDIA_CHARACTERS ? mimeTypeIn(siblings) : undefined
}

function mimeTypeIn(object: JsonValue): string | undefined {
  if (!isJsonObject(object)) return undefined
  const mimeType = object['mimeType'] ?? object['mime_type']
  return typeof mimeType === 'string' ? mimeType : undefined
}
