/**
 * When the next server message of a connection may go out: what it waits for, and since when.
 *
 * It walks the recording from one server message to the next and gathers what the client had sent in between:
 * exact inputs hold every later message, media holds only what media causes.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { MediaInput } from '../dialect/live-messages.ts'
import type { Expected, Need } from './live-expected.ts'
import { createMeter } from './live-meter.ts'
import type { CloseStep, LiveScript, ServerStep } from './live-script.ts'

/** How patient a replay is, and how fast. */
export interface GateSettings {
  /** Recorded gaps are divided by it; undefined: no gaps. */
  readonly factor: number | undefined
  readonly mediaQuietMs: number
  readonly stallMs: number
}

/** What is to be done about the next server message. */
export type Hold =
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
  let excused = false

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

  /** When it is due at the set pace: after what caused it, or after the message before where nothing did. */
  function dueAt(step: ServerStep | CloseStep): Instant {
    const { factor } = settings
    if (factor === undefined) return last.now
    const filled = waitsForMedia(step) ? meter.filled() : undefined
    const caused = [
      ...causes.map(need => ({ at: need.at, now: need.arrived ?? last.now })),
      ...(filled === undefined ? [] : [filled]),
    ]
    if (caused.length === 0) return last.now + (step.at - last.at) / factor
    return Math.max(last.now, ...caused.map(cause => cause.now + (step.at - cause.at) / factor))
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
      if (missing.length > 0) {
        const at = Math.max(last.now, progressed) + settings.stallMs
        return now < at ? { type: 'until', at } : { type: 'stall', missing }
      }
      const shortage = waitsForMedia(step) ? meter.shortage() : undefined
      if (shortage !== undefined) {
        shortSince ??= now
        const quietAt = Math.max(shortSince, shortage.heardAt ?? shortSince) + settings.mediaQuietMs
        if (now < quietAt && (!excused || endsTurn(step))) return { type: 'until', at: quietAt }
        return { type: 'go', short: shortage.text }
      }
      shortSince = undefined
      const at = dueAt(step)
      return at > now ? { type: 'until', at } : { type: 'go', short: undefined }
    },
    pass(step, now) {
      if (waitsForMedia(step)) {
        excused ||= meter.shortage() !== undefined
        meter.settle()
      }
      if (endsTurn(step)) {
        inTurn = false
        excused = false
      } else if (step.type === 'server' && step.marks.speaks) {
        inTurn = true
      }
      last = { now, at: step.at }
      causes = []
      shortSince = undefined
      cursor += 1
    },
    hear(input, now) {
      excused = false
      meter.hear(input, now)
    },
    progress(now) {
      progressed = now
    },
    heard: () => meter.heard(),
  }
}

function endsTurn(step: ServerStep | CloseStep): boolean {
  return step.type === 'server' && step.marks.endsTurn
}
