/**
 * The only loop between the replay engine for HTTP and the world: it numbers requests, keeps the one timer
 * and hands commands to the answer that they are for. Sockets have theirs in `socket-carrier.ts`.
 *
 * Every way for bytes to travel has one of these and adds only an {@link Answer}, so what is true of one is
 * true of all.
 *
 * Room: serve.
 */
import type { Clock } from '../clock.ts'
import type { RequestInput } from '../replay/asked.ts'
import type { HttpReplay } from '../replay/http-replay.ts'
import type { Failure, PlayedExchange, ReplayCommand, ReplayInput } from '../replay/http.ts'
import type { Received } from '../replay/received.ts'
import { createAlarm } from './alarm.ts'
import { createCrowd } from './crowd.ts'
import type { Released, Steps } from './steps.ts'

/** What is done to one answer. */
export type AnswerCommand = Extract<ReplayCommand, { readonly type: 'head' | 'chunk' | 'end' | 'destroy' }>

/** One answer on its way to a client. */
export interface Answer {
  /** Ends it at once, as a connection that breaks. Absent where something else ends the connections. */
  cut?(): void
  /** Runs these in order, after those of earlier calls; waits inside where the client is slow. */
  run(commands: readonly AnswerCommand[]): void
  /** The recording has no answer, and the engine passes such requests on: nothing more comes from here. */
  pass?(why: Failure): void
}

/** One request that is being answered. */
export interface CarriedRequest {
  /** The client left before its answer was finished. */
  gone(): void
  /** The client has been handed the whole answer, or what a cut leaves of it. */
  sent(): void
}

/** What a carrier runs on, and whom it tells. */
export interface ReplayCarrierOptions {
  readonly engine: HttpReplay
  readonly clock: Clock
  /** At pace `manual`: what lets things go. */
  readonly steps?: Steps | undefined
  readonly onReceived?: ((received: Received) => void) | undefined
  readonly onExchange?: ((played: PlayedExchange) => void) | undefined
  readonly onFailure?: ((failure: Failure) => void) | undefined
}

/** Feeds one engine. */
export interface ReplayCarrier {
  request(request: Omit<RequestInput, 'type' | 'id'>, answer: Answer): CarriedRequest
  /** Resolves when no answer is open, or after so many milliseconds. */
  idle(graceMs: number): Promise<void>
  /** How many answers are open. */
  count(): number
  /** Ends the answers that are open, but for those of a server, whose connections it ends. */
  cut(): void
  /** Stops the timer; nothing is played any more. */
  stop(): void
}

/** Starts a loop with nothing in it. */
export function createReplayCarrier({
  engine,
  clock,
  steps,
  onReceived,
  onExchange,
  onFailure,
}: ReplayCarrierOptions): ReplayCarrier {
  const answers = createCrowd<Answer>()
  const alarm = createAlarm(clock, () => feed({ type: 'wake' }))
  steps?.join(() => releasedBy(feed({ type: 'step' })))

  function feed(input: ReplayInput): readonly ReplayCommand[] {
    const commands = engine.handle(input, clock.now())
    run(commands)
    steps?.retry()
    return commands
  }

  function run(commands: readonly ReplayCommand[]): void {
    const byAnswer = new Map<number, AnswerCommand[]>()
    for (const command of commands) {
      switch (command.type) {
        case 'head':
        case 'chunk':
        case 'end':
        case 'destroy': {
          const own = byAnswer.get(command.id)
          if (own === undefined) byAnswer.set(command.id, [command])
          else own.push(command)
          break
        }
        case 'wake':
          alarm.set(command.at)
          break
        case 'received':
          onReceived?.(command.received)
          break
        case 'fail':
          onFailure?.(command.failure)
          break
        case 'pass': {
          const passed = answers.get(command.id)
          answers.remove(command.id)
          passed?.pass?.(command.failure)
          break
        }
        case 'done':
          onExchange?.(command.exchange)
          break
      }
    }
    for (const [id, own] of byAnswer) answers.get(id)?.run(own)
  }

  function request(asked: Omit<RequestInput, 'type' | 'id'>, answer: Answer): CarriedRequest {
    const id = answers.add(() => answer)
    feed({ type: 'request', id, ...asked })
    const leave = (type: 'gone' | 'sent'): void => {
      if (answers.remove(id)) feed({ type, id })
    }
    return { gone: () => leave('gone'), sent: () => leave('sent') }
  }

  return {
    request,
    idle: graceMs => answers.idle(graceMs),
    count: () => answers.all().length,
    cut: () => answers.all().forEach(answer => answer.cut?.()),
    stop: () => alarm.stop(),
  }
}

/** What a step let go; undefined where it let nothing go. */
function releasedBy(commands: readonly ReplayCommand[]): Released | undefined {
  const chunk = commands.find(command => command.type === 'chunk')
  if (chunk !== undefined) return { type: 'chunk', bytes: chunk.bytes }
  const last = commands.findLast(({ type }) => type === 'head' || type === 'end' || type === 'destroy')
  switch (last?.type) {
    case 'head':
    case 'end':
      return { type: last.type, bytes: new Uint8Array() }
    case 'destroy':
      return { type: 'cut', bytes: new Uint8Array() }
    case undefined:
      return undefined
  }
}
