/**
 * The replay engine for HTTP: it owns which recorded exchange answers which request. When each chunk of an
 * answer goes out is in `open-answers.ts` and `playback.ts`.
 *
 * It knows no sockets and no clock: a carrier feeds it inputs and runs its commands. One engine serves all
 * connections of one replay, since each exchange is used once.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import { refusal } from '../dialect/refusal.ts'
import type { Redactor } from '../redact/redactor.ts'
import { type Asked, askedBy, type RequestInput } from './asked.ts'
import type { Failure, Pace, ReplayCommand, ReplayInput } from './http.ts'
import { guarded, type MatchingOptions, readIgnored, troubleOf } from './matching.ts'
import { metadataOf } from './miss-facts.ts'
import { describeMiss, describeTrouble, firstLine } from './miss.ts'
import { createOpenAnswers } from './open-answers.ts'
import { createPlayback } from './playback.ts'
import { bodyReceived } from './received.ts'
import { recordedExchanges, type LoadedCassette, type Recorded } from './recorded.ts'
import { allowedNote, readAllowed, sortedOut } from './allowed.ts'
import { type Leftover, neverAsked, type ReplayReport } from './report.ts'
import { createSelection } from './selection.ts'

/** What is replayed, and how. */
export interface HttpReplayOptions extends MatchingOptions {
  readonly cassettes: readonly LoadedCassette[]
  /** Makes what comes comparable with what was recorded, and safe to be shown. A fresh one for each replay. */
  readonly redactor: Redactor
  /** How fast; `instant` unless set. */
  readonly pace?: Pace | undefined
  /** `tell`: a `received` command for each request, before what it brings about. Nothing unless set. */
  readonly received?: 'tell' | undefined
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

/**
 * Starts a replay; nothing has been asked for yet.
 *
 * @throws `WIRETAPE_USAGE` for an `ignore` that is no JSON pointer, and for an `allow` that is no kind, with what is right.
 */
export function createHttpReplay(options: HttpReplayOptions): HttpReplay {
  const { redactor, pace = { type: 'instant' }, onMiss = 'refuse' } = options
  const allow = readAllowed(options.allow)
  const ignored = readIgnored(options.ignore)
  const match = guarded(options.match)
  const selection = createSelection(recordedExchanges(options.cassettes, { match, ignored }))
  const redact = (text: string): string => redactor.text(text)
  const failures: Failure[] = []
  const left: Leftover[] = []
  const notes = new Set<string>()
  const answers = createOpenAnswers(pace, { note: text => notes.add(text), leftover: one => left.push(one) })
  let requests = 0
  let wakeAt: Instant | undefined

  function handle(input: ReplayInput, now: Instant): readonly ReplayCommand[] {
    const commands = handled(input, now)
    const due = answers.due()
    if (due === undefined || due === wakeAt) return commands
    wakeAt = due
    return [...commands, { type: 'wake', at: due }]
  }

  function handled(input: ReplayInput, now: Instant): readonly ReplayCommand[] {
    switch (input.type) {
      case 'request':
        return request(input, now)
      case 'gone':
        return answers.gone(input.id)
      case 'sent':
        answers.sent(input.id)
        return []
      case 'wake':
        wakeAt = undefined
        return answers.advance(now)
      case 'step':
        return answers.step()
    }
  }

  function request(input: RequestInput, now: Instant): readonly ReplayCommand[] {
    const { id, origin } = input
    requests += 1
    const asked = askedBy(input, redactor, ignored)
    // What a function of the user's did for a report is no trouble of this request.
    troubleOf(match, redact)
    const recorded = selection.take(asked)
    const told = options.received === 'tell' ? [receivedBy(input, asked, recorded)] : []
    if (recorded === undefined) return [...told, ...unmatched(id, asked)]
    return [...told, ...answers.open(id, createPlayback({ id, asked, recorded, origin, pace, now }), now)]
  }

  function receivedBy(input: RequestInput, asked: Asked, recorded: Recorded | undefined): ReplayCommand {
    const content = bodyReceived(input.body, input.headers, redactor)
    const { operation } = asked
    return {
      type: 'received',
      id: input.id,
      received: { file: recorded?.file, exchange: recorded?.number, operation, ...content },
    }
  }

  function unmatched(id: number, asked: Asked): readonly ReplayCommand[] {
    const trouble = troubleOf(match, redact)
    if (trouble === undefined && onMiss === 'pass') {
      return [{ type: 'pass', id, failure: describeMiss(asked, selection, redact) }]
    }
    const failure =
      trouble === undefined ? describeMiss(asked, selection, redact) : describeTrouble(asked, trouble)
    if (trouble === undefined && allow.includes('extra-request')) {
      notes.add(allowedNote('extra-request', firstLine(failure.message)))
      return refused(id, failure)
    }
    failures.push(failure)
    return [{ type: 'fail', id, failure }, ...refused(id, failure)]
  }

  function report(): ReplayReport {
    const { leftovers, allowed } = sortedOut([...neverAsked(selection), ...left], allow)
    return {
      exchanges: selection.all.length,
      played: selection.all.filter(recorded => selection.uses(recorded) > 0).length,
      requests,
      failures: [...failures],
      leftovers,
      notes: [...notes, ...allowed],
    }
  }

  return { handle, report }
}

/** Tells the client in a way that no SDK retries. */
function refused(id: number, failure: Failure): readonly ReplayCommand[] {
  const { code: reason, message } = failure
  const { status, headers, body } = refusal({ reason, message, metadata: metadataOf(failure) })
  return [
    { type: 'head', id, status, reason: undefined, headers, length: body.length },
    { type: 'chunk', id, bytes: body },
    { type: 'end', id, trailers: [] },
  ]
}
