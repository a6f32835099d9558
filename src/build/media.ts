/**
 * The files that an exchange which is built refers to, under names that come from its number alone.
 *
 * Room: build.
 */
import { collectMedia, leaveMedia, type Blob, type MediaHandling } from '../cassette/media.ts'
import { extensionOf } from '../cassette/side-files.ts'
import type { Exchange } from '../cassette/model.ts'
import { equalBytes } from '../wire/text.ts'

/** An exchange, and the files beside it. */
export interface BuiltExchange {
  readonly exchange: Exchange
  readonly blobs: readonly Blob[]
}

/**
 * Composes an exchange with its media taken out. Where it has a text itself that reads like a reference to one of its files, they stay in.
 *
 * @param number - Its number in the cassette, from 1.
 */
export function withMedia(number: number, compose: (media: MediaHandling) => Exchange): BuiltExchange {
  const named: Blob[] = []
  const collector = collectMedia((bytes, mimeType) => {
    const known = named.find(
      blob => equalBytes(blob.bytes, bytes) && blob.name.endsWith(`.${extensionOf(mimeType)}`),
    )
    if (known !== undefined) return known.name
    const name = `${number}-${named.length + 1}.${extensionOf(mimeType)}`
    named.push({ name, bytes })
    return name
  })
  const exchange = compose(collector)
  if (collector.isAmbiguous()) return { exchange: compose(leaveMedia), blobs: [] }
  const { blobs } = collector
  return { exchange: { ...exchange, blobs: lengthsOf(blobs) }, blobs }
}

/** Names and lengths as a document lists them; undefined where there are none. */
export function lengthsOf(blobs: readonly Blob[]): Readonly<Record<string, number>> | undefined {
  return blobs.length === 0
    ? undefined
    : Object.fromEntries(blobs.map(({ name, bytes }) => [name, bytes.length]))
}
