/**
 * The media lane of a connection: how much the client sent since the last gate, against how much it had then.
 *
 * Only quantities count, by lane. Time spent talking is causal; when exactly each piece arrived is not.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { MediaInput } from '../dialect/live-messages.ts'

/** Amounts are fractions of a millisecond where a piece is no whole number of them. */
const EPSILON = 0.001

/** Media that a server message waits for. */
interface Shortage {
  /** When media of a lane that is short last came; undefined: it never did. */
  readonly heardAt: Instant | undefined
  /** What came of what is needed, for messages. */
  readonly text: string
}

/** What is owed and what was heard, per lane. */
export interface Meter {
  /** The recording had this much more at this point. */
  owe(input: MediaInput, at: Instant): void
  hear(input: MediaInput, now: Instant): void
  /** Undefined where nothing is short. */
  shortage(): Shortage | undefined
  /** When the last of what is owed was recorded, and when it came; undefined where nothing is owed. */
  filled(): { readonly at: Instant; readonly now: Instant } | undefined
  /** A gate has opened: count anew. What one piece had beyond it counts on, so chunking makes no difference. */
  settle(): void
  /** All that was heard, for messages. */
  heard(): readonly string[]
}

interface Lane {
  unit: string
  owed: number
  owedAt: Instant
  heard: number
  total: number
  lastPiece: number
  heardAt: Instant | undefined
  filledAt: Instant | undefined
}

/** A meter that has heard nothing. */
export function createMeter(): Meter {
  const lanes = new Map<string, Lane>()
  const isShort = (lane: Lane): boolean => lane.owed - lane.heard > EPSILON

  function laneOf({ lane: name, unit }: MediaInput): Lane {
    const lane = lanes.get(name) ?? {
      unit,
      owed: 0,
      owedAt: 0,
      heard: 0,
      total: 0,
      lastPiece: 0,
      heardAt: undefined,
      filledAt: undefined,
    }
    lanes.set(name, lane)
    return lane
  }

  return {
    owe(input, at) {
      const lane = laneOf(input)
      lane.owed += input.amount
      lane.owedAt = at
      // Run ahead: it was there before it was asked for.
      lane.filledAt = isShort(lane) ? undefined : lane.heardAt
    },
    hear(input, now) {
      const lane = laneOf(input)
      const wasShort = isShort(lane)
      lane.heard += input.amount
      lane.total += input.amount
      lane.lastPiece = input.amount
      lane.heardAt = now
      if (wasShort && !isShort(lane)) lane.filledAt = now
    },
    shortage() {
      const short = [...lanes.values()].filter(isShort)
      if (short.length === 0) return undefined
      const times = short.map(lane => lane.heardAt).filter(at => at !== undefined)
      const text = short.map(lane => `${amount(lane.heard)} of ${amount(lane.owed)} ${lane.unit}`).join(', ')
      return { heardAt: times.length === 0 ? undefined : Math.max(...times), text }
    },
    filled() {
      const owing = [...lanes.values()].filter(lane => lane.owed > 0 && lane.filledAt !== undefined)
      if (owing.length === 0) return undefined
      return {
        at: Math.max(...owing.map(lane => lane.owedAt)),
        now: Math.max(...owing.map(lane => lane.filledAt ?? 0)),
      }
    },
    settle() {
      for (const lane of lanes.values()) {
        lane.heard = Math.min(Math.max(0, lane.heard - lane.owed), lane.lastPiece)
        lane.owed = 0
        lane.filledAt = undefined
      }
    },
    heard: () =>
      [...lanes.values()].filter(lane => lane.total > 0).map(lane => `${amount(lane.total)} ${lane.unit}`),
  }
}

function amount(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
