/**
 * The replay engine for HTTP: it owns which recorded exchange answers which request, and when each chunk
 * goes out.
 *
 * It knows no sockets and no clock: a carrier feeds it inputs and runs its commands. One engine serves all
 * connections of one replay, since each exchange is used once.
 *
 * Room: replay.
 */
import type { MatchKind } from '../cassette/model.ts'
import type { Instant } from '../clock.ts'
import { refusal } from '../dialect/refusal.ts'
import type { Redactor } from '../redact/redactor.ts'
import { type Asked, askedBy, type RequestInput } from './asked.ts'
import type { Failure, Pace, ReplayCommand, ReplayInput } from './http.ts'
import { describeMiss, metadataOf } from './miss.ts'
import { ambiguityNote, cutNote, unseenNote } from './notes.ts'
import { createPlayback, type Playback } from './playback.ts'
import { recordedExchanges, type Tape } from './recorded.ts'
import { abandoned, type Leftover, neverAsked, type ReplayReport } from './report.ts'
import { createSelection } from './selection.ts'

/** What is replayed, and how. */
export interface HttpReplayOptions {
  readonly tapes: readonly Tape[]
  /** Makes what comes comparable with what was recorded, and safe to be shown. A fresh one for each replay. */
  readonly redactor: Redactor
  /** How fast; `instant` unless set. */
  readonly pace?: Pace | undefined
  /** How requests are compared where an exchange does not say; `body` unless set. */
  readonly match?: MatchKind | undefined
}

/** A replay of some cassettes. */
export interface HttpReplay {
  /**
   * Takes what happened, and answers with what must be done, in order.
   *
   * @param now - Never goes back.
   */
  handle(input: ReplayInput, now: Instant): readonly ReplayCommand[]
  /** As of now. An answer that is still being played counts as asked for, and not as left. */
  report(): ReplayReport
}

/** Starts a replay; nothing has been asked for yet. */
export function createHttpReplay(options: HttpReplayOptions): HttpReplay {
  const { redactor, pace = { type: 'instant' } } = options
  const selection = createSelection(recordedExchanges(options.tapes, options.match ?? 'body'))
  /** By request, until the client has the whole answer or is gone. */
  const open = new Map<number, Playback>()
  const failures: Failure[] = []
  const left: Leftover[] = []
  const notes = new Set<string>()
  let requests = 0
  let wakeAt: Instant | undefined

  function handle(input: ReplayInput, now: Instant): readonly ReplayCommand[] {
    const commands = handled(input, now)
    const due = [...open.values()].flatMap(playback => playback.due() ?? [])
    const first = due.length === 0 ? undefined : Math.min(...due)
    if (first === undefined || first === wakeAt) return commands
    wakeAt = first
    return [...commands, { type: 'wake', at: first }]
  }

  function handled(input: ReplayInput, now: Instant): readonly ReplayCommand[] {
    switch (input.type) {
      case 'request':
        return request(input, now)
      case 'gone':
        return gone(input.id)
      case 'sent':
        open.delete(input.id)
        return []
      case 'wake':
        wakeAt = undefined
        return [...open.values()].flatMap(playback => advance(playback, now))
    }
  }

  function request(input: RequestInput, now: Instant): readonly ReplayCommand[] {
    requests += 1
    const asked = askedBy(input, redactor)
    const recorded = selection.take(asked)
    if (recorded === undefined) return refuse(input.id, asked)
    const playback = createPlayback({ id: input.id, asked, recorded, origin: input.origin, pace, now })
    for (const other of open.values()) note(ambiguityNote(other, playback))
    open.set(input.id, playback)
    return advance(playback, now)
  }

  function refuse(id: number, asked: Asked): readonly ReplayCommand[] {
    const failure = describeMiss(asked, selection, text => redactor.text(text))
    failures.push(failure)
    const { code: reason, message } = failure
    const { status, headers, body } = refusal({ reason, message, metadata: metadataOf(failure) })
    return [
      { type: 'fail', id, failure },
      { type: 'head', id, status, reason: undefined, headers, length: body.length },
      { type: 'chunk', id, bytes: body },
      { type: 'end', id, trailers: [] },
    ]
  }

  function advance(playback: Playback, now: Instant): readonly ReplayCommand[] {
    const commands = playback.advance(now)
    const { how } = playback.recorded.exchange.end
    if (how !== undefined && playback.due() === undefined) note(cutNote(playback.recorded, how))
    return commands
  }

  function gone(id: number): readonly ReplayCommand[] {
    const playback = open.get(id)
    open.delete(id)
    if (playback === undefined) return []
    const leaving = playback.leave()
    switch (leaving.type) {
      case 'unseen':
        note(unseenNote(playback.recorded))
        return []
      case 'done':
        return [leaving.done]
      case 'abandoned':
        left.push(abandoned(playback.recorded, leaving.chunksLeft))
        return [leaving.done]
    }
  }

  function note(text: string | undefined): void {
    if (text !== undefined) notes.add(text)
  }

  function report(): ReplayReport {
    return {
      exchanges: selection.all.length,
      played: selection.all.filter(recorded => selection.uses(recorded) > 0).length,
      requests,
      failures: [...failures],
      leftovers: [...neverAsked(selection), ...left],
      notes: [...notes],
    }
  }

  return { handle, report }
}
