/**
 * Takes the requests of a recording proxy: which are relayed and recorded, which are refused, what is open.
 *
 * Room: serve.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { roundToMicros, type Instant } from '../clock.ts'
import { operationOf } from '../dialect/operation.ts'
import { WiretapeError, type ErrorCode } from '../errors.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { EndKind } from '../wire/exchange.ts'
import { createCrowd } from './crowd.ts'
import { originOf } from './reached.ts'
import { relay, type Relay, type RelayContext, type Relayed } from './relay.ts'
import { refuse } from './refusal.ts'
import type { Router, Target } from './route.ts'
import type { Scribes } from './scribe.ts'
import { relaySocket, socketUrl, type SocketRequest } from './socket-relay.ts'
import { answerTo } from './upgrade.ts'
import { createDial } from './upstream-socket.ts'
import { createUpstream } from './upstream.ts'

/** An exchange that is over. Redacted. */
export interface FinishedExchange {
  /** From 1, in order of start. */
  readonly number: number
  /** The dialect's name. */
  readonly dialect: string
  /** What was asked for, e.g. `POST models/m:countTokens`. */
  readonly operation: string
  /** Undefined where no answer came; 101 for a socket. */
  readonly status?: number | undefined
  /** Bytes of the answer's body, or of the service's messages. */
  readonly bytes: number
  /** From the request's head to the end, in milliseconds. */
  readonly ms: number
  /** How it ended. */
  readonly outcome: 'complete' | EndKind
  /** Why, in a sentence for people, where the service was never reached or broke HTTP. */
  readonly cause?: string | undefined
}

/** The requests of one recording. */
export interface Recorder {
  handle(request: IncomingMessage, response: ServerResponse, router: Router): void
  /** The same for a request for a socket. */
  upgrade(asking: SocketRequest, router: Router): void
  progress(): { readonly open: number; readonly finished: number; readonly bytes: number }
  /** Never resolves; rejects with the error that stopped the recording. */
  readonly failed: Promise<never>
  /** The same error, once there is one. */
  readonly failure: WiretapeError | undefined
  /** Takes nothing new; resolves when what is open has ended and the clients have it, or was cut after `graceMs`. */
  drain(graceMs: number): Promise<void>
  /** Lets the connections to the service go. */
  close(): Promise<void>
}

/**
 * @param scribes - Write down what passes, or nothing.
 * @param redactor - Takes secrets out of what is told of an exchange.
 * @param now - Milliseconds since the recording began.
 */
export function createRecorder(
  scribes: Scribes,
  redactor: Redactor,
  now: () => Instant,
  onExchange: (finished: FinishedExchange) => void,
): Recorder {
  const upstream = createUpstream()
  const dial = createDial()
  const open = createCrowd<Relay>()
  /** Answers of which the client may not have everything, though the service may have sent it all. */
  const unsent = createCrowd<ServerResponse>()
  const count = { finished: 0, bytes: 0 }
  let closing = false

  /** Records what `begin` relays. */
  function start({ request, answer, target, url }: Admission, begin: (context: RelayContext) => Relay): void {
    const scribe = scribes.begin()
    if (scribe === undefined) {
      refuseStopped(answer(), scribes.failure)
      return
    }
    const describe = describer(request, redactor.url(url), scribe.number, now)
    open.add(id =>
      begin({
        upstream,
        target,
        scribe,
        onBytes(size) {
          count.bytes += size
        },
        onEnd(relayed) {
          count.finished += 1
          open.remove(id)
          onExchange(describe(relayed))
        },
        onUnreadable: error => scribes.fail(error),
      }),
    )
  }

  /** Undefined for a request that came too late, and was refused. */
  function admit(request: IncomingMessage, answer: () => ServerResponse, router: Router): Target | undefined {
    if (!closing) return router.targetOf(request.url ?? '/', originOf(request))
    refuseStopped(answer(), scribes.failure)
    return undefined
  }

  return {
    handle(request, response, router) {
      const answer = (): ServerResponse => response
      const target = admit(request, answer, router)
      if (target === undefined) return
      start({ request, answer, target, url: target.recorded }, context => {
        unsent.add(id => {
          response.once('close', () => unsent.remove(id))
          return response
        })
        return relay(request, response, context)
      })
    },
    upgrade(asking, router) {
      const { request } = asking
      const answer = (): ServerResponse => answerTo(request)
      const target = admit(request, answer, router)
      if (target === undefined) return
      const url = socketUrl(target.recorded)
      start({ request, answer, target, url }, context => relaySocket(asking, dial, context))
    },
    progress: () => ({ open: open.all().length, ...count }),
    failed: scribes.failed,
    get failure() {
      return scribes.failure
    },
    async drain(graceMs) {
      closing = true
      await Promise.all([open.idle(graceMs), unsent.idle(graceMs)])
      for (const running of open.all()) running.abort()
    },
    close: () => upstream.close(),
  }
}

/** A request that is to be relayed. */
interface Admission {
  readonly request: IncomingMessage
  /** What a refusal is written to. */
  readonly answer: () => ServerResponse
  readonly target: Target
  /** Its address on the recording. */
  readonly url: string
}

/** What is told of an exchange when it is over. */
function describer(
  request: IncomingMessage,
  url: string,
  number: number,
  now: () => Instant,
): (relayed: Relayed) => FinishedExchange {
  const began = now()
  const { dialect, key } = operationOf({ method: request.method ?? 'GET', url })
  return ({ status, bytes, outcome, cause }) => {
    const ms = roundToMicros(now() - began)
    return { number, dialect: dialect.name, operation: key, status, bytes, ms, outcome, cause }
  }
}

function refuseStopped(response: ServerResponse, failure: WiretapeError | undefined): void {
  const code: ErrorCode = failure?.code ?? 'WIRETAPE_USAGE'
  refuse(response, code, failure?.message ?? 'The recording is being finished and takes no more requests.')
}
