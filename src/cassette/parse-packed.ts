/**
 * The last document of a packed cassette: its blobs, inside the file.
 *
 * Room: cassette.
 */
import { decodeBase64 } from '../wire/base64.ts'
import { excerpt } from './code-frame.ts'
import { blobNameAt } from './parse-blobs.ts'
import { countAt, fail, fieldsAt, mapAt, required, textAt, wordAt } from './parse-fields.ts'
import type { Source } from './source.ts'
import type { FieldNode, MapNode } from './tree.ts'

/** The format of packed documents that this version reads and writes. */
export const PACKED = 1

const KEYS = ['packed', 'added', 'blobs', 'end'] as const

/** The blobs of a document that begins with `packed`; undefined for any other document. */
export function packedBlobsAt(source: Source, node: MapNode): ReadonlyMap<string, Uint8Array> | undefined {
  const version = node.fields.find(({ name }) => name === 'packed')
  if (version === undefined) return undefined
  if (countAt(source, version, 1) !== PACKED) {
    fail(source, version.value.offset, {
      what: '`packed` is of a newer format',
      expected: `\`${PACKED}\``,
      hint: 'Update Wiretape.',
    })
  }
  const fields = fieldsAt(source, node, 'this document', KEYS)
  fieldsAt(source, required(source, fields, 'end', node).value, '`end`', [])
  const added = fields.get('added')
  if (added !== undefined) wordAt(source, added, ['line-feed'])
  const blobs = mapAt(source, required(source, fields, 'blobs', node).value, '`blobs`')
  return new Map(blobs.fields.map(field => [blobNameAt(source, field), bytesAt(source, field)]))
}

/** Throws for a document that comes after the packed one. */
export function failAfterPacked(source: Source, node: MapNode): never {
  return fail(source, node.offset, {
    what: 'a document after the one that begins with `packed`',
    expected: 'the blobs as the last document of a packed cassette',
    hint: 'Unpack it first, `wiretape unpack FILE`, and add to what comes out.',
  })
}

function bytesAt(source: Source, field: FieldNode): Uint8Array {
  const bytes = decodeBase64(textAt(source, field, `\`${excerpt(field.name)}\``).replaceAll(/\s/g, ''))
  if (bytes !== undefined) return bytes
  return fail(source, field.value.offset, {
    what: `\`${excerpt(field.name)}\` is not base64`,
    expected: 'base64 with its padding, in as many lines as it takes',
    hint: 'Take the file once more from where it came.',
  })
}
