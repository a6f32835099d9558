/**
 * A request body in the form in which two of them are compared.
 *
 * JSON is compared as a value, folded by its dialect; any other text as text, the rest byte by byte.
 * Placeholders lose their numbers on both sides: those count secrets within one recording.
 *
 * Room: replay.
 */
import type { Dialect } from '../dialect/dialect.ts'
import { isUploadPiece } from '../dialect/upload.ts'
import { unnumbered } from '../redact/placeholders.ts'
import type { HeaderList } from '../wire/headers.ts'
import { isJsonList, isJsonObject, parseStructure, type JsonValue } from '../wire/json.ts'
import { decodeUtf8, equalBytes } from '../wire/text.ts'

/** A body, ready to be compared. */
export type ComparableBody =
  | { readonly type: 'none' }
  | { readonly type: 'json'; readonly value: JsonValue }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }

/**
 * Makes a body comparable. It is redacted already; no bytes at all count as no body.
 *
 * Whether it is JSON, its bytes decide and not its content type: a recording leaves the usual type out.
 * Pieces of an uploaded file are none.
 */
export function comparableBody(
  bytes: Uint8Array | undefined,
  headers: HeaderList,
  dialect: Dialect,
): ComparableBody {
  if (bytes === undefined || bytes.length === 0) return { type: 'none' }
  const raw = decodeUtf8(bytes)
  if (raw === undefined) return { type: 'bytes', bytes }
  const text = unnumbered(raw)
  const value = isUploadPiece(headers) ? undefined : parseStructure(text)
  return value === undefined ? { type: 'text', text } : { type: 'json', value: dialect.fold(value) }
}

/** True if two bodies ask for the same. The order of keys in an object does not count. */
export function isSameBody(one: ComparableBody, other: ComparableBody): boolean {
  switch (one.type) {
    case 'none':
      return other.type === 'none'
    case 'json':
      return other.type === 'json' && isSameValue(one.value, other.value)
    case 'text':
      return other.type === 'text' && one.text === other.text
    case 'bytes':
      return other.type === 'bytes' && equalBytes(one.bytes, other.bytes)
  }
}

function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true
  if (isJsonList(one)) {
    return (
      isJsonList(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameValue(item, other[index]))
    )
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => Object.hasOwn(other, key) && isSameValue(one[key], other[key]))
  )
}
