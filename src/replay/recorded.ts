/**
 * A recorded exchange, ready to be asked for: what it was asked, and what it answers.
 *
 * Bodies and chunks are worked out when they are first needed; the chunks of an exchange that is played once are not kept.
 *
 * Room: replay.
 */
import type { BlobSource, Cassette, Exchange } from '../cassette/model.ts'
import { payloadBytes, type PlayChunk, responseChunks } from '../cassette/play.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { live } from '../dialect/live.ts'
import { dialectNamed, operationOf } from '../dialect/operation.ts'
import type { Pointer } from '../wire/pointer.ts'
import { withoutOrigin } from '../wire/url.ts'
import { type Asked, once } from './asked.ts'
import { comparableBody, plainBody } from './body.ts'
import { headerRecord, type SafeMatch } from './matching.ts'

/** A cassette and where its blobs are. */
export interface LoadedCassette {
  readonly cassette: Cassette
  readonly blobs: BlobSource
}

/** One exchange of a cassette. */
export interface Recorded extends Asked {
  readonly file: string
  /** Its position among the file's exchanges, from 1. */
  readonly number: number
  readonly exchange: Exchange
  readonly match: SafeMatch
  /** The chunks of its answer, in order. */
  chunks(): readonly PlayChunk[]
}

/** How the exchanges of a replay are compared: `match` holds where an exchange does not say its own. */
export interface Comparing {
  readonly match: SafeMatch
  /** What of JSON bodies does not count. */
  readonly ignored: readonly Pointer[]
}

/** The exchanges of some cassettes in order. */
export function recordedExchanges(
  cassettes: readonly LoadedCassette[],
  comparing: Comparing,
): readonly Recorded[] {
  return cassettes.flatMap(({ cassette, blobs }) =>
    cassette.documents
      .flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
      .map((exchange, index) => recordedExchange(cassette.file, index + 1, exchange, blobs, comparing))
      .filter(({ exchange }) => !isSocket(exchange)),
  )
}

/** True for a connection that was a socket, or was refused to be one: those have an engine of their own. */
export function isSocket({ exchange, messages }: Exchange): boolean {
  return messages !== undefined || exchange === live.name
}

function recordedExchange(
  file: string,
  number: number,
  exchange: Exchange,
  blobs: BlobSource,
  { match, ignored }: Comparing,
): Recorded {
  const { request } = exchange
  const { dialect, key } = operationOf(request)
  const spelling = dialectNamed(exchange.exchange) ?? dialect
  const chunks = (): readonly PlayChunk[] => responseChunks(exchange, spelling, blobs)
  const body = once(() =>
    comparableBody(requestBytes(exchange, spelling, blobs), request.headers, dialect, ignored),
  )
  return {
    file,
    number,
    exchange,
    operation: key,
    target: withoutOrigin(request.url),
    match: exchange.match ?? match,
    body,
    plain: once(() => ({
      operation: key,
      method: request.method,
      url: request.url,
      headers: headerRecord(request.headers),
      body: plainBody(body()),
    })),
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
