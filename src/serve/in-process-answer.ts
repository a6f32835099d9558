/**
 * An answer of the replay engine as a WHATWG `Response`, as the platform's own `fetch` would make it of the
 * same bytes.
 *
 * Room: serve.
 */
import { createBody, type InProcessBody } from './in-process-body.ts'
import { createTally } from './in-process-tally.ts'
import { cutError, fieldsOf, isBodiless, phraseOf, type Head } from './in-process.ts'
import type { Answer, AnswerCommand, CarriedRequest } from './replay-carrier.ts'

/** An answer that becomes a response. */
export interface FetchAnswer extends Answer {
  /** Rejects with a `TypeError` where there is none, and with the reason of an abort. */
  readonly response: Promise<Response>
  /** Whom to tell that the client has it, or has left it. */
  carriedBy(carried: CarriedRequest): void
}

/** What a response is made for. */
export interface FetchAnswerOptions {
  /** The request's method. */
  readonly method: string
  /** Aborted: the client wants no more. */
  readonly signal: AbortSignal | undefined
  /** Told where a recorded head is none that a response can have. */
  readonly onBroken: (cause: unknown) => void
}

/** Makes a response for a request. */
export function createFetchAnswer({ method, signal, onBroken }: FetchAnswerOptions): FetchAnswer {
  let settle: { resolve(response: Response): void; reject(reason: unknown): void } | undefined
  const response = new Promise<Response>((resolve, reject) => (settle = { resolve, reject }))
  const tally = createTally()
  let body: InProcessBody | undefined

  function abort(): void {
    tally.leave()
    settle?.reject(signal?.reason)
    body?.fail(signal?.reason)
  }

  function cut(): void {
    tally.leave()
    failed(cutError())
    body?.fail(new TypeError('terminated', { cause: cutError() }))
  }

  function over(): void {
    signal?.removeEventListener('abort', abort)
  }

  function failed(cause: unknown): void {
    over()
    settle?.reject(new TypeError('fetch failed', { cause }))
  }

  function begin(head: Head): void {
    if (isBodiless(method, head.status)) over()
    else body = newBody()
    try {
      settle?.resolve(responseOf(head, body))
    } catch (cause) {
      onBroken(cause)
      failed(cause)
      body = undefined
      // As a connection that is cut: the client has what it will have.
      tally.whole()
    }
  }

  function newBody(): InProcessBody {
    return createBody({
      onRead: bytes => tally.take(bytes),
      onOver(how) {
        over()
        if (how === 'cancelled') tally.leave()
      },
    })
  }

  function run(commands: readonly AnswerCommand[]): void {
    for (const command of commands) {
      if (command.type === 'head') begin(command)
      else {
        if (command.type === 'chunk') tally.wait(body === undefined ? 0 : command.bytes.length)
        else tally.whole()
        if (command.type === 'destroy' && body === undefined) failed(cutError())
        body?.push(command)
      }
    }
  }

  signal?.addEventListener('abort', abort, { once: true })
  return { response, run, cut, carriedBy: carried => tally.carriedBy(carried) }
}

/** The statuses that the constructor of a response takes. */
const CONSTRUCTED = { least: 200, most: 599 } as const

function responseOf(head: Head, body: InProcessBody | undefined): Response {
  const headers = new Headers()
  for (const [name, value] of fieldsOf(head)) headers.append(name, value)
  const { status } = head
  const can = status >= CONSTRUCTED.least && status <= CONSTRUCTED.most
  const init = { status: can ? status : CONSTRUCTED.most, statusText: phraseOf(head), headers }
  const response = new Response(body?.stream ?? null, init)
  if (!can) Object.defineProperty(response, 'status', { value: status })
  return response
}
