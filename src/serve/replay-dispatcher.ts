/**
 * A `Dispatcher` for apps on undici that is answered by a replay in this process: whatever origin is asked,
 * nothing goes to the network.
 *
 * It is no instance of undici's own class, since importing undici puts a dispatcher of its own into two
 * globals, where Node's `fetch` finds it.
 *
 * Room: serve.
 */
import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type * as Undici from 'undici'
import type { Dispatcher } from 'undici'
import { WiretapeError } from '../errors.ts'
import { abortedError, sinkOf, type DispatchSink } from './dispatch-handler.ts'
import { targetOf, requestOf } from './dispatch-request.ts'
import { createDispatchAnswer, type DispatchAnswer } from './dispatch-answer.ts'
import { askedOf, named, pathAt, type InProcessReplay } from './in-process.ts'
import { createLane } from './turn.ts'

/**
 * Makes a dispatcher of a replay: for `setGlobalDispatcher`, and for the `dispatcher` option of undici's
 * `fetch`, `request`, `stream` and `pipeline`, and of Node's `fetch`.
 *
 * It carries no sockets: who asks for one by an upgrade or CONNECT gets a `WIRETAPE_USAGE`.
 */
export function createReplayDispatcher(replay: InProcessReplay): Dispatcher {
  const dispatcher: EventEmitter = new ReplayDispatcher(replay)
  if (isDispatcher(dispatcher)) return dispatcher
  throw new TypeError('the dispatcher is none')
}

type Callback = (cause: Error | null, data: null) => void

class ReplayDispatcher extends EventEmitter {
  // No `#private` fields: `compose` puts a proxy in front of it, which could not reach them.
  private readonly replay: InProcessReplay
  private readonly answers = new Set<DispatchAnswer>()
  private readonly whenIdle: (() => void)[] = []
  private ended: Error | undefined
  private isDestroyed = false

  constructor(replay: InProcessReplay) {
    super()
    this.replay = replay
  }

  get closed(): boolean {
    return this.ended !== undefined
  }

  get destroyed(): boolean {
    return this.isDestroyed
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const sink = sinkOf(handler)
    const refused = this.ended ?? this.socketRefused(options)
    if (refused === undefined) void this.carry(options, sink)
    else createLane()(() => sink.error(refused))
    return refused === undefined
  }

  close(callback?: Callback): Promise<void> | undefined {
    this.ended ??= named('ClientClosedError', 'UND_ERR_CLOSED', 'The client is closed')
    return told(this.idle(), callback)
  }

  destroy(reason?: Error | null | Callback, callback?: Callback): Promise<void> | undefined {
    if (typeof reason === 'function') return this.destroy(null, reason)
    const cause = reason ?? named('ClientDestroyedError', 'UND_ERR_DESTROYED', 'The client is destroyed')
    this.isDestroyed = true
    this.ended = cause
    for (const answer of this.answers) answer.abort(cause)
    return told(this.idle(), callback)
  }

  private async carry(options: Dispatcher.DispatchOptions, sink: DispatchSink): Promise<void> {
    const asked = askedOf(this.replay, options.method, targetOf(options))
    const answer = createDispatchAnswer(sink, {
      method: options.method,
      onOver: () => this.over(answer),
    })
    this.answers.add(answer)
    // Not inside the call that dispatches.
    await Promise.resolve()
    if (!answer.start()) return
    try {
      const given = await requestOf(options)
      const address = `${given.origin.replace(/\/$/, '')}${given.url}`
      const request = { ...given, url: pathAt(this.replay, address) }
      if (!answer.isOver()) answer.carriedBy(this.replay.requests.request(request, answer))
    } catch (cause) {
      this.replay.note(`a client left before it had sent the whole of ${asked}`)
      answer.abort(cause instanceof Error ? cause : abortedError())
    }
  }

  private over(answer: DispatchAnswer): void {
    this.answers.delete(answer)
    if (this.answers.size === 0) this.whenIdle.splice(0).forEach(resolve => resolve())
  }

  private async idle(): Promise<void> {
    if (this.answers.size > 0) await new Promise<void>(resolve => this.whenIdle.push(resolve))
  }

  private socketRefused(options: Dispatcher.DispatchOptions): WiretapeError | undefined {
    const { method, upgrade } = options
    if (method !== 'CONNECT' && (upgrade === undefined || upgrade === null || upgrade === false))
      return undefined
    const asked = askedOf(this.replay, method, targetOf(options))
    this.replay.note(`${asked} asked the dispatcher for a socket, and it carries none`)
    return new WiretapeError(
      'WIRETAPE_USAGE',
      `The replay's dispatcher carries no sockets: ${asked} asks for one.`,
      {
        hint: "Give the app the replay's own WebSocket class, or the URL of its server.",
        details: { asked },
      },
    )
  }
}

/** By callback or by promise, as all of undici. */
function told(done: Promise<void>, callback: Callback | undefined): Promise<void> | undefined {
  if (callback === undefined) return done
  void done.then(() => callback(null, null))
  return undefined
}

/** What undici's class makes of `dispatch`. An app that calls one of these has undici, and its globals, already. */
const CONVENIENCE = ['compose', 'connect', 'pipeline', 'request', 'stream', 'upgrade'] as const

/** What TypeScript can't see: that the class is given below what it lacks. */
function isDispatcher(emitter: EventEmitter): emitter is Dispatcher {
  return CONVENIENCE.every(name => name in emitter)
}

for (const name of CONVENIENCE) {
  Object.defineProperty(ReplayDispatcher.prototype, name, {
    configurable: true,
    writable: true,
    value(this: ReplayDispatcher, ...given: unknown[]): unknown {
      const undici: typeof Undici = createRequire(import.meta.url)('undici')
      return Reflect.apply(undici.Dispatcher.prototype[name], this, given)
    },
  })
}
