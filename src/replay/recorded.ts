/**
 * A recorded exchange, ready to be asked for: what it was asked, and what it answers.
 *
 * Bodies and chunks are worked out when they are first needed; the chunks of an exchange that is played once are not kept.
 *
 * Room: replay.
 */
import type { BlobSource, Cassette, Exchange, MatchKind } from '../cassette/model.ts'
import { payloadBytes, type PlayChunk, responseChunks } from '../cassette/play.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { dialectNamed, operationOf } from '../dialect/operation.ts'
import { withoutOrigin } from '../wire/url.ts'
import { type Asked, once } from './asked.ts'
import { comparableBody } from './body.ts'

/** A cassette and where its blobs are. */
export interface Tape {
  readonly cassette: Cassette
  readonly blobs: BlobSource
}

/** One exchange of a cassette. */
export interface Recorded extends Asked {
  readonly file: string
  /** Its position among the file's exchanges, from 1. */
  readonly number: number
  readonly exchange: Exchange
  readonly match: MatchKind
  /** The chunks of its answer, in order. */
  chunks(): readonly PlayChunk[]
}

/** The exchanges of some cassettes in order. `match` holds where an exchange does not say its own. */
export function recordedExchanges(tapes: readonly Tape[], match: MatchKind): readonly Recorded[] {
  return tapes.flatMap(({ cassette, blobs }) =>
    cassette.documents
      .flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
      .map((exchange, index) => recordedExchange(cassette.file, index + 1, exchange, blobs, match))
      // Connections of the other kind have an engine of their own.
      .filter(({ exchange }) => exchange.messages === undefined),
  )
}

function recordedExchange(
  file: string,
  number: number,
  exchange: Exchange,
  blobs: BlobSource,
  match: MatchKind,
): Recorded {
  const { request } = exchange
  const { dialect, key } = operationOf(request)
  const spelling = dialectNamed(exchange.exchange) ?? dialect
  const chunks = (): readonly PlayChunk[] => responseChunks(exchange, spelling, blobs)
  return {
    file,
    number,
    exchange,
    operation: key,
    target: withoutOrigin(request.url),
    match: exchange.match ?? match,
    body: once(() => comparableBody(requestBytes(exchange, spelling, blobs), request.headers, dialect)),
    chunks: exchange.repeat === undefined || exchange.repeat === 1 ? chunks : once(chunks),
  }
}

function requestBytes(exchange: Exchange, dialect: Dialect, blobs: BlobSource): Uint8Array | undefined {
  const { body } = exchange.request
  const listed = new Set(Object.keys(exchange.blobs ?? {}))
  return body === undefined ? undefined : payloadBytes(body, dialect, blobs, listed)
}

/** Names an exchange in a message: `exchange 3 (line 40 of a.cassette.yaml)`. */
export function exchangeName(recorded: Recorded): string {
  return `exchange ${recorded.number} (line ${recorded.exchange.line} of ${recorded.file})`
}
