/**
 * References to blobs in payloads, as far as a reader without the blobs can tell: do they lie inside, and
 * how long are they on the wire.
 *
 * Nothing is expanded here, so a list with absurd lengths costs nothing.
 *
 * Room: cassette.
 */
import { excerpt } from './code-frame.ts'
import type { Payload } from './model.ts'
import { fail } from './parse-fields.ts'
import type { Source } from './source.ts'
import type { ScalarNode, TreeNode } from './tree.ts'
import type { JsonValue } from '../wire/json.ts'

/** The listed blobs of an exchange and their lengths in bytes. */
export type BlobSizes = ReadonlyMap<string, number>

/** A reference that is a whole string of a value, or what stands in a `-base64` key. */
const WHOLE = /^blob:([^@"]+)@(\d+)\+(\d+)$/g
/** One in a text, between its quotes. */
const QUOTED = /(?<=")blob:([^@"]+)@(\d+)\+(\d+)(?=")/g

interface Reference {
  readonly name: string
  readonly size: number
  /** Where it ends in the blob, in bytes. */
  readonly end: number
  readonly length: number
  /** How many characters it has itself. */
  readonly written: number
}

function listedIn(text: string, pattern: RegExp, blobs: BlobSizes): readonly Reference[] {
  if (!text.includes('blob:')) return []
  return [...text.matchAll(pattern)].flatMap(([whole, name = '', offset, length]) => {
    const size = blobs.get(name)
    if (size === undefined) return []
    const end = Number(offset) + Number(length)
    return [{ name, size, end, length: Number(length), written: whole.length }]
  })
}

/**
 * Throws where a payload refers to bytes that a blob has not, going by its listed length.
 *
 * @param node - The value of the payload's key; `base64` says that it is the one of a `-base64` key.
 */
export function checkReferences(
  source: Source,
  node: TreeNode,
  kind: 'payload' | 'base64',
  blobs: BlobSizes,
): void {
  if (blobs.size === 0) return
  if (node.type === 'scalar') checkScalar(source, node, kind === 'base64' ? WHOLE : QUOTED, blobs)
  else checkStrings(source, node, blobs)
}

function checkStrings(source: Source, node: TreeNode, blobs: BlobSizes): void {
  switch (node.type) {
    case 'scalar':
      checkScalar(source, node, WHOLE, blobs)
      return
    case 'list':
      for (const item of node.items) checkStrings(source, item, blobs)
      return
    case 'map':
      for (const { value } of node.fields) checkStrings(source, value, blobs)
  }
}

function checkScalar(source: Source, node: ScalarNode, pattern: RegExp, blobs: BlobSizes): void {
  if (typeof node.value !== 'string') return
  for (const { name, size, end } of listedIn(node.value, pattern, blobs)) {
    if (end <= size) continue
    fail(source, node.offset, {
      what: `a reference to the bytes up to ${end} of \`${excerpt(name)}\``,
      expected: `at most ${size}, which is its length in \`blobs\``,
      hint: 'Correct the length in `blobs`, or the reference: `blob:NAME@offset+length`, in bytes.',
    })
  }
}

/** By how many bytes a payload is longer on the wire than with its references as they are written. */
export function growthOf(payload: Payload, blobs: BlobSizes): number {
  switch (payload.type) {
    case 'text':
      return base64Growth(listedIn(payload.text, QUOTED, blobs))
    case 'value':
      return base64Growth(stringsOf(payload.value).flatMap(text => listedIn(text, WHOLE, blobs)))
    case 'base64':
      // No base64 itself: without its blob it stands for no bytes at all.
      return listedIn(payload.base64, WHOLE, blobs).reduce((total, { length }) => total + length, 0)
  }
}

function base64Growth(references: readonly Reference[]): number {
  return references.reduce((total, { length, written }) => total + Math.ceil(length / 3) * 4 - written, 0)
}

function stringsOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}
