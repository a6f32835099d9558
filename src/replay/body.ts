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
import { encodeBase64 } from '../wire/base64.ts'
import type { HeaderList } from '../wire/headers.ts'
import { parseStructure, sameJson, type JsonValue } from '../wire/json.ts'
import { type Pointer, withoutPlaces } from '../wire/pointer.ts'
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
 *
 * @param ignored - What of a JSON body does not count.
 */
export function comparableBody(
  bytes: Uint8Array | undefined,
  headers: HeaderList,
  dialect: Dialect,
  ignored: readonly Pointer[] = [],
): ComparableBody {
  if (bytes === undefined || bytes.length === 0) return { type: 'none' }
  const raw = decodeUtf8(bytes)
  if (raw === undefined) return { type: 'bytes', bytes }
  const text = unnumbered(raw)
  const value = isUploadPiece(headers) ? undefined : parseStructure(text)
  if (value === undefined) return { type: 'text', text }
  const folded = dialect.fold(value)
  // What has become empty by that says nothing, and is gone as if it had been empty before.
  return {
    type: 'json',
    value: ignored.length === 0 ? folded : dialect.fold(withoutPlaces(folded, ignored)),
  }
}

/** True if two bodies ask for the same. The order of keys in an object does not count. */
export function isSameBody(one: ComparableBody, other: ComparableBody): boolean {
  switch (one.type) {
    case 'none':
      return other.type === 'none'
    case 'json':
      return other.type === 'json' && sameJson(one.value, other.value)
    case 'text':
      return other.type === 'text' && one.text === other.text
    case 'bytes':
      return other.type === 'bytes' && equalBytes(one.bytes, other.bytes)
  }
}

/** A body as plain data: a JSON value, text, bytes in base64, or undefined. */
export function plainBody(body: ComparableBody): JsonValue | undefined {
  switch (body.type) {
    case 'none':
      return undefined
    case 'json':
      return body.value
    case 'text':
      return body.text
    case 'bytes':
      return encodeBase64(body.bytes)
  }
}
