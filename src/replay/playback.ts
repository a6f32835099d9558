/**
 * One recorded answer on its way to one client.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { Asked } from './asked.ts'
import type { Pace, PlayedExchange, ReplayCommand } from './http.ts'
import type { Recorded } from './recorded.ts'
import { type Step, timeline } from './timeline.ts'

/** What came of a client that left. */
export type Leaving =
  /** Everything was handed over before. */
  | { readonly type: 'unseen' }
  /** It had what there was to have, or left as on the recording. */
  | { readonly type: 'done'; readonly done: ReplayCommand }
  /** More was to come. */
  | { readonly type: 'abandoned'; readonly done: ReplayCommand; readonly chunksLeft: number }

/** An answer that is being played, or that its client does not have yet. */
export interface Playback {
  readonly asked: Asked
  readonly recorded: Recorded
  /** When it goes on; undefined when all of it was handed over. */
  due(): Instant | undefined
  /** Everything that is due by now; ends with a `done` where that was the rest of it. */
  advance(now: Instant): readonly ReplayCommand[]
  /** Its client has left. */
  leave(): Leaving
}

/** Where and how an answer is played. */
export interface PlaybackOptions {
  readonly id: number
  readonly asked: Asked
  readonly recorded: Recorded
  readonly origin: string
  readonly pace: Pace
  readonly now: Instant
}

/** Starts to play an answer: nothing of it has gone out yet. */
export function createPlayback({ id, asked, recorded, origin, pace, now }: PlaybackOptions): Playback {
  const steps = timeline(recorded, origin, pace)
  const { how } = recorded.exchange.end
  let next = 0
  // When the step before `next` was done. Gaps count from here, so one late timer delays what follows it
  // instead of being silently caught up.
  let anchor = now

  function due(): Instant | undefined {
    const step = steps[next]
    return step === undefined ? undefined : anchor + step.wait
  }

  function advance(moment: Instant): readonly ReplayCommand[] {
    const commands: ReplayCommand[] = []
    for (let step = steps[next]; step !== undefined && anchor + step.wait <= moment; step = steps[next]) {
      commands.push(toCommand(step, id))
      anchor = moment
      next += 1
      if (next === steps.length) commands.push(done(how ?? 'complete'))
    }
    return commands
  }

  function leave(): Leaving {
    if (next === steps.length) return { type: 'unseen' }
    if (how !== undefined) return { type: 'done', done: done(how) }
    const chunksLeft = steps.slice(next).filter(step => step.type === 'chunk').length
    const hasRead = steps.slice(0, next).some(step => step.type === 'chunk' && step.ended)
    if (chunksLeft === 0 || hasRead) return { type: 'done', done: done('complete') }
    return { type: 'abandoned', done: done('abandoned'), chunksLeft }
  }

  function done(outcome: PlayedExchange['outcome']): ReplayCommand {
    const sent = steps.slice(0, next).map(step => (step.type === 'chunk' ? step.bytes.length : 0))
    const { file, number, operation, exchange } = recorded
    const bytes = sent.reduce((sum, length) => sum + length, 0)
    const status = exchange.response?.status
    return { type: 'done', id, exchange: { file, number, operation, status, bytes, outcome } }
  }

  return { asked, recorded, due, advance, leave }
}

function toCommand(step: Step, id: number): ReplayCommand {
  switch (step.type) {
    case 'head': {
      const { status, reason, headers, length } = step
      return { type: 'head', id, status, reason, headers, length }
    }
    case 'chunk':
      return { type: 'chunk', id, bytes: step.bytes }
    case 'end':
      return { type: 'end', id, trailers: step.trailers }
    case 'destroy':
      return { type: 'destroy', id }
  }
}
