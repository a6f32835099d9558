/**
 * The answers that are being played, or that their clients do not have yet: what of them is due, and what
 * is to be said of a client that leaves one.
 *
 * Which exchange answers a request is not decided here: see `http-replay.ts`.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { ReplayCommand } from './http.ts'
import { ambiguityNote, cutNote, unseenNote } from './notes.ts'
import type { Playback } from './playback.ts'
import { abandoned, type Leftover } from './report.ts'

/** The open answers of one replay, by the number of their request. */
export interface OpenAnswers {
  /** Opens an answer, and plays what is due of it. */
  open(id: number, playback: Playback, now: Instant): readonly ReplayCommand[]
  /** Everything that is due by now, of all. */
  advance(now: Instant): readonly ReplayCommand[]
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
export function createOpenAnswers({ note, leftover }: AnswerRemarks): OpenAnswers {
  const playing = new Map<number, Playback>()

  function advanced(playback: Playback, now: Instant): readonly ReplayCommand[] {
    const commands = playback.advance(now)
    const { how } = playback.recorded.exchange.end
    if (how !== undefined && playback.due() === undefined) note(cutNote(playback.recorded, how))
    return commands
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

  function due(): Instant | undefined {
    const all = [...playing.values()].flatMap(playback => playback.due() ?? [])
    return all.length === 0 ? undefined : Math.min(...all)
  }

  return {
    open,
    advance: now => [...playing.values()].flatMap(playback => advanced(playback, now)),
    sent: id => void playing.delete(id),
    gone,
    due,
  }
}
