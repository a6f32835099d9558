/**
 * One socket that is played from one recorded connection.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { ClientInput, SocketDialect } from '../dialect/live-messages.ts'
import type { PlayedExchange } from './http.ts'
import type { Comparer } from './live-difference.ts'
import { createExpected } from './live-expected.ts'
import { failedMatcher, labelOf, otherClose, stalled, type Refusal } from './live-failure.ts'
import { createGate, type GateSettings } from './live-gate.ts'
import { type Goodbye, goodbyeText, sameGoodbye, toGoodbye } from './live-goodbye.ts'
import { greet } from './live-greeting.ts'
import { type Rest, restOf, restText } from './live-rest.ts'
import type { CloseStep, LiveScript, ServerStep } from './live-script.ts'
import { createPassed } from './live-passed.ts'
import { unexpectedInput } from './live-unexpected.ts'
import type { LiveCommand } from './live.ts'

/** How many of the inputs that came a stall names. */
const REMEMBERED = 4

/**
 * How many bytes may be on their way to a client before the rest waits until they have gone out. An hour of
 * sound is never in memory at once, and a client that reads as fast as we write never makes us wait.
 */
const AHEAD_BYTES = 1_048_576

/** What all sessions of a replay share. */
export interface SessionSettings extends GateSettings {
  readonly dialect: SocketDialect
  readonly comparer: Comparer
  /** What went wrong in the user's own comparison since this was asked last. */
  readonly trouble: () => string | undefined
  /** Takes secrets out of what is to be shown. */
  readonly redact: (text: string) => string
  /** Keeps a note for the report. */
  readonly note: (text: string) => void
}

/** A socket being played. */
export interface Session {
  readonly script: LiveScript
  receive(inputs: readonly ClientInput[], now: Instant): readonly LiveCommand[]
  /** Does what is due. */
  advance(now: Instant): readonly LiveCommand[]
  /** At pace `manual`: the next message or close, if it may go out. */
  step(now: Instant): readonly LiveCommand[]
  /** When the next message came on the recording; infinite where there is none. */
  turn(): Instant
  /** All that was sent has gone out. */
  drained(now: Instant): readonly LiveCommand[]
  /** The client closed it, or it was lost. */
  leave(goodbye: Goodbye): readonly LiveCommand[]
  /** When `advance` is to be called if nothing comes; undefined: never. */
  wakeAt(): Instant | undefined
  /** What is left of the recording; undefined where nothing is, or where a failure has said so. */
  rest(): Rest | undefined
}

