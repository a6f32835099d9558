/**
 * An answer of the replay engine as calls of an undici handler.
 *
 * Each chunk is told in a turn of its own, so that a client that reads on sees the recorded edges, and a
 * recorded cut comes after all that went before it.
 *
 * Room: serve.
 */
import type { HeaderList } from '../wire/headers.ts'
import { createTally } from './in-process-tally.ts'
import { cutError, fieldsOf, isBodiless, phraseOf } from './in-process.ts'
import type { DispatchSink } from './dispatch-handler.ts'
import type { Answer, AnswerCommand, CarriedRequest } from './replay-carrier.ts'
import { nextTurn } from './turn.ts'

/** An answer on its way to a client on undici. */
export interface DispatchAnswer extends Answer {
  /** Tells the client that its request begins; false if it wants none of it. */
  start(): boolean
  carriedBy(carried: CarriedRequest): void
  /** Ends it with this error. */
  abort(reason: Error): void
  isOver(): boolean
}

/** What an answer is made for, and who is told of it. */
export interface DispatchAnswerOptions {
  readonly method: string
  /** It has ended, however that came. */
  readonly onOver: () => void
}

/** An answer of which nothing has come. */
export function createDispatchAnswer(
  sink: DispatchSink,
  { method, onOver }: DispatchAnswerOptions,
): DispatchAnswer {
  const queue: AnswerCommand[] = []
  const tally = createTally()
  let pumping = false
  let bodiless = false
  let inBody = false
  let over = false

  function finish(report: () => void): void {
    if (over) return
    over = true
    try {
      report()
    } finally {
      onOver()
    }
  }

  function abort(reason: Error): void {
    finish(() => {
      tally.leave()
      sink.error(reason)
    })
  }

  async function pump(): Promise<void> {
    pumping = true
    for (let command = queue.shift(); command !== undefined; command = queue.shift()) {
      await sink.ready()
      if (inBody && command.type !== 'end') await nextTurn()
      if (over) break
      tell(command)
    }
    pumping = false
  }

  function tell(command: AnswerCommand): void {
    switch (command.type) {
      case 'head':
        bodiless = isBodiless(method, command.status)
        attempt(() => sink.head(command.status, fieldsOf(command), phraseOf(command)))
        break
      case 'chunk':
        tally.take(command.bytes.length)
        if (!bodiless && command.bytes.length > 0) attempt(() => sink.data(command.bytes))
        inBody = true
        break
      case 'end':
        finish(() => ended(command.trailers))
        break
      case 'destroy':
        finish(() => sink.error(cutError()))
        break
    }
  }

  function ended(trailers: HeaderList): void {
    try {
      sink.end(trailers)
    } catch (cause) {
      sink.error(errorOf(cause))
    }
  }

  /** What a handler throws ends its request, as it does in undici. */
  function attempt(call: () => void): void {
    try {
      call()
    } catch (cause) {
      abort(errorOf(cause))
    }
  }

  return {
    start() {
      if (!over) attempt(() => sink.start(abort))
      return !over
    },
    run(commands) {
      for (const command of commands) {
        if (command.type === 'chunk') tally.wait(command.bytes.length)
        if (command.type === 'end' || command.type === 'destroy') tally.whole()
        queue.push(command)
      }
      if (!pumping) void pump()
    },
    carriedBy: carried => tally.carriedBy(carried),
    abort,
    isOver: () => over,
  }
}

function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}
