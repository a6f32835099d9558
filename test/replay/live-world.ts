/**
 * A world in memory for Live sessions: virtual time, lines with latency, and a client app that follows cues.
 *
 * The same app talks to a scripted service, which makes a recording, and to the replay of it, with another
 * seed: other chunks, other delays, other grouping.
 */
import { live } from '../../src/dialect/live.ts'
import type { JsonObject, JsonValue } from '../../src/wire/json.ts'
import { isJsonObject } from '../../src/wire/json.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'
import { answer, sound } from './live-playbook.ts'

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Time that goes as far as something is planned. */
export interface World {
  now(): number
  after(ms: number, action: () => void): void
  /** Runs until nothing is planned, or until this moment. */
  run(until: number): void
}

export function createWorld(): World {
  const planned: { readonly at: number; readonly action: () => void }[] = []
  let now = 0
  return {
    now: () => now,
    after(ms, action) {
      const at = now + Math.max(0, ms)
      let index = planned.length
      while (index > 0 && (planned[index - 1]?.at ?? 0) > at) index -= 1
      planned.splice(index, 0, { at, action })
    },
    run(until) {
      for (let next = planned.shift(); next !== undefined && next.at <= until; next = planned.shift()) {
        now = next.at
        next.action()
      }
    },
  }
}

/** What the app does on a cue. */
export type Action =
  | { readonly type: 'send'; readonly message: JsonValue }
  | { readonly type: 'answer'; readonly ids: readonly string[] }
  | { readonly type: 'microphone'; readonly on: boolean }
  | { readonly type: 'close'; readonly code: number }
  /** Opens the app's next socket. */
  | { readonly type: 'reconnect' }

/** What the app waits for on one socket: the nth message with this in its label, or `open`, or `close`. */
export interface Cue {
  readonly sees: string
  readonly times: number
  /** How long it takes to act on it, at least and at most. */
  readonly delay: readonly [number, number]
  readonly does: Action
  /** An app that runs ahead may do it together with the cue before. */
  readonly early?: true
}

/** How one run of the app differs from another. */
export interface Schedule {
  readonly seed: number
  /** It never runs ahead, as a recording's must not: what it caused early looks like the cause of what came between. */
  readonly patient?: true
  /** Does something wrong with one discrete message. */
  readonly mutation?: { readonly index: number; readonly kind: 'drop' | 'double' | 'alter' } | undefined
}

/** A way to a service: what the app can do with it. */
export interface Service {
  open(socket: number): void
  message(socket: number, json: JsonValue): void
  close(socket: number, code: number): void
}

/** What the service makes the app see. */
export interface AppEnd {
  opened(socket: number): void
  saw(socket: number, message: JsonValue): void
  closed(socket: number): void
}

/** What each socket saw in a run, in order. */
export interface Seen {
  readonly sockets: readonly (readonly JsonValue[])[]
}

/** Runs an app against a service until nothing more happens. */
export function runApp(
  world: World,
  app: readonly (readonly Cue[])[],
  schedule: Schedule,
  connect: (end: AppEnd) => Service,
): Seen {
  const chance = createChance(schedule.seed)
  const between = (low: number, high: number): number => low + (high - low) * chance()
  const chunk = [20, 40, 100][Math.floor(chance() * 3)] ?? 20
  const latency = between(2, 60)
  const runsAhead = chance() < 0.5 && schedule.patient !== true
  const seen: JsonValue[][] = []
  const lines = new Map<string, number>()
  const listening = new Set<number>()
  const over = new Set<number>()
  let discretes = 0

  /** Carries something over a line, behind what went before it. */
  function carry(line: string, action: () => void): void {
    const at = Math.max(lines.get(line) ?? 0, world.now() + between(latency, latency * 1.5))
    lines.set(line, at)
    world.after(at - world.now(), action)
  }

  const service = connect({
    opened: socket => carry(`down ${socket}`, () => notice(socket, 'open')),
    saw(socket, message) {
      carry(`down ${socket}`, () => {
        seen[socket]?.push(message)
        notice(socket, live.readServer(encodeUtf8(live.spell('server', message))).label)
      })
    },
    closed(socket) {
      carry(`down ${socket}`, () => {
        over.add(socket)
        notice(socket, 'close')
      })
    },
  })
  const counts = new Map<Cue, number>()

  function notice(socket: number, label: string): void {
    const cues = app[socket] ?? []
    cues.forEach((cue, index) => {
      if (!label.includes(cue.sees)) return
      const count = (counts.get(cue) ?? 0) + 1
      counts.set(cue, count)
      // Who runs ahead has done an early cue with the one before it.
      if (count !== cue.times || (runsAhead && cue.early === true)) return
      world.after(between(...cue.delay), () => {
        act(socket, cue.does)
        const next = cues[index + 1]
        if (runsAhead && next?.early === true) act(socket, next.does)
      })
    })
  }

  function act(socket: number, action: Action): void {
    if (action.type === 'reconnect') return open(socket + 1)
    if (over.has(socket)) return
    switch (action.type) {
      case 'send':
        return discrete(socket, action.message)
      case 'answer':
        return grouped(action.ids).forEach(ids => discrete(socket, answer(...ids)))
      case 'microphone':
        listening.delete(socket)
        if (action.on) listen(socket)
        return
      case 'close':
        over.add(socket)
        carry(`up ${socket}`, () => service.close(socket, action.code))
        notice(socket, 'close')
    }
  }

  /** Function responses in one message, one by one, or the other way round. */
  function grouped(ids: readonly string[]): readonly (readonly string[])[] {
    const order = chance() < 0.5 ? ids : ids.toReversed()
    return chance() < 0.5 ? [order] : order.map(id => [id])
  }

  function discrete(socket: number, message: JsonValue): void {
    const { index, kind } = schedule.mutation ?? {}
    const hit = index === discretes
    discretes += 1
    const sent = hit && kind === 'alter' ? altered(message, chance() < 0.5 ? 'first' : 'last') : message
    const times = hit && kind === 'drop' ? 0 : hit && kind === 'double' ? 2 : 1
    for (let time = 0; time < times; time += 1) carry(`up ${socket}`, () => service.message(socket, sent))
  }

  function listen(socket: number): void {
    listening.add(socket)
    const piece = sound(chunk)
    const speak = () => {
      if (!listening.has(socket) || over.has(socket)) return
      carry(`up ${socket}`, () => service.message(socket, piece))
      world.after(chunk * between(0.7, 1.3), speak)
    }
    speak()
  }

  function open(socket: number): void {
    seen[socket] = []
    carry(`up ${socket}`, () => service.open(socket))
  }

  open(0)
  world.run(120_000)
  return { sockets: seen }
}

/** The message with one text in it changed, or with something more in it where it has none. */
function altered(message: JsonValue, which: 'first' | 'last'): JsonValue {
  const texts: string[] = []
  JSON.stringify(message, (_, value: JsonValue) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  const text = which === 'first' ? texts[0] : texts.at(-1)
  if (text !== undefined) return JSON.parse(JSON.stringify(message).replaceAll(`"${text}"`, `"${text}~"`))
  return isJsonObject(message) ? deepened(message) : message
}

function deepened(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      isJsonObject(value) ? deepened({ ...value, more: 1 }) : 0,
    ]),
  )
}
