/**
 * From the wire to a document: the exchange that a recorded answer becomes, and the blobs that go with it.
 *
 * Composing loses no byte and no chunk edge of an answer; `play.ts` goes the other way, and `verify.ts`
 * holds one against the other before a cassette is kept.
 *
 * Room: cassette.
 */
import type { Dialect } from '../dialect/dialect.ts'
import type { SocketDialect } from '../dialect/live-messages.ts'
import { encodeBase64 } from '../wire/base64.ts'
import type { WireExchange, WireRequest, WireResponse, WireSocket } from '../wire/exchange.ts'
import { headerValue } from '../wire/headers.ts'
import { readJsonLossless } from '../wire/json.ts'
import { readStream, type Eol } from '../wire/sse.ts'
import { concatBytes, decodeUtf8 } from '../wire/text.ts'
import { composeClose, createMessageComposer } from './compose-socket.ts'
import { bodyCuts, streamEvents } from './edges.ts'
import { keptExchange } from './keep.ts'
import {
  collectMedia,
  leaveMedia,
  valuePayload,
  type Blob,
  type MediaHandling,
  type NameBlob,
} from './media.ts'
import type { Exchange, Payload, RecordedRequest, RecordedResponse } from './model.ts'
import { createSideFiles } from './side-files.ts'

/** A document, and the files that it refers to. */
export interface ComposedExchange {
  /** Its `line` is 0: it comes from no file. */
  readonly exchange: Exchange
  readonly blobs: readonly Blob[]
}

/**
 * Composes the document of an exchange.
 *
 * Where the exchange itself holds a text that reads like a reference to one of its blobs, none is made.
 *
 * @param number - Its number in the cassette, from 1: the files of a socket's media are named by it.
 */
export function composeExchange(
  wire: WireExchange,
  dialect: Dialect,
  nameBlob: NameBlob,
  number: number,
): ComposedExchange {
  const kept = keptExchange(wire)
  if (kept.socket !== undefined && dialect.socket !== undefined) {
    return composeSocket({ ...kept, socket: kept.socket }, dialect.socket, number)
  }
  const media = collectMedia(nameBlob)
  const exchange = compose(kept, dialect, media)
  if (media.isAmbiguous()) return { exchange: compose(kept, dialect, leaveMedia), blobs: [] }
  const { blobs } = media
  if (blobs.length === 0) return { exchange, blobs }
  return {
    exchange: {
      ...exchange,
      blobs: Object.fromEntries(blobs.map(({ name, bytes }) => [name, bytes.length])),
    },
    blobs,
  }
}

function composeSocket(
  { at, request, socket, end }: WireExchange & { readonly socket: WireSocket },
  dialect: SocketDialect,
  number: number,
): ComposedExchange {
  const pieces = new Map<string, Uint8Array[]>()
  const files = createSideFiles(
    number,
    () => false,
    (name, bytes) => {
      const parts = pieces.get(name)
      if (parts === undefined) pieces.set(name, [bytes])
      else parts.push(bytes)
    },
  )
  const composer = createMessageComposer(dialect, files)
  const messages = socket.messages.map(composer)
  const close = socket.close === undefined ? [] : [composeClose(socket.close)]
  const { method, url, headers } = request
  return {
    exchange: {
      exchange: dialect.name,
      at,
      request: { method, url, headers, body: undefined },
      messages: [...messages, ...close],
      blobs: files.lengths.size === 0 ? undefined : Object.fromEntries(files.lengths),
      end,
      line: 0,
    },
    blobs: [...pieces].map(([name, parts]) => ({ name, bytes: concatBytes(parts) })),
  }
}

function compose(wire: WireExchange, dialect: Dialect, media: MediaHandling): Exchange {
  const request = composeRequest(wire.request, media)
  const answer = wire.response && composeResponse(wire.response, dialect, media)
  return {
    exchange: dialect.name,
    at: wire.at,
    eol: answer?.eol,
    request,
    response: answer?.response,
    end: wire.end,
    line: 0,
  }
}

function composeRequest({ method, url, headers, body }: WireRequest, media: MediaHandling): RecordedRequest {
  return { method, url, headers, body: body && requestPayload(body, mimeTypeOf(headers), media) }
}

/** A value wherever JSON says no more than a value does: how a client spells it is not kept. */
function requestPayload(bytes: Uint8Array, mimeType: string, media: MediaHandling): Payload {
  const text = decodeUtf8(bytes)
  const reading = text === undefined ? undefined : readJsonLossless(text)
  return reading === undefined ? textOrBytes(bytes, text, mimeType, media) : valuePayload(reading, media)
}

function composeResponse(
  answer: WireResponse,
  dialect: Dialect,
  media: MediaHandling,
): { readonly response: RecordedResponse; readonly eol: Eol | undefined } {
  const { at, status, reason, headers, chunks, trailers } = answer
  const head = { at, status, reason, headers, trailers }
  const bytes = concatBytes(chunks.map(chunk => chunk.bytes))
  if (bytes.length === 0) return { response: head, eol: undefined }
  const mimeType = mimeTypeOf(headers)
  if (mimeType.startsWith('text/event-stream')) {
    const { eol, pieces } = readStream(bytes, dialect.eol)
    if (pieces.some(piece => piece.event !== undefined)) {
      const events = streamEvents({ bytes, pieces, answer, rewrite: text => media.text(text) })
      return { response: { ...head, events }, eol: eol === dialect.eol ? undefined : eol }
    }
  }
  const body = responsePayload(bytes, mimeType, dialect, media)
  return { response: { ...head, cuts: bodyCuts(answer), body }, eol: undefined }
}

/** A value only where the dialect's spelling of it gives the very bytes. */
function responsePayload(
  bytes: Uint8Array,
  mimeType: string,
  dialect: Dialect,
  media: MediaHandling,
): Payload {
  const text = decodeUtf8(bytes)
  const reading = text === undefined ? undefined : readJsonLossless(text)
  if (reading === undefined || dialect.spell(reading.value, reading.numbers) !== text) {
    return textOrBytes(bytes, text, mimeType, media)
  }
  return valuePayload(reading, media)
}

/**
 * How long a text may be that stands in the cassette; a longer one (the file that a batch results in) goes
 * beside it as it is. A cassette has a limit to its size, and past it a recording could not be read.
 */
const MAX_TEXT_BYTES = 4_194_304

function textOrBytes(
  bytes: Uint8Array,
  text: string | undefined,
  mimeType: string,
  media: MediaHandling,
): Payload {
  if (text !== undefined && bytes.length <= MAX_TEXT_BYTES) return { type: 'text', text: media.text(text) }
  return { type: 'base64', base64: media.bytes(bytes, mimeType) ?? encodeBase64(bytes) }
}

function mimeTypeOf(headers: WireRequest['headers']): string {
  return headerValue(headers, 'content-type')?.toLowerCase() ?? 'application/octet-stream'
}
