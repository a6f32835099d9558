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
import { NO_BODY, recordBody } from './request-body.ts'
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
  scribe.take({ type: 'request', method, url: target.recorded, headers: decoded })

  const sent = hasBody(request) ? recordBody(request, scribe, context.onUnreadable) : NO_BODY
  let over = false
  let end: (() => void) | undefined
  const finish = (how: EndKind | undefined, trailers: HeaderList, cause?: string): void => {
    if (over) return
    over = true
    end = once(() => {
      scribe.take({ type: 'end', how, trailers })
      context.onEnd({ status: answer.status, bytes: answer.bytes, outcome: how ?? 'complete', cause })
    })
    // The service may have answered before all of the request had come, and wants no more of it.
    sent.stream?.destroy()
    sent.whenRead(end)
  }
  const answer = relayAnswer(response, context, { isOver: () => over, finish, call: () => call })
  const call = upstream.send(
    { origin, path, method, headers: requestHeaders(headers), body: sent.stream },
    {
      ...answer.handler,
      failed(failure, cause) {
        const tell = (): void => {
          if (request.destroyed && !request.complete) finish('client-abort', [])
          else answer.handler.failed(failure, cause)
        }
        // Where there was no connection, nobody has asked for the body yet.
        sent.stream?.destroy()
        if (failure === 'unreachable') sent.whenRead(tell)
        else tell()
      },
    },
  )

  const leave = (how: EndKind): void => {
    if (over) return
    finish(how, [])
    end?.()
    call.abort()
    response.destroy()
  }
  response.once('close', () => leave('client-abort'))
  // A write to a client that has just gone: `close` comes next, and says all there is to say.
  response.on('error', () => undefined)
  return {
    abort() {
      leave('truncated')
      end?.()
    },
  }
}

/** Does it the first time only. */
function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
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
