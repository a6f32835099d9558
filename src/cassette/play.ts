/**
 * From a document to the wire: the exact bytes and chunks that a recorded exchange stands for.
 *
 * Room: cassette.
 */
import type { Instant } from '../clock.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { decodeBase64 } from '../wire/base64.ts'
import type { SocketDialect, SocketSide } from '../dialect/live-messages.ts'
import type { Chunk, WireClose, WireExchange, WireMessage } from '../wire/exchange.ts'
import { encodeEvent, type Eol, type SseEvent } from '../wire/sse.ts'
import { concatBytes, decodeUtf8, encodeUtf8 } from '../wire/text.ts'
import { blobReader, type BlobReader } from './blobs.ts'
import type { BlobSource, Cut, Exchange, Payload, RecordedResponse, StreamEvent } from './model.ts'

/** A chunk to be sent. */
export interface PlayChunk extends Chunk {
  /** True where an event that begins in it is marked `hold`. */
  readonly hold: boolean
  /**
   * True if nothing that matters comes after it: the dialect's end mark is in this chunk or in one before,
   * or it is the last of an exchange that ended well. Whoever leaves now has read it all.
   */
  readonly ended: boolean
}

/** How the payloads of one exchange become bytes. */
interface Spelling {
  readonly dialect: Dialect
  readonly eol: Eol
  readonly blobs: BlobReader
}

/** A stretch of the answer before chunks are joined: `at` is undefined where it is of the chunk before. */
interface Stretch {
  readonly begins: boolean
  readonly at: Instant | undefined
  readonly bytes: Uint8Array
  readonly hold: boolean
  readonly ends: boolean
}

/**
 * The chunks of an exchange's response, in order; none where it has no body. Blobs are expanded.
 *
 * Throws `WIRETAPE_CASSETTE_INVALID` where a listed blob can't be read.
 */
export function responseChunks(
  exchange: Exchange,
  dialect: Dialect,
  blobs: BlobSource,
): readonly PlayChunk[] {
  const { response } = exchange
  if (response === undefined) return []
  const spelling = spellingOf(exchange, dialect, blobs)
  const stretches =
    response.events === undefined
      ? bodyStretches(response, spelling)
      : response.events.flatMap(event => eventStretches(event, spelling))
  const chunks = joinStretches(stretches, response.at ?? 0)
  if (exchange.end.how !== undefined) return chunks
  return chunks.map((chunk, index) => (index === chunks.length - 1 ? { ...chunk, ended: true } : chunk))
}

/** The whole exchange on the wire, with its request's body in the dialect's spelling. */
export function playExchange(exchange: Exchange, dialect: Dialect, blobs: BlobSource): WireExchange {
  const { request, response, end } = exchange
  const { body } = request
  const spelling = spellingOf(exchange, dialect, blobs)
  return {
    at: exchange.at ?? 0,
    request: { ...request, body: body && bodyBytes(body, spelling) },
    response: response && {
      at: response.at ?? 0,
      status: response.status,
      reason: response.reason,
      headers: response.headers,
      chunks: responseChunks(exchange, dialect, blobs).map(({ at, bytes }) => ({ at, bytes })),
      trailers: response.trailers,
    },
    ...(exchange.messages === undefined || dialect.socket === undefined
      ? {}
      : {
          socket: {
            messages: [...socketMessages(exchange, dialect.socket, blobs)],
            close: socketClose(exchange),
          },
        }),
    end,
  }
}

/** The messages of a socket as they were on the wire, each made when it is asked for. Blobs are expanded. */
export function* socketMessages(
  exchange: Exchange,
  dialect: SocketDialect,
  blobs: BlobSource,
): Generator<WireMessage, undefined> {
  const reader = blobReader(blobs, new Set(Object.keys(exchange.blobs ?? {})))
  let last: Instant = 0
  for (const { at = last, frame, client, server } of exchange.messages ?? []) {
    last = at
    const from: SocketSide = client === undefined ? 'server' : 'client'
    const payload = client ?? server
    if (payload === undefined) continue
    const bytes = bytesOf(payload, reader, dialect.spell.bind(undefined, from))
    yield { at, from, frame: frame ?? dialect.frames[from], bytes }
  }
  return undefined
}

/** How a socket was closed; undefined where it was not, or is none. */
export function socketClose({ messages = [] }: Exchange): WireClose | undefined {
  const close = messages.at(-1)?.close
  if (close === undefined) return undefined
  const at = messages.findLast(message => message.at !== undefined)?.at ?? 0
  return { at, by: close.by, code: close.code, reason: close.reason ?? '' }
}

