/**
 * The way to the real service: one HTTP/1.1 request out, its answer back as it comes.
 *
 * No redirects, retries, decompression or time limits of its own, so that nothing of the answer is ours.
 * Proxies named in the environment are used, but never for loopback.
 *
 * Room: serve.
 */
import { Readable } from 'node:stream'
import { Agent, EnvHttpProxyAgent, errors, type Dispatcher } from 'undici'
import { pairHeaders, type HeaderList } from '../wire/headers.ts'
import { CONNECT_MS, connectInTime, isLoopback } from './connection.ts'
import { MAX_HEADER_BYTES } from './listener.ts'

/** Why no (whole) answer came. */
export type UpstreamFailure =
  /** No connection was made. */
  | 'unreachable'
  /** The connection was cut after the request had gone out. */
  | 'reset'
  /** What came is not HTTP. */
  | 'protocol'

/** What comes back, in order. */
export interface UpstreamHandler {
  /** `status` is 200 or more. */
  head(status: number, reason: string, headers: HeaderList): void
  chunk(bytes: Uint8Array): void
  end(trailers: HeaderList): void
  failed(failure: UpstreamFailure, cause: Error): void
}

/** A request that goes out. */
export interface UpstreamRequest {
  /** Scheme, host and port. */
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: HeaderList
  readonly body: Readable | undefined
}

/** A request that has gone out. */
export interface UpstreamCall {
  /** Keeps the service from sending more until {@link UpstreamCall.resume}. */
  pause(): void
  resume(): void
  /** Cuts the connection. The handler hears no more. */
  abort(): void
}

/** The connections to the service. */
export interface Upstream {
  send(request: UpstreamRequest, handler: UpstreamHandler): UpstreamCall
  close(): Promise<void>
}

const TUNING = {
  allowH2: false,
  bodyTimeout: 0,
  headersTimeout: 0,
  maxHeaderSize: MAX_HEADER_BYTES,
  pipelining: 1,
} as const

/** Opens nothing yet; connections are made as requests need them and kept for the next. */
export function createUpstream(): Upstream {
  const direct = new Agent({ ...TUNING, connect: connectInTime() })
  const inTime = { timeout: CONNECT_MS }
  const proxied = new EnvHttpProxyAgent({
    ...TUNING,
    connect: connectInTime(),
    proxyTls: inTime,
    requestTls: inTime,
  })
  return {
    send: (request, handler) => send(isLoopback(request.origin) ? direct : proxied, request, handler),
    async close() {
      await Promise.all([direct.destroy(), proxied.destroy()])
    },
  }
}

function send(dispatcher: Dispatcher, request: UpstreamRequest, handler: UpstreamHandler): UpstreamCall {
  let controller: Dispatcher.DispatchController | undefined
  let sent = false
  let over = false
  let lacksBody = false
  let returned = false

  function finish(report: () => void): void {
    if (over) return
    over = true
    // A request that undici refuses fails while it is being sent; the caller has no call in hand yet.
    if (returned) report()
    else queueMicrotask(report)
  }

  const { origin, path, method, body = null } = request
  const options = { origin, path, method, body, headers: headersOf(request.headers) }
  dispatcher.dispatch(options, {
    onRequestStart(started) {
      controller = started
      sent = true
      if (over) started.abort(new errors.RequestAbortedError())
    },
    onResponseStart(started, status, __, reason) {
      // 1xx heads are the connection's own affair.
      if (over || status < 200) return
      const phrase = latin1Of(reason ?? '')
      // undici looks at every field of a head, but not at this one.
      if (UNSENDABLE.test(phrase)) {
        const cause = new errors.HTTPParserError('the reason phrase has a control character')
        finish(() => handler.failed('protocol', cause))
        started.abort(cause)
        return
      }
      lacksBody = status === 304
      handler.head(status, phrase, rawHeaders(controller?.rawHeaders))
    },
    onResponseData(_, bytes) {
      // A parser that goes on after a pause hands on an empty piece where no other has come yet.
      if (!over && bytes.length > 0) handler.chunk(bytes)
    },
    onResponseEnd() {
      finish(() => handler.end(rawHeaders(controller?.rawTrailers)))
    },
    onResponseError(_, cause) {
      // A 304 may say how long the body is that it does not have (RFC 9110 §8.6); undici waits for it.
      if (lacksBody && isOfOtherLength(cause)) finish(() => handler.end([]))
      else finish(() => handler.failed(sent ? failureOf(cause) : 'unreachable', cause))
    },
  })

  returned = true
  return {
    pause: () => controller?.pause(),
    resume: () => controller?.resume(),
    abort() {
      over = true
      controller?.abort(new errors.RequestAbortedError())
    },
  }
}

/** What no reason phrase can hold (RFC 9112 §4); one that does could be neither relayed nor played. */
export const UNSENDABLE: RegExp = /[^\t\u0020-\u007e\u0080-\u00ff]/

/** The code of undici for a body that is not as long as was said. */
const OTHER_LENGTH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'

/** How a cut connection is noticed: by the socket, or by a body that ends before its length or its last chunk. */
const CUT: ReadonlySet<unknown> = new Set([
  'UND_ERR_SOCKET',
  OTHER_LENGTH,
  'HPE_INVALID_EOF_STATE',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
])

/** What a failure is, once a connection was made. */
export function failureOf(cause: Error): UpstreamFailure {
  return 'code' in cause && CUT.has(cause.code) ? 'reset' : 'protocol'
}

function isOfOtherLength(cause: Error): boolean {
  return 'code' in cause && cause.code === OTHER_LENGTH
}

/** A list of pairs that is no array: undici's proxy agents make an object of an array, and lose repeated fields. */
function headersOf(headers: HeaderList): Iterable<[string, string]> {
  return new Set(headers.map(([name, value]): [string, string] => [name, value]))
}

function rawHeaders(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (!Array.isArray(raw)) return []
  return pairHeaders(raw.map(part => (typeof part === 'string' ? part : part.toString('latin1'))))
}

/** undici reads the reason phrase as UTF-8; a header list and node:http mean one character per byte. */
function latin1Of(text: string): string {
  return Buffer.from(text).toString('latin1')
}
