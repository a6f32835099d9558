/**
 * What a client sent, as a line for programs tells it: redacted, and without the bytes of its media.
 *
 * It is told as the client spelled it, key case and all, and not as it is compared; JSON that a value can't hold without
 * loss is told as text.
 *
 * Room: replay.
 */
import { isUploadPiece } from '../dialect/upload.ts'
import type { Redactor } from '../redact/redactor.ts'
import { base64Length, encodeBase64 } from '../wire/base64.ts'
import { type HeaderList, headerValue } from '../wire/headers.ts'
import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseStructure,
  readJsonLossless,
} from '../wire/json.ts'
import { decodeUtf8, encodeUtf8 } from '../wire/text.ts'

/** In either alphabet, as the SDKs send it. */
const BASE64 = /^[\w+/-]*={0,2}$/

/** A request, or a message of a socket, and what it was matched to. */
export interface Received extends Content {
  /** The file of the exchange that it was matched to; undefined where it was refused. */
  readonly file: string | undefined
  /** The number of that exchange there, from 1. */
  readonly exchange: number | undefined
  /** What it asks for, e.g. `POST models/m:generateContent`. */
  readonly operation: string
  /** Of a message: which socket of the replay it came by, from 1. */
  readonly socket?: number
}

/** What is in it: one of these, or none where nothing is. */
interface Content {
  /** A request's body, where it is JSON. */
  readonly body?: JsonValue
  /** A message, where it is JSON. */
  readonly message?: JsonValue
  /** What is no JSON but text. */
  readonly text?: string
  /** What is neither. */
  readonly base64?: string
  /** How many bytes there were, which are not told: of a file, of media, of what is still compressed. */
  readonly bytes?: number
  /** A key of this kind hides where it can't be replaced: nothing from there on is told. */
  readonly refused?: string
}

/** The body of a request. */
export function bodyReceived(bytes: Uint8Array, headers: HeaderList, redactor: Redactor): Content {
  if (bytes.length === 0) return {}
  const isMedia = /^\s*(?:audio|image|video)\//i.test(headerValue(headers, 'content-type') ?? '')
  if (isMedia || isUploadPiece(headers) || isCompressed(bytes, headers)) return { bytes: bytes.length }
  return contentOf(bytes, redactor, body => ({ body }))
}

/** Bodies come here decoded. Where that could not be done, nobody has looked for keys in what they hold. */
function isCompressed(bytes: Uint8Array, headers: HeaderList): boolean {
  return headerValue(headers, 'content-encoding') !== undefined && decodeUtf8(bytes) === undefined
}

/** A message of a socket. */
export function messageReceived(bytes: Uint8Array, redactor: Redactor): Content {
  return contentOf(bytes, redactor, message => ({ message }))
}

function contentOf(bytes: Uint8Array, redactor: Redactor, told: (value: JsonValue) => Content): Content {
  const text = decodeUtf8(bytes)
  const value = text === undefined ? undefined : readJsonLossless(text)?.value
  // Media goes first: to look for keys in it costs most of the time, and finds none.
  const spelled = value === undefined ? bytes : encodeUtf8(JSON.stringify(withoutMedia(value)))
  const { bytes: safe, refused } = redactor.whole(spelled)
  const safeText = decodeUtf8(safe)
  if (refused !== undefined) return { text: safeText ?? '', refused }
  if (safeText === undefined) return { base64: encodeBase64(safe) }
  const safeValue = value === undefined ? undefined : parseStructure(safeText)
  return safeValue === undefined ? { text: safeText } : told(safeValue)
}

/** The same, with `bytes`, their number, in the place of each `data` beside a MIME type. */
function withoutMedia(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(withoutMedia)
  if (!isJsonObject(value)) return value
  const length = mediaLength(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, JsonValue] =>
      key === 'data' && length !== undefined ? ['bytes', length] : [key, withoutMedia(item)],
    ),
  )
}

/** How long the media in this object is; undefined where none is. */
function mediaLength(object: JsonObject): number | undefined {
  const { data, mimeType = object['mime_type'] } = object
  if (typeof data !== 'string' || typeof mimeType !== 'string' || Object.hasOwn(object, 'bytes'))
    return undefined
  return BASE64.test(data) ? base64Length(data) : undefined
}
