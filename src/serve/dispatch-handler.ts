/**
 * The two shapes of handler that undici's dispatchers are called with, as one: the older (`onConnect`,
 * `onHeaders`, …), by which Node's own `fetch` up to Node 24 and undici 7 call, and the newer
 * (`onRequestStart`, `onResponseStart`, …).
 *
 * Room: serve.
 */
import type { Dispatcher } from 'undici'
import type { HeaderList } from '../wire/headers.ts'

/** What is told to a client on undici, in order. What a handler throws is thrown here. */
export interface DispatchSink {
  /** `abort` may be called from here on, also before this returns. */
  start(abort: (reason: Error) => void): void
  head(status: number, headers: HeaderList, phrase: string): void
  data(bytes: Uint8Array): void
  end(trailers: HeaderList): void
  error(cause: Error): void
  /** Resolves at once, unless the client has asked to wait: then when it wants more. */
  ready(): Promise<void>
}

type Handler = Dispatcher.DispatchHandler

/** What tells this handler. */
export function sinkOf(handler: Handler): DispatchSink {
  return handler.onRequestStart === undefined ? olderSink(handler) : newerSink(handler)
}

interface Valve {
  readonly isClosed: boolean
  close(): void
  open(): void
  passed(): Promise<void>
}

function createValve(): Valve {
  let isClosed = false
  let opened: (() => void) | undefined

  async function passed(): Promise<void> {
    if (!isClosed) return
    await new Promise<void>(resolve => (opened = resolve))
    await passed()
  }

  return {
    get isClosed() {
      return isClosed
    },
    close: () => void (isClosed = true),
    open() {
      isClosed = false
      opened?.()
    },
    passed,
  }
}

function olderSink(handler: Handler): DispatchSink {
  const valve = createValve()
  const goOn = (answer: boolean | undefined): void => (answer === false ? valve.close() : undefined)
  return {
    start: abort => handler.onConnect?.(cause => abort(cause ?? abortedError())),
    head(status, headers, phrase) {
      handler.onResponseStarted?.()
      goOn(handler.onHeaders?.(status, rawOf(headers), () => valve.open(), phrase))
    },
    data: bytes => goOn(handler.onData?.(Buffer.from(bytes))),
    end: trailers => handler.onComplete?.(trailers.flat()),
    error: cause => handler.onError?.(cause),
    ready: () => valve.passed(),
  }
}

interface Controller extends Dispatcher.DispatchController {
  rawHeaders: Buffer[] | null
  rawTrailers: Buffer[] | null
}

function newerSink(handler: Handler): DispatchSink {
  const valve = createValve()
  let why: Error | null = null
  let abortRequest: ((reason: Error) => void) | undefined
  const controller: Controller = {
    get aborted() {
      return why !== null
    },
    get paused() {
      return valve.isClosed
    },
    get reason() {
      return why
    },
    rawHeaders: null,
    rawTrailers: null,
    abort(reason) {
      if (why !== null) return
      why = reason
      abortRequest?.(reason)
    },
    pause: () => valve.close(),
    resume: () => valve.open(),
  }
  return {
    start(abort) {
      abortRequest = abort
      handler.onRequestStart?.(controller, {})
    },
    head(status, headers, phrase) {
      controller.rawHeaders = rawOf(headers)
      handler.onResponseStart?.(controller, status, fieldsOf(headers), phrase)
    },
    data: bytes => handler.onResponseData?.(controller, Buffer.from(bytes)),
    end(trailers) {
      controller.rawTrailers = rawOf(trailers)
      handler.onResponseEnd?.(controller, fieldsOf(trailers))
    },
    error: cause => handler.onResponseError?.(controller, cause),
    ready: () => valve.passed(),
  }
}

/** What an aborted request fails with where its client gives no reason. */
export function abortedError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError', code: 'UND_ERR_ABORTED' })
}

function rawOf(headers: HeaderList): Buffer[] {
  return headers.flat().map(text => Buffer.from(text, 'latin1'))
}

/** By lower-cased name; one that is repeated has a list. */
function fieldsOf(headers: HeaderList): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {}
  for (const [field, value] of headers) {
    const name = field.toLowerCase()
    const before = fields[name]
    if (before === undefined) fields[name] = value
    else fields[name] = [before, value].flat()
  }
  return fields
}
