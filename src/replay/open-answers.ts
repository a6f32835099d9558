/**
 * The answers that are being played, or that their clients do not have yet: what of them is due, and what
 * is to be said of a client that leaves one.
 *
 * Which exchange answers a request is not decided here: see `http-replay.ts`.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { Pace, ReplayCommand } from './http.ts'
import { ambiguityNote, cutNote, unseenNote } from './notes.ts'
import type { Playback } from './playback.ts'
import { abandoned, type Leftover } from './report.ts'

/** The open answers of one replay, by the number of their request. */
export interface OpenAnswers {
  /** Opens an answer, and plays what is due of it; by hand nothing is. */
  open(id: number, playback: Playback, now: Instant): readonly ReplayCommand[]
  /** Everything that is due by now, of all. */
  advance(now: Instant): readonly ReplayCommand[]
  /** By hand: the next thing of the answer that was the first to go on, on the recording, after it was asked for. */
  step(): readonly ReplayCommand[]
  /** The client has the whole answer. */
  sent(id: number): void
  /** The client went away. */
  gone(id: number): readonly ReplayCommand[]
  /** When the next of them goes on; undefined where none waits for its time. */
  due(): Instant | undefined
}

/** Whom the open answers tell what the report is to say. */
export interface AnswerRemarks {
  readonly note: (text: string) => void
  readonly leftover: (left: Leftover) => void
}

/** None is open yet. */
export function createOpenAnswers(pace: Pace, { note, leftover }: AnswerRemarks): OpenAnswers {
  const byHand = pace.type === 'manual'
  const playing = new Map<number, Playback>()

  function advanced(playback: Playback, now: Instant): readonly ReplayCommand[] {
    return byHand ? [] : played(playback, playback.advance(now))
  }

  function played(playback: Playback, commands: readonly ReplayCommand[]): readonly ReplayCommand[] {
    const { how } = playback.recorded.exchange.end
    if (how !== undefined && playback.due() === undefined) note(cutNote(playback.recorded, how))
    return commands
  }

  function step(): readonly ReplayCommand[] {
    const at = soonest()
    const next = byHand ? [...playing.values()].find(playback => playback.due() === at) : undefined
    return next === undefined || at === undefined ? [] : played(next, next.step())
  }

  function open(id: number, playback: Playback, now: Instant): readonly ReplayCommand[] {
    for (const other of playing.values()) {
      const ambiguous = ambiguityNote(other, playback)
      if (ambiguous !== undefined) note(ambiguous)
    }
    playing.set(id, playback)
    return advanced(playback, now)
  }

  function gone(id: number): readonly ReplayCommand[] {
    const playback = playing.get(id)
    playing.delete(id)
    if (playback === undefined) return []
    const leaving = playback.leave()
    switch (leaving.type) {
      case 'unseen':
        note(unseenNote(playback.recorded))
        return []
      case 'done':
        return [leaving.done]
      case 'abandoned':
        leftover(abandoned(playback.recorded, leaving.chunksLeft))
        return [leaving.done]
    }
  }

  function soonest(): Instant | undefined {
    const all = [...playing.values()].flatMap(playback => playback.due() ?? [])
    return all.length === 0 ? undefined : Math.min(...all)
  }

  return {
    open,
    advance: now => [...playing.values()].flatMap(playback => advanced(playback, now)),
    step,
    sent: id => void playing.delete(id),
    gone,
    due: () => (byHand ? undefined : soonest()),
  }
}
