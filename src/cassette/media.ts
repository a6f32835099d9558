/**
 * Takes media out of payloads, so that a cassette can be read and its sound and pictures opened.
 *
 * Media is base64 in a `data` key beside a MIME type. What is beside none stays where it is: signatures
 * and tokens are base64 too, and must be compared, searched and reviewed as text.
 *
 * Room: cassette.
 */
import { decodeBase64 } from '../wire/base64.ts'
import { isJsonObject, type JsonValue } from '../wire/json.ts'
import { mapStrings, referenceTo, referredName, referredNames } from './blobs.ts'

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

  function refer(bytes: Uint8Array, mimeType: string): string {
    const name = nameBlob(bytes, mimeType)
    blobs.set(name, bytes)
    return referenceTo(name, 0, bytes.length)
  }

  function value(whole: JsonValue): JsonValue {
    return mapStrings(whole, (string, key, siblings) => {
      const name = referredName(string)
      if (name !== undefined) mentioned.add(name)
      const mimeType = key === 'data' ? mimeTypeIn(siblings) : undefined
      if (mimeType === undefined || string.length < MIN_MEDIA_CHARACTERS) return string
      const bytes = decodeBase64(string)
      return bytes === undefined ? string : refer(bytes, mimeType)
    })
  }

  function text(whole: string): string {
    for (const name of referredNames(whole)) mentioned.add(name)
    if (whole.length < MIN_MEDIA_CHARACTERS || !whole.includes('"data"')) return whole
    const parsed = parseJson(whole)
    if (parsed === undefined) return whole
    const found = new Map<string, string>()
    mapStrings(parsed, (string, key, siblings) => {
      const mimeType = key === 'data' ? mimeTypeIn(siblings) : undefined
      if (mimeType !== undefined && string.length >= MIN_MEDIA_CHARACTERS) found.set(string, mimeType)
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
    get blobs() {
      return [...blobs].map(([name, bytes]) => ({ name, bytes }))
    },
    isAmbiguous: () => [...blobs.keys()].some(name => mentioned.has(name)),
  }
}

/** Everything stays where it is. */
export const leaveMedia: MediaHandling = {
  value: value => value,
  text: text => text,
  bytes: () => undefined,
}

function mimeTypeIn(object: JsonValue): string | undefined {
  if (!isJsonObject(object)) return undefined
  const mimeType = object['mimeType'] ?? object['mime_type']
  return typeof mimeType === 'string' ? mimeType : undefined
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
