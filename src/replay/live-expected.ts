/**
 * The two exact lanes of a recorded connection: discrete inputs in their order, function responses by call.
 *
 * The client may run ahead: what it sends is held against the next recorded input of its lane, however far
 * the service's side of the recording has come.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { DiscreteInput, ResponseInput } from '../dialect/live-messages.ts'
import type { Comparer } from './live-difference.ts'
import type { LiveScript } from './live-script.ts'
import { distance, partings } from './parting.ts'

/** A recorded input that the client must send. */
export interface Need {
  readonly input: DiscreteInput | ResponseInput
  /** The message it was recorded in, from 1. */
  readonly number: number
  readonly at: Instant
  /** When the client sent it; undefined: not yet. */
  readonly arrived: Instant | undefined
}

/** What came of an input. */
type Verdict =
  | { readonly type: 'expected' }
  /** The answer to a call that the service took back: it may come or not. */
  | { readonly type: 'late' }
  /** `recorded` is what should have come, undefined where nothing more; `elsewhere` is where it is recorded. */
  | {
      readonly type: 'unexpected'
      readonly recorded: Need | undefined
      readonly elsewhere: Need | undefined
    }

/** The exact lanes of one connection. */
export interface Expected {
  accept(input: DiscreteInput | ResponseInput, now: Instant): Verdict
  /** What the client message at this index of the script asks for. */
  at(index: number): readonly Need[]
  /** What the client has not sent, in recorded order. */
  unsent(): readonly Need[]
}

type MutableNeed = { -readonly [Key in keyof Need]: Need[Key] }

/** What most messages ask for: one list for all of them, since there are thousands. */
const NOTHING: MutableNeed[] = []

/** The lanes of a script that nothing was sent to yet. */
export function createExpected(script: LiveScript, comparer: Comparer): Expected {
  const steps: MutableNeed[][] = []
  const discretes: MutableNeed[] = []
  const responses = new Map<string, MutableNeed[]>()
  const cancelled = new Set<string>()
  let sent = 0

  /** Reads one more step; false at the end of the script. */
  function readOn(): boolean {
    const step = script.step(steps.length)
    if (step === undefined) return false
    const needs: MutableNeed[] = []
    if (step.type === 'server') step.marks.cancels.forEach(key => cancelled.add(key))
    for (const input of step.type === 'client' ? step.inputs : []) {
      if (input.type === 'media') continue
      const need = { input, number: step.number, at: step.at, arrived: undefined }
      needs.push(need)
      laneOf(input).push(need)
    }
    steps.push(needs.length === 0 ? NOTHING : needs)
    return true
  }

  function laneOf(input: DiscreteInput | ResponseInput): MutableNeed[] {
    if (input.type === 'discrete') return discretes
    const lane = responses.get(input.key) ?? []
    responses.set(input.key, lane)
    return lane
  }

  function nextOf(input: DiscreteInput | ResponseInput): MutableNeed | undefined {
    const lane = laneOf(input)
    const find = () =>
      input.type === 'discrete' ? lane[sent] : lane.find(need => need.arrived === undefined)
    let next = find()
    while (next === undefined && readOn()) next = find()
    return next
  }

  /** The answer that is due where one came to no call: the one most like it. */
  function dueFor(input: DiscreteInput | ResponseInput): MutableNeed | undefined {
    if (input.type === 'discrete' || responses.get(input.key)?.length) return undefined
    const open = [...responses.values()].flat().filter(need => need.arrived === undefined)
    const far = (need: MutableNeed): number => distance(partings(need.input.value, input.value))
    return open.toSorted((one, other) => far(one) - far(other))[0]
  }

  function accept(input: DiscreteInput | ResponseInput, now: Instant): Verdict {
    const next = nextOf(input)
    if (next !== undefined && comparer.same(next.input, input)) {
      next.arrived = now
      if (input.type === 'discrete') sent += 1
      return { type: 'expected' }
    }
    if (input.type === 'response' && next === undefined && cancelled.has(input.key)) return { type: 'late' }
    while (readOn());
    const due = next ?? dueFor(input)
    const elsewhere = laneOf(input).find(need => need !== next && comparer.same(need.input, input))
    return { type: 'unexpected', recorded: due, elsewhere }
  }

  return {
    accept,
    at(index) {
      while (steps.length <= index && readOn());
      return steps[index] ?? []
    },
    unsent() {
      while (readOn());
      return steps.flat().filter(need => need.arrived === undefined)
    },
  }
}
