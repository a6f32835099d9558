/**
 * From a document to the wire: the exact bytes and chunks that a recorded answer stands for.
 *
 * Room: cassette.
 */
import type { Dialect } from '../dialect/dialect.ts'
import type { Chunk } from '../wire/exchange.ts'
import type { BlobSource, Exchange, Payload } from './model.ts'

/** A chunk to be sent. */
export interface PlayChunk extends Chunk {
  /** True where the first event of it is marked `hold`. */
  readonly hold: boolean
  /** True if the dialect's end mark is in this chunk or in one before: whoever leaves now has read it all. */
  readonly ended: boolean
}

/** The chunks of an exchange's response, in order; none where it has no body. Blobs are expanded. */
export declare function responseChunks(
  exchange: Exchange,
  dialect: Dialect,
  blobs: BlobSource,
): readonly PlayChunk[]

/** The bytes of a payload: text as it is, a value in the dialect's spelling. Blobs are expanded. */
export declare function payloadBytes(
  payload: Payload,
  dialect: Dialect,
  blobs: BlobSource,
  listed: ReadonlySet<string>,
): Uint8Array
