/**
 * An answer of the replay engine as calls of an undici handler.
 *
 * Each chunk is told in a turn of its own, so that a client that reads on sees the recorded edges, and a
 * recorded cut comes after all that went before it.
 *
 * Room: serve.
 */
import type { HeaderList } from '../wire/headers.ts'
import { createTally, type Tally } from './in-process-tally.ts'
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
export function createDispatchAnswer(sink: DispatchSink, options: DispatchAnswerOptions): DispatchAnswer {
  const queue: AnswerCommand[] = []
  const tally = createTally()
  const teller = createTeller(sink, tally, options)
  let pumping = false
  let inBody = false

  async function pump(): Promise<void> {
    pumping = true
    for (let command = queue.shift(); command !== undefined; command = queue.shift()) {
      await sink.ready()
      if (inBody && command.type !== 'end') await nextTurn()
      if (teller.isOver()) break
      inBody = command.type === 'chunk'
      teller.tell(command)
    }
    pumping = false
  }

  return {
    start: () => teller.start(),
    run(commands) {
      for (const command of commands) {
        if (command.type === 'chunk') tally.wait(command.bytes.length)
        if (command.type === 'end' || command.type === 'destroy') tally.whole()
        queue.push(command)
      }
      if (!pumping) void pump()
    },
    cut: () => teller.abort(cutError()),
    carriedBy: carried => tally.carriedBy(carried),
    abort: reason => teller.abort(reason),
    isOver: () => teller.isOver(),
  }
}

interface Teller extends Pick<DispatchAnswer, 'start' | 'abort' | 'isOver'> {
  tell(command: AnswerCommand): void
}

/** Tells one client what happens to its request, until that is over. */
function createTeller(sink: DispatchSink, tally: Tally, { method, onOver }: DispatchAnswerOptions): Teller {
  let bodiless = false
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

  /** What a handler throws ends its request, as it does in undici. */
  function attempt(call: () => void): void {
    try {
      call()
    } catch (cause) {
      abort(errorOf(cause))
    }
  }

  function tell(command: AnswerCommand): void {
    switch (command.type) {
      case 'head':
        bodiless = isBodiless(method, command.status)
        return attempt(() => sink.head(command.status, fieldsOf(command), phraseOf(command)))
      case 'chunk':
        tally.take(command.bytes.length)
        if (!bodiless && command.bytes.length > 0) attempt(() => sink.data(command.bytes))
        return
      case 'end':
        return finish(() => endOf(sink, command.trailers))
      case 'destroy':
        return finish(() => sink.error(cutError()))
    }
  }

  return {
    start() {
      if (!over) attempt(() => sink.start(abort))
      return !over
    },
    tell,
    abort,
    isOver: () => over,
  }
}

function endOf(sink: DispatchSink, trailers: HeaderList): void {
  try {
    sink.end(trailers)
  } catch (cause) {
    sink.error(errorOf(cause))
  }
}

function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}
