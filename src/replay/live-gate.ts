/**
 * When the next server message of a connection may go out: what it waits for, and since when.
 *
 * It walks the recording from one server message to the next and gathers what the client had sent in between:
 * exact inputs hold what comes later, media holds only what media causes.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { MediaInput } from '../dialect/live-messages.ts'
import type { Pace } from './http.ts'
import type { Expected, Need } from './live-expected.ts'
import { createMeter } from './live-meter.ts'
import type { CloseStep, LiveScript, ServerStep } from './live-script.ts'
import { pacedGap } from './pace.ts'

/** How patient a replay is, and how fast. */
export interface GateSettings {
  readonly pace: Pace
  readonly mediaQuietMs: number
  readonly stallMs: number
}

/** What is to be done about the next server message. `short` is what it goes out without, for messages. */
type Hold =
  | { readonly type: 'go'; readonly short: string | undefined }
  | { readonly type: 'until'; readonly at: Instant }
  | { readonly type: 'stall'; readonly missing: readonly Need[] }

/** The server's side of one connection. */
export interface Gate {
  /** The next thing that the service did; undefined where the recording has no more of it. */
  next(): ServerStep | CloseStep | undefined
  /** Where `next` stands in the script. */
  cursor(): number
  hold(step: ServerStep | CloseStep, now: Instant): Hold
  /** The message went out. */
  pass(step: ServerStep | CloseStep, now: Instant): void
  /** What was passed has gone out only now: quiet begins here. */
  drained(now: Instant): void
  hear(input: MediaInput, now: Instant): void
  /** An exact input came. */
  progress(now: Instant): void
  /** Media that came so far, for messages. */
  heard(): readonly string[]
}

/** The gate of a connection that was opened now. */
export function createGate(
  script: LiveScript,
  expected: Expected,
  settings: GateSettings,
  opened: Instant,
): Gate {
  const meter = createMeter()
  let cursor = 0
  let inTurn = false
  /** The service's last message: when it went out, and when it was recorded. */
  let last = { now: opened, at: 0 }
  let progressed = opened
  /** What the client had sent on the recording since then. */
  let causes: readonly Need[] = []
  let missing: readonly Need[] = []
  /** Since when media alone holds the next message. */
  let shortSince: Instant | undefined
  /** The client was quiet, and still is: what else belongs to this turn need not wait for it again. */
  const excused = { media: false, messages: false }

  function gathers(index: number): void {
    const step = script.step(index)
    if (step?.type !== 'client') return
    for (const input of step.inputs) if (input.type === 'media') meter.owe(input, step.at)
    const needs = expected.at(index)
    if (needs.length === 0) return
    causes = [...causes, ...needs]
    missing = [...missing, ...needs]
  }

  function waitsForMedia(step: ServerStep | CloseStep): boolean {
    return step.type === 'server' && (step.marks.reacts || (step.marks.speaks && !inTurn))
  }

  /**
   * Exact inputs are missing. What they may have caused waits until it stalls. What merely goes on was on its
   * way when they were recorded, and a client may be waiting for it: it waits for as long as media would. After
   * a function response nothing merely goes on: the service had been waiting for it.
   */
  function waits(step: ServerStep | CloseStep, now: Instant): Hold {
    const since = Math.max(last.now, progressed)
    if (!goesOn(step) || missing.some(need => need.input.type === 'response')) {
      const at = since + settings.stallMs
      return now < at ? { type: 'until', at } : { type: 'stall', missing }
    }
    const at = since + settings.mediaQuietMs
    if (now < at && !excused.messages) return { type: 'until', at }
    const [first] = missing
    return { type: 'go', short: `without message ${first?.number}, ${first?.input.label}` }
  }

  function goesOn(step: ServerStep | CloseStep): boolean {
    return step.type === 'server' && step.marks.goesOn && (inTurn || !step.marks.speaks)
  }

  /** When it is due at the set pace: after what caused it, or after the message before where nothing did. */
  function dueAt(step: ServerStep | CloseStep): Instant {
    const { pace } = settings
    if (pace.type !== 'factor') return last.now
    const filled = waitsForMedia(step) ? meter.filled() : undefined
    const caused = [
      ...causes.map(need => ({ at: need.at, now: need.arrived ?? last.now })),
      ...(filled === undefined ? [] : [filled]),
    ]
    if (caused.length === 0) return last.now + pacedGap(pace, step.at - last.at)
    return Math.max(last.now, ...caused.map(cause => cause.now + pacedGap(pace, step.at - cause.at)))
  }

  return {
    next() {
      for (;;) {
        const step = script.step(cursor)
        if (step?.type !== 'client') return step
        gathers(cursor)
        cursor += 1
      }
    },
    cursor: () => cursor,
    hold(step, now) {
      missing = missing.filter(need => need.arrived === undefined)
      if (missing.length > 0 && !greets(step)) return waits(step, now)
      const shortage = waitsForMedia(step) ? meter.shortage() : undefined
      if (shortage === undefined) {
        shortSince = undefined
        const at = dueAt(step)
        return at > now ? { type: 'until', at } : { type: 'go', short: undefined }
      }
      shortSince ??= now
      const at = Math.max(shortSince, shortage.heardAt ?? shortSince) + settings.mediaQuietMs
      if (now < at && (!excused.media || endsTurn(step))) return { type: 'until', at }
      return { type: 'go', short: `with ${shortage.text}` }
    },
    pass(step, now) {
      if (waitsForMedia(step)) {
        excused.media ||= meter.shortage() !== undefined
        meter.settle()
      }
      excused.messages ||= missing.length > 0 && !greets(step)
      if (endsTurn(step)) {
        inTurn = false
        excused.media = false
        excused.messages = false
      } else if (step.type === 'server' && step.marks.speaks) {
        inTurn = true
      }
      last = { now, at: step.at }
      causes = []
      shortSince = undefined
      cursor += 1
    },
    drained(now) {
      last = { ...last, now }
    },
    hear(input, now) {
      excused.media = false
      meter.hear(input, now)
    },
    progress(now) {
      excused.messages = false
      progressed = now
    },
    heard: () => meter.heard(),
  }
}

function endsTurn(step: ServerStep | CloseStep): boolean {
  return step.type === 'server' && step.marks.endsTurn
}

function greets(step: ServerStep | CloseStep): boolean {
  return step.type === 'server' && step.marks.greets
}
