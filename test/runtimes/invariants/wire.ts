/**
 * What the service says on a cassette, decoded: exchange by exchange, in order.
 *
 * Read from the bytes that a replay plays, so that what is judged is what the runtime got. What is no JSON is
 * kept as it is: cassettes hold broken streams too.
 */
import { playExchange, socketMessages } from '../../../src/cassette/play.ts'
import type { Exchange } from '../../../src/cassette/model.ts'
import { modelName, parseObject, shallow } from '../../../src/dialect/live-fold.ts'
import { live, liveHandshake } from '../../../src/dialect/live.ts'
import { dialectNamed } from '../../../src/dialect/operation.ts'
import type { LoadedCassette } from '../../../src/replay/recorded.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/wire/json.ts'
import { concatBytes } from '../../../src/wire/text.ts'
import { framingOf, type Framing } from './framing.ts'
import { payloadOf, readStream, type Payload } from './read-stream.ts'
import type { Said, Saying } from './said.ts'
import { sayInteractions } from './say-interactions.ts'
import { sayLive } from './say-live.ts'
import { sayModels } from './say-models.ts'
import { textOf } from '../json.ts'

/** The close of a socket. */
export interface WireClosing {
  readonly by: 'client' | 'server'
  readonly code: number | undefined
  readonly reason: string
}

/** One exchange of a cassette, as far as the service's side of it goes. */
export interface WireExchange {
  /** Its position in the file, from 1. */
  readonly number: number
  readonly api: 'generate-content' | 'interactions' | 'live'
  readonly answer: 'body' | 'stream' | 'socket'
  /** The model that was asked, without `models/`. */
  readonly model: string | undefined
  /** Of the answer over HTTP. */
  readonly status: number | undefined
  /** All that is said, in order; of Live, `at` is the number of the message in the cassette. */
  readonly said: readonly Said[]
  /** Live: what the client said on the recording, and by which message. */
  readonly asked: readonly { readonly at: number; readonly message: JsonObject }[]
  /** The connection was cut before the end of the answer. */
  readonly cut: boolean
  readonly close: WireClosing | undefined
  readonly framing: Framing
}

const PLAIN: Framing = { odd: [], chunks: [] }

/** The service's side of every exchange. */
export function wireOf({ cassette, blobs }: LoadedCassette): readonly WireExchange[] {
  return cassette.documents
    .flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
    .map((exchange, index) =>
      exchange.messages === undefined
        ? answered(exchange, index + 1, blobs)
        : spoken(exchange, index + 1, blobs),
    )
}

function answered(exchange: Exchange, number: number, blobs: LoadedCassette['blobs']): WireExchange {
  const dialect = dialectNamed(exchange.exchange) ?? liveHandshake
  const { response, end } = playExchange(exchange, dialect, blobs)
  const chunks = response?.chunks.map(chunk => chunk.bytes) ?? []
  const text = new TextDecoder().decode(concatBytes(chunks))
  const isStream = exchange.response?.events !== undefined
  const api = exchange.exchange === 'interactions' ? 'interactions' : 'generate-content'
  const payloads = isStream ? readStream(text) : text === '' ? [] : [payloadOf(text)]
  const say = api === 'interactions' ? sayInteractions : sayModels
  return {
    number,
    api,
    answer: isStream ? 'stream' : 'body',
    model: askedModel(exchange),
    status: response?.status,
    said: payloads.flatMap((payload, at) => sayAt(payload, say, at)),
    asked: [],
    cut: end.how !== undefined && end.how !== 'client-abort',
    close: undefined,
    framing: isStream ? framingOf(chunks, api) : PLAIN,
  }
}

function spoken(exchange: Exchange, number: number, blobs: LoadedCassette['blobs']): WireExchange {
  const said: Said[] = []
  const asked: { at: number; message: JsonObject }[] = []
  let at = 0
  for (const { from, bytes } of socketMessages(exchange, live, blobs)) {
    at += 1
    const text = new TextDecoder().decode(bytes)
    if (from === 'client') asked.push({ at, message: shallow(parseObject(text)) })
    else said.push(...sayAt(payloadOf(text), sayLive, at))
  }
  const close = exchange.messages?.at(-1)?.close
  return {
    number,
    api: 'live',
    answer: 'socket',
    model: setupModel(asked),
    status: exchange.response?.status,
    said,
    asked,
    cut: exchange.end.how !== undefined && exchange.end.how !== 'client-abort',
    close: close && { by: close.by, code: close.code, reason: close.reason ?? '' },
    framing: PLAIN,
  }
}

function sayAt(payload: Payload, say: (value: JsonValue) => readonly Saying[], at: number): readonly Said[] {
  if (payload.type === 'text') return [{ kind: 'raw', text: payload.text, at }]
  return say(payload.value).map(saying => ({ ...saying, at }))
}

function askedModel({ request }: Exchange): string | undefined {
  const inUrl = /\/(?:models|endpoints)\/([^/:?]+)/.exec(request.url)?.[1]
  if (inUrl !== undefined) return inUrl
  const body =
    request.body?.type === 'value'
      ? request.body.value
      : parseObject(request.body?.type === 'text' ? request.body.text : '')
  return isJsonObject(body) ? textOf(body['model'] ?? body['agent']) : undefined
}

function setupModel(asked: WireExchange['asked']): string | undefined {
  const model = textOf(shallow(asked[0]?.message['setup'])['model'])
  return model === undefined ? undefined : modelName(model)
}
