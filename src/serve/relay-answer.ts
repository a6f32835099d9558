/**
 * The half of a relay that brings the answer: to the scribe decoded, then to the app as it was.
 *
 * Where the app can't take more, or a chunk is still being decoded, the service is asked to wait.
 *
 * Room: serve.
 */
import type { ServerResponse } from 'node:http'
import type { EndKind } from '../wire/exchange.ts'
import { endToEndHeaders, headerValue, type HeaderList } from '../wire/headers.ts'
import { decoderFor, type Decoder } from './decode.ts'
import type { RelayContext } from './relay.ts'
import { refuse } from './refusal.ts'
import { beginResponse, cutResponse, type ResponseBody } from './response.ts'
import type { UpstreamCall, UpstreamFailure, UpstreamHandler } from './upstream.ts'
import { unreachable, unreadable } from './upstream-error.ts'

/** What the relay shares with the half of it that brings the answer. */
export interface RelayState {
  /** True once the exchange has ended, by whichever side. */
  isOver(): boolean
  /** `cause`: why no answer came, for people. */
  finish(how: EndKind | undefined, trailers: HeaderList, cause?: string): void
  call(): UpstreamCall
}

/** An answer on its way to the app. */
export interface RelayedAnswer {
  readonly handler: UpstreamHandler
  /** Undefined until its head has come. */
  readonly status: number | undefined
  /** Bytes of body so far, decoded. */
  readonly bytes: number
}

const NOTHING = new Uint8Array(0)

/** What brings the answer of one exchange to this response. */
export function relayAnswer(
  response: ServerResponse,
  context: RelayContext,
  state: RelayState,
): RelayedAnswer {
  const { scribe, target } = context
  const gate = createGate(() => state.call())
  const decoding = createDecoding(gate, encoding => context.onUnreadable(unreadable(target.origin, encoding)))
  let status: number | undefined
  let bytes = 0
  let body: ResponseBody | undefined

  function forward(chunk: Uint8Array, decoded: Uint8Array): void {
    if (state.isOver()) return
    bytes += decoded.length
    context.onBytes(decoded.length)
    if (decoded.length > 0) scribe.take({ type: 'response-chunk', bytes: decoded })
    if (body?.write([chunk]) !== false) return
    gate.close()
    response.once('drain', gate.open)
  }

  function end(trailers: HeaderList): void {
    state.finish(undefined, trailers)
    body?.end(trailers)
  }

  function fail(failure: UpstreamFailure, cause: Error): void {
    if (state.isOver()) return
    if (failure === 'reset') state.finish('upstream-reset', [])
    else state.finish('upstream-error', [], unreachable(target.origin, cause).message.split('\n')[0])
    answerFailure(response, target.origin, failure, cause)
  }

  const handler: UpstreamHandler = {
    head(code, reason, headers) {
      status = code
      const kept = endToEndHeaders(headers)
      scribe.take({ type: 'response', status: code, reason, headers: target.stored(kept) })
      decoding.begin(headerValue(kept, 'content-encoding'))
      body = beginResponse(response, code, reason, target.shown(kept))
      // An empty write sends the head now, one byte per character; flushHeaders() would spell it in UTF-8.
      response.write(NOTHING)
    },
    chunk: chunk => decoding.chunk(chunk, forward),
    end: trailers => decoding.last(() => end(endToEndHeaders(trailers))),
    failed: (failure, cause) => decoding.last(() => fail(failure, cause)),
  }
  return {
    handler,
    get status() {
      return status
    },
    get bytes() {
      return bytes
    },
  }
}

/** Keeps the service waiting as long as there is a reason to: each `close` is undone by one `open`. */
interface Gate {
  readonly close: () => void
  readonly open: () => void
}

function createGate(call: () => UpstreamCall): Gate {
  let reasons = 0
  return {
    close: () => {
      reasons += 1
      if (reasons === 1) call().pause()
    },
    open: () => {
      reasons -= 1
      if (reasons === 0) call().resume()
    },
  }
}

/** Hands each chunk on with what it decodes to: at once where nothing is compressed, else in its turn. */
interface Decoding {
  begin(encoding: string | undefined): void
  chunk(chunk: Uint8Array, then: (chunk: Uint8Array, decoded: Uint8Array) => void): void
  /** After the last chunk. */
  last(work: () => void): void
}

function createDecoding(gate: Gate, onUnreadable: (encoding: string | undefined) => void): Decoding {
  let decoder: Decoder | undefined
  let name: string | undefined
  let queue: Promise<void> = Promise.resolve()

  async function decoded(chunk: Uint8Array, by: Decoder): Promise<Uint8Array> {
    try {
      return await by.push(chunk)
    } catch {
      onUnreadable(name)
      return chunk
    }
  }

  return {
    begin(encoding) {
      name = encoding
      const found = decoderFor(encoding)
      if (found === 'unknown') onUnreadable(encoding)
      else if (found !== 'identity') decoder = found
    },
    chunk(chunk, then) {
      const by = decoder
      if (by === undefined) {
        then(chunk, chunk)
        return
      }
      gate.close()
      queue = queue.then(async () => {
        then(chunk, await decoded(chunk, by))
        gate.open()
      })
    },
    last(work) {
      if (decoder === undefined) work()
      else queue = queue.then(work).finally(() => decoder?.close())
    },
  }
}

/** A service that was never reached is explained; one that cut the connection is passed on as it did. */
function answerFailure(
  response: ServerResponse,
  origin: string,
  failure: UpstreamFailure,
  cause: Error,
): void {
  if (failure !== 'reset' && !response.headersSent) {
    refuse(response, 'WIRETAPE_UPSTREAM', unreachable(origin, cause).message)
    return
  }
  cutResponse(response)
}
