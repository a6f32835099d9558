/**
 * References to blobs: `blob:NAME@OFFSET+LENGTH`, where a file's bytes stand in for their base64.
 *
 * A whole string in a value, or a quoted string inside a text. Only a name that the exchange lists in
 * `blobs` is one; any other text that looks like a reference is just that text.
 *
 * Room: cassette.
 */
import { WiretapeError } from '../errors.ts'
import { encodeBase64 } from '../wire/base64.ts'
import type { JsonValue } from '../wire/json.ts'
import type { BlobSource } from './model.ts'

const REFERENCE = /^blob:([A-Za-z0-9_][A-Za-z0-9._-]*)@(\d+)\+(\d+)$/
const QUOTED_REFERENCE = /"(blob:[A-Za-z0-9_][A-Za-z0-9._-]*@\d+\+\d+)"/g

/** The bytes behind the references of one exchange. */
export interface BlobReader {
  /** The bytes that a string refers to; undefined for one that is no reference to a listed blob. */
  bytes(reference: string): Uint8Array | undefined
  /** A text with each quoted reference replaced by the base64 it stands for, quoted. */
  text(text: string): string
  /** The same for the strings of a value. */
  value(value: JsonValue): JsonValue
}

/** The reference to a stretch of a blob; offset and length in bytes. */
export function referenceTo(name: string, offset: number, length: number): string {
  return `blob:${name}@${offset}+${length}`
}

/** The blob that a string refers to; undefined where it does not look like a reference. */
export function referredName(text: string): string | undefined {
  return REFERENCE.exec(text)?.[1]
}

/** The blob that a string refers to and how many bytes of it; undefined where it does not look like a reference. */
export function referredStretch(
  text: string,
): { readonly name: string; readonly length: number } | undefined {
  const [, name, , length] = REFERENCE.exec(text) ?? []
  return name === undefined ? undefined : { name, length: Number(length) }
}

/** The blobs that a text refers to in quotes. */
export function referredNames(text: string): readonly string[] {
  return [...text.matchAll(QUOTED_REFERENCE)].map(([, reference]) => referredName(reference ?? '') ?? '')
}

/**
 * Reads the blobs that are listed.
 *
 * Its functions throw `WIRETAPE_CASSETTE_INVALID` for a listed blob that is missing or too short, which
 * loading a cassette has ruled out before.
 */
export function blobReader(source: BlobSource, listed: ReadonlySet<string>): BlobReader {
  function bytes(reference: string): Uint8Array | undefined {
    const [, name, offset, length] = REFERENCE.exec(reference) ?? []
    if (name === undefined || !listed.has(name)) return undefined
    const found = source(name, Number(offset), Number(length))
    if (found?.length !== Number(length)) throw unreadable(reference, found)
    return found
  }

  function text(whole: string): string {
    if (listed.size === 0) return whole
    return whole.replaceAll(QUOTED_REFERENCE, (quoted: string, reference: string) => {
      const found = bytes(reference)
      return found === undefined ? quoted : `"${encodeBase64(found)}"`
    })
  }

  function value(whole: JsonValue): JsonValue {
    if (listed.size === 0) return whole
    return mapStrings(whole, string => {
      const found = bytes(string)
      return found === undefined ? string : encodeBase64(found)
    })
  }

  return { bytes, text, value }
}

/** A value with each of its strings, keys aside, replaced. */
export function mapStrings(
  value: JsonValue,
  replace: (text: string, key: string, siblings: JsonValue) => string,
): JsonValue {
  function map(item: JsonValue, key: string, siblings: JsonValue): JsonValue {
    if (typeof item === 'string') return replace(item, key, siblings)
    if (typeof item !== 'object' || item === null) return item
    if (isList(item)) return item.map(element => map(element, '', item))
    return Object.fromEntries(Object.entries(item).map(([name, member]) => [name, map(member, name, item)]))
  }
  return map(value, '', null)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** The source of blobs that are at hand, by name. */
export function blobsIn(blobs: ReadonlyMap<string, Uint8Array>): BlobSource {
  return (name, offset, length) => blobs.get(name)?.subarray(offset, offset + length)
}

function unreadable(reference: string, found: Uint8Array | undefined): WiretapeError {
  const state = found === undefined ? 'there is no such blob' : `the blob has ${found.length} bytes there`
  return new WiretapeError('WIRETAPE_CASSETTE_INVALID', `\`${reference}\` can't be read: ${state}`, {
    hint: 'Take the `.blobs` folder along with the cassette. It lies beside it, under the same name.',
    details: { reference },
  })
}
