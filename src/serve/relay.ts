/**
 * Relays one HTTP exchange between an app and the service, unchanged and as it comes, and tells a scribe
 * of everything before it goes on.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WiretapeError } from '../errors.ts'
import type { EndKind } from '../wire/exchange.ts'
import { endToEndHeaders, pairHeaders, type HeaderList } from '../wire/headers.ts'
import { relayAnswer } from './relay-answer.ts'
import { recordedBody } from './request-body.ts'
import type { Target } from './route.ts'
import type { Scribe } from './scribe.ts'
import type { Upstream } from './upstream.ts'

/** What is told of a finished exchange. */
export interface Relayed {
  readonly status: number | undefined
  /** Bytes of the answer's body, decoded. */
  readonly bytes: number
  readonly outcome: 'complete' | EndKind
  /** Why no answer came, for people. */
  readonly cause?: string | undefined
}

/** What a relay needs besides the request. */
export interface RelayContext {
  readonly upstream: Upstream
  readonly target: Target
  readonly scribe: Scribe
  /** Bytes of an answer's body that have come. */
  readonly onBytes: (count: number) => void
  /** Called once. */
  readonly onEnd: (relayed: Relayed) => void
  /** Something came that can't be recorded. */
  readonly onUnreadable: (error: WiretapeError) => void
}

/** An exchange that is being relayed. */
export interface Relay {
  /** Cuts both connections and ends the exchange as truncated. */
  abort(): void
}

/** Starts relaying a request. */
export function relay(request: IncomingMessage, response: ServerResponse, context: RelayContext): Relay {
  const { scribe, target, upstream } = context
  const { origin, path } = target
  const method = request.method ?? 'GET'
  const headers = endToEndHeaders(pairHeaders(request.rawHeaders))
  // The scribe gets the body decoded, so it must not be told that it is encoded.
  const decoded = headers.filter(([name]) => name.toLowerCase() !== 'content-encoding')
  scribe.take({ type: 'request', method, url: `${origin}${path}`, headers: decoded })

  let over = false
  const finish = (how: EndKind | undefined, trailers: HeaderList, cause?: string): void => {
    if (over) return
    over = true
    scribe.take({ type: 'end', how, trailers })
    context.onEnd({ status: answer.status, bytes: answer.bytes, outcome: how ?? 'complete', cause })
    // What the service did not want of the request must not stand in the way of the next one.
    request.resume()
  }
  const answer = relayAnswer(response, context, { isOver: () => over, finish, call: () => call })
  const body = hasBody(request) ? recordedBody(request, scribe, context.onUnreadable) : undefined
  const call = upstream.send(
    { origin, path, method, headers: requestHeaders(headers), body },
    {
      ...answer.handler,
      failed(failure, cause) {
        const failed = (): void => {
          if (request.destroyed && !request.complete) finish('client-abort', [])
          else answer.handler.failed(failure, cause)
        }
        // Nothing of the body was read: without it, the recorded request would match no replayed one.
        if (failure === 'unreachable' && body !== undefined) void drained(request, context).finally(failed)
        else failed()
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

/** Tells the scribe a body that goes nowhere. Ends when it has come, or when the app has gone. */
async function drained(request: IncomingMessage, { scribe, onUnreadable }: RelayContext): Promise<void> {
  const chunks = recordedBody(request, scribe, onUnreadable)
  try {
    while ((await chunks.next()).done !== true);
  } catch {
    // The app broke off; what it means for the exchange is told by `request.destroyed`.
  }
}

/** A request's own fields, but for those that belong to this connection and those that would hide the answer. */
export function requestHeaders(headers: HeaderList): HeaderList {
  const kept = headers.filter(([name]) => !/^(?:host|expect|accept-encoding)$/i.test(name))
  return [...kept, ['accept-encoding', 'identity']]
}

function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}
