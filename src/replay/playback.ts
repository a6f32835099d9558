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
  /** The next thing, whenever it is due: a chunk, with the head before it and the end after it, or a cut. */
  step(): readonly ReplayCommand[]
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

/** By hand an answer's time is the recording's, from 0 on, and only steps move it: it tells whose turn it is among several. */
const AS_RECORDED: Pace = { type: 'factor', factor: 1 }

/** Starts to play an answer: nothing of it has gone out yet. */
export function createPlayback({ id, asked, recorded, origin, pace, now }: PlaybackOptions): Playback {
  const steps = timeline(recorded, origin, pace.type === 'manual' ? AS_RECORDED : pace)
  const { how } = recorded.exchange.end
  let next = 0
  // When the step before `next` was done. Gaps count from here, so one late timer delays what follows it
  // instead of being silently caught up.
  let anchor = pace.type === 'manual' ? 0 : now

  function due(): Instant | undefined {
    const step = steps[next]
    return step === undefined ? undefined : anchor + step.wait
  }

  function advance(moment: Instant): readonly ReplayCommand[] {
    const commands: ReplayCommand[] = []
    for (let step = steps[next]; step !== undefined && anchor + step.wait <= moment; step = steps[next]) {
      commands.push(play(step, moment))
    }
    return ended(commands)
  }

  function playOne(): readonly ReplayCommand[] {
    const commands: ReplayCommand[] = []
    for (let one = steps[next]; one !== undefined; one = steps[next]) {
      commands.push(play(one, anchor + one.wait))
      if (!goTogether(one, steps[next])) break
    }
    return ended(commands)
  }

  function play(one: Step, moment: Instant): ReplayCommand {
    anchor = moment
    next += 1
    return toCommand(one, id)
  }

  /** With a `done` behind the last of all. */
  function ended(commands: readonly ReplayCommand[]): readonly ReplayCommand[] {
    return commands.length > 0 && next === steps.length ? [...commands, done(how ?? 'complete')] : commands
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

  return { asked, recorded, due, advance, step: playOne, leave }
}

/** True where one is nothing to a client without the other. A client may leave before a cut: that stands alone. */
function goTogether(one: Step, following: Step | undefined): boolean {
  if (following === undefined || following.type === 'destroy') return false
  return one.type === 'head' || following.type === 'end'
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
