/**
 * Relays one HTTP exchange between an app and the service, unchanged and as it comes, and tells a tape
 * of everything before it goes on.
 *
 * The tape gets bodies decoded, the app gets them as they were. Where the app can't take more, the
 * service is asked to wait, and the other way round.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WiretapeError } from '../errors.ts'
import type { EndKind } from '../wire/exchange.ts'
import { endToEndHeaders, headerValue, pairHeaders, type HeaderList } from '../wire/headers.ts'
import { decoderFor, type Decoder } from './decode.ts'
import type { Target } from './route.ts'
import { recordedBody, type RequestTape } from './request-body.ts'
import { refuse } from './refusal.ts'
import type { Upstream, UpstreamCall, UpstreamFailure, UpstreamHandler } from './upstream.ts'
import { unreachable, unreadable } from './upstream-error.ts'

const NOTHING = new Uint8Array(0)

/** What is told of a finished exchange. */
export interface Relayed {
  readonly status: number | undefined
  /** Bytes of the answer's body, decoded. */
  readonly bytes: number
  readonly outcome: 'complete' | EndKind
}

/** What a relay needs besides the request. */
export interface RelayContext {
  readonly upstream: Upstream
  readonly target: Target
  readonly tape: RequestTape
  /** Bytes of an answer's body that have come. */
  onBytes(count: number): void
  /** Called once. */
  onEnd(relayed: Relayed): void
  /** Something came that can't be recorded. */
  onUnreadable(error: WiretapeError): void
}

/** An exchange that is being relayed. */
export interface Relay {
  /** Cuts both connections and ends the exchange as truncated. */
  abort(): void
}

/** Starts relaying a request. */
export function relay(request: IncomingMessage, response: ServerResponse, context: RelayContext): Relay {
  const { tape, target, upstream } = context
  const url = `${target.origin}${target.path}`
  const method = request.method ?? 'GET'
  const headers = endToEndHeaders(pairHeaders(request.rawHeaders))
  // The tape gets the body decoded, so it must not be told that it is encoded.
  const decoded = headers.filter(([name]) => name.toLowerCase() !== 'content-encoding')
  tape.take({ type: 'request', method, url, headers: decoded })

  let over = false
  const finish = (how: EndKind | undefined, trailers: HeaderList): void => {
    if (over) return
    over = true
    tape.take({ type: 'end', how, trailers })
    context.onEnd({ status: answer.status, bytes: answer.bytes, outcome: how ?? 'complete' })
    // What the service did not want of the request must not stand in the way of the next one.
    request.resume()
  }
  const answer = relayAnswer(response, context, { isOver: () => over, finish, call: () => call })

  const call = upstream.send(
    {
      origin: target.origin,
      path: target.path,
      method,
      headers: requestHeaders(headers),
      body: hasBody(request) ? recordedBody(request, tape, error => context.onUnreadable(error)) : undefined,
    },
    {
      ...answer.handler,
      failed(failure, cause) {
        if (request.destroyed && !request.complete) finish('client-abort', [])
        else answer.handler.failed(failure, cause)
      },
    },
  )

  const leave = (how: EndKind): void => {
    if (over) return
    finish(how, [])
    call.abort()
    response.destroy()
  }
  response.once('close', () => leave('client-abort'))
  // A write to a client that has just gone: `close` comes next, and says all there is to say.
  response.on('error', () => undefined)
  return { abort: () => leave('truncated') }
}

/** What the two halves of a relay share. */
interface Shared {
  isOver(): boolean
  finish(how: EndKind | undefined, trailers: HeaderList): void
  call(): UpstreamCall
}

function relayAnswer(response: ServerResponse, context: RelayContext, shared: Shared): Answer {
  let status: number | undefined
  let bytes = 0
  let decoder: Decoder | undefined
  let waiting: Promise<void> = Promise.resolve()
  let holds = 0

  function hold(): void {
    holds += 1
    if (holds === 1) shared.call().pause()
  }

  function unhold(): void {
    holds -= 1
    if (holds === 0) shared.call().resume()
  }

  function forward(chunk: Uint8Array, decoded: Uint8Array): void {
    if (shared.isOver()) return
    bytes += decoded.length
    context.onBytes(decoded.length)
    if (decoded.length > 0) context.tape.take({ type: 'response-chunk', bytes: decoded })
    if (response.write(chunk)) return
    hold()
    response.once('drain', unhold)
  }

  /** In order behind what is still being decoded; at once where nothing is. */
  function inTurn(work: () => void): void {
    if (decoder === undefined) work()
    else waiting = waiting.then(work)
  }

  const handler: UpstreamHandler = {
    head(code, reason, headers) {
      status = code
      const kept = endToEndHeaders(headers)
      context.tape.take({ type: 'response', status: code, reason, headers: context.target.stored(kept) })
      const found = decoderFor(headerValue(kept, 'content-encoding'))
      if (found === 'unknown') context.onUnreadable(unreadable(context.target.origin, headers))
      else if (found !== 'identity') decoder = found
      // Only what the service sent: no date of ours.
      response.sendDate = false
      response.writeHead(code, reason, context.target.shown(kept).flat())
      // The head goes out now. An empty write sends it one byte per character; flushHeaders() would spell it in UTF-8.
      response.write(NOTHING)
    },
    chunk(piece) {
      const decoding = decoder
      if (decoding === undefined) {
        forward(piece, piece)
        return
      }
      hold()
      waiting = waiting
        .then(() => decoding.push(piece))
        .catch(() => {
          context.onUnreadable(unreadable(context.target.origin, []))
          return piece
        })
        .then(decoded => forward(piece, decoded))
        .finally(unhold)
    },
    end(trailers) {
      inTurn(() => {
        const kept = endToEndHeaders(trailers)
        shared.finish(undefined, kept)
        if (kept.length > 0)
          response.addTrailers(kept.map(([name, value]): [string, string] => [name, value]))
        response.end()
        decoder?.close()
      })
    },
    failed(failure, cause) {
      inTurn(() => {
        if (shared.isOver()) return
        shared.finish(failure === 'reset' ? 'upstream-reset' : 'upstream-error', [])
        answerFailure(response, context.target.origin, failure, cause)
        decoder?.close()
      })
    },
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

interface Answer {
  readonly handler: UpstreamHandler
  readonly status: number | undefined
  readonly bytes: number
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
  // After what was relayed has gone out.
  const { socket } = response
  if (socket === null) response.destroy()
  else socket.destroySoon()
}

/** The request's own fields, but for those that belong to this connection and those that would hide the answer. */
function requestHeaders(headers: HeaderList): HeaderList {
  const kept = headers.filter(([name]) => !/^(?:host|expect|accept-encoding)$/i.test(name))
  return [...kept, ['accept-encoding', 'identity']]
}

function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}