/** Starts to play a recorded connection on an accepted socket. */
export function createSession(
  id: number,
  operation: string,
  script: LiveScript,
  settings: SessionSettings,
  opened: Instant,
): Session {
  const { dialect, comparer, note, stallMs, pace } = settings
  const { source, name } = script
  const expected = createExpected(script, comparer)
  const gate = createGate(script, expected, settings, opened)
  const came: string[] = []
  const passed = createPassed(comparer)
  let state: 'playing' | 'closed' | 'failed' = 'playing'
  let sent = { messages: 0, bytes: 0 }
  /** Bytes that may not have gone out yet, and whether the carrier was asked to say when they have. */
  let ahead = { bytes: 0, asked: false }
  let wake: Instant | undefined
  /** How many messages may go out now: by hand one for each step, else as many as are due. */
  let allowed = pace.type === 'manual' ? 0 : Infinity
  /** Since when the recording has no more to say, and whether the report says so. */
  let end: { readonly since: Instant; noted: boolean } | undefined

  function done(outcome: PlayedExchange['outcome']): LiveCommand {
    const { file, number } = source
    return {
      type: 'done',
      id,
      exchange: { file, number, operation, status: 101, bytes: sent.bytes, outcome },
    }
  }

  function fail({ failure, code, reason }: Refusal): readonly LiveCommand[] {
    const greeting = sent.messages === 0 ? [greet(id, dialect)] : []
    state = 'failed'
    return [
      ...greeting,
      { type: 'fail', id, failure },
      { type: 'close', id, code, reason },
      done('abandoned'),
    ]
  }

  function play(step: ServerStep | CloseStep): readonly LiveCommand[] {
    if (step.type === 'server') {
      const bytes = script.bytes(step)
      sent = { messages: sent.messages + 1, bytes: sent.bytes + bytes.length }
      ahead = { ...ahead, bytes: ahead.bytes + bytes.length }
      passed.server(step, bytes)
      return [{ type: 'send', id, bytes, frame: step.frame }]
    }
    state = 'closed'
    const { code, reason = '' } = step.close
    const close: LiveCommand =
      code === 1006
        ? { type: 'drop', id }
        : { type: 'close', id, code: code === 1005 ? undefined : code, reason }
    return [close, done(source.exchange.end.how ?? 'complete')]
  }

  /** The recording has no more server messages: the client leaves, or the report says that it does not. */
  function atEnd(step: CloseStep | undefined, now: Instant): readonly LiveCommand[] {
    end ??= { since: now, noted: false }
    const at = end.since + stallMs
    if (end.noted || now < at) {
      wake = end.noted ? undefined : at
      return []
    }
    end.noted = true
    const rest = restOf(script, gate.cursor(), expected)
    note(
      `${name}: played to its end, and the client keeps the socket open${rest === undefined ? '' : `; ${restText(rest)}`}`,
    )
    if (step !== undefined || source.exchange.end.how !== 'client-abort') return []
    // On the recording the client vanished here. One that stays would wait for ever.
    return play({ type: 'close', number: 0, at: 0, close: { by: 'server', code: 1006 } })
  }

  function advance(now: Instant): readonly LiveCommand[] {
    const commands: LiveCommand[] = []
    wake = undefined
    while (state === 'playing' && !ahead.asked) {
      if (ahead.bytes >= AHEAD_BYTES) {
        ahead = { ...ahead, asked: true }
        commands.push({ type: 'drain', id })
        break
      }
      const step = gate.next()
      if (step === undefined || (step.type === 'close' && step.close.by === 'client')) {
        commands.push(...atEnd(step, now))
        break
      }
      const hold = gate.hold(step, now)
      if (hold.type === 'until') {
        wake = hold.at
        break
      }
      if (hold.type === 'stall') {
        const waiting = {
          number: step.number,
          label: step.type === 'server' ? step.marks.label : 'the close',
        }
        const all = [...came.slice(-REMEMBERED), ...gate.heard()]
        commands.push(...fail(stalled(script, waiting, hold.missing, all, stallMs)))
        break
      }
      if (allowed === 0) break
      allowed -= 1
      if (hold.short !== undefined) note(`${name}, message ${step.number}: sent after quiet ${hold.short}`)
      commands.push(...play(step))
      gate.pass(step, now)
    }
    return commands
  }

  function take(input: ClientInput, now: Instant): readonly LiveCommand[] {
    if (input.type === 'media') {
      gate.hear(input, now)
      passed.client(input)
      return []
    }
    const verdict = expected.accept(input, now)
    switch (verdict.type) {
      case 'expected':
        came.push(labelOf(input))
        passed.client(input)
        gate.progress(now)
        return []
      case 'late':
        note(`${name}: ${labelOf(input)} came for a call that was taken back`)
        return []
      case 'unexpected': {
        const trouble = settings.trouble()
        if (trouble !== undefined) return fail(failedMatcher(operation, trouble))
        const difference = comparer.difference(verdict.recorded?.input, input)
        const unexpected = { ...verdict, script, input, difference, before: passed.lines() }
        return fail(unexpectedInput(unexpected, dialect, settings.redact))
      }
    }
  }

  return {
    script,
    advance,
    step(now) {
      if (pace.type !== 'manual') return []
      allowed = 1
      const commands = advance(now)
      allowed = 0
      return commands
    },
    turn: () => (state === 'playing' ? gate.next()?.at : undefined) ?? Infinity,
    receive(inputs, now) {
      const commands: LiveCommand[] = []
      for (const input of inputs) {
        if (state === 'closed' && input.type !== 'media')
          note(`${name}: ${labelOf(input)} came after the close`)
        if (state !== 'playing') continue
        commands.push(...take(input, now), ...advance(now))
      }
      return commands
    },
    drained(now) {
      ahead = { bytes: 0, asked: false }
      gate.drained(now)
      return advance(now)
    },
    leave(goodbye) {
      wake = undefined
      if (state !== 'playing') return []
      state = 'closed'
      if (restOf(script, gate.cursor(), expected) !== undefined) return [done('abandoned')]
      const step = gate.next()
      const played = done(source.exchange.end.how ?? 'complete')
      if (step?.type !== 'close' || step.close.by === 'server' || sameGoodbye(toGoodbye(step), goodbye)) {
        return [played]
      }
      const failure = otherClose(name, goodbyeText(toGoodbye(step)), goodbyeText(goodbye), passed.lines())
      return [{ type: 'fail', id, failure }, played]
    },
    wakeAt: () => (state === 'playing' ? wake : undefined),
    rest: () => (state === 'failed' ? undefined : restOf(script, gate.cursor(), expected)),
  }
}