/**
 * The bytes of a body: text as it is, a value in the dialect's spelling. Blobs are expanded.
 *
 * @param listed - The names in the exchange's `blobs`; no other is one.
 */
export function payloadBytes(
  payload: Payload,
  dialect: Dialect,
  blobs: BlobSource,
  listed: ReadonlySet<string>,
): Uint8Array {
  return bodyBytes(payload, { dialect, eol: dialect.eol, blobs: blobReader(blobs, listed) })
}

/** The bytes of an event on the wire, its `event:` and `data:` and its line ends included. */
export function eventBytes(
  event: StreamEvent,
  eol: Eol,
  dialect: Dialect,
  blobs: BlobSource,
  listed: ReadonlySet<string>,
): Uint8Array {
  return spelled(event, { dialect, eol, blobs: blobReader(blobs, listed) }).bytes
}

function spellingOf(exchange: Exchange, dialect: Dialect, blobs: BlobSource): Spelling {
  const listed = new Set(Object.keys(exchange.blobs ?? {}))
  return { dialect, eol: exchange.eol ?? dialect.eol, blobs: blobReader(blobs, listed) }
}

function bodyBytes(payload: Payload, { dialect, blobs }: Spelling): Uint8Array {
  return bytesOf(payload, blobs, (value, numbers) => dialect.spell(value, numbers))
}

function bytesOf(payload: Payload, blobs: BlobReader, spell: Dialect['spell']): Uint8Array {
  switch (payload.type) {
    case 'text':
      return encodeUtf8(blobs.text(payload.text))
    case 'value':
      return encodeUtf8(spell(blobs.value(payload.value), payload.numbers))
    case 'base64':
      return blobs.bytes(payload.base64)?.slice() ?? decodeBase64(payload.base64) ?? new Uint8Array()
  }
}

/** The bytes of an event, and what a reader of the stream sees in them; undefined where they are raw. */
function spelled(
  event: StreamEvent,
  spelling: Spelling,
): { bytes: Uint8Array; proper: SseEvent | undefined } {
  if (event.raw !== undefined) return { bytes: bodyBytes(event.raw, spelling), proper: undefined }
  const { event: name, id, retry, data } = event
  const { dialect, blobs, eol } = spelling
  const bytes = data && bytesOf(data, blobs, (value, numbers) => dialect.spellEvent(value, numbers))
  const proper = { event: name, id, retry, data: bytes && (decodeUtf8(bytes) ?? bytes) }
  return { bytes: encodeEvent(proper, eol), proper }
}

function bodyStretches({ body, cuts }: RecordedResponse, spelling: Spelling): readonly Stretch[] {
  if (body === undefined) return []
  const [first, ...rest] = cuts ?? []
  const whole = { begins: true, hold: false, ends: false, bytes: bodyBytes(body, spelling) }
  if (first?.offset === 0) return cutStretch({ ...whole, at: first.at }, rest)
  return cutStretch({ ...whole, at: undefined }, cuts)
}

function eventStretches(event: StreamEvent, spelling: Spelling): readonly Stretch[] {
  const { bytes, proper } = spelled(event, spelling)
  const ends = proper !== undefined && spelling.dialect.isEndMark(proper)
  const begins = event.joined !== true
  return cutStretch({ begins, at: event.at, bytes, hold: event.hold === true, ends }, event.cuts)
}

/** Cuts a stretch into those that begin a chunk each; what it ends, its last one ends. */
function cutStretch(whole: Stretch, cuts: readonly Cut[] = []): readonly Stretch[] {
  const { bytes, ends } = whole
  const first = { ...whole, bytes: bytes.subarray(0, cuts[0]?.offset), ends: ends && cuts.length === 0 }
  const rest = cuts.map(({ offset, at }, index) => ({
    begins: true,
    at,
    bytes: bytes.subarray(offset, cuts[index + 1]?.offset),
    hold: false,
    ends: ends && index === cuts.length - 1,
  }))
  return [first, ...rest]
}

/** Puts what belongs to one chunk together, and gives each its time. */
function joinStretches(stretches: readonly Stretch[], head: Instant): readonly PlayChunk[] {
  const groups: Stretch[][] = []
  for (const stretch of stretches) {
    const group = groups.at(-1)
    if (stretch.begins || group === undefined) groups.push([stretch])
    else group.push(stretch)
  }
  let last = head
  let ended = false
  const chunks = groups.map(group => {
    last = group[0]?.at ?? last
    ended ||= group.some(stretch => stretch.ends)
    const bytes = concatBytes(group.map(stretch => stretch.bytes))
    return { at: last, bytes, hold: group.some(stretch => stretch.hold), ended }
  })
  return chunks.filter(chunk => chunk.bytes.length > 0)
}
