/** Interactions: steps, the chain of ids, and how an interaction ends (I36 to I40). */
import { isJsonObject } from '../../../src/wire/json.ts'
import type { WirePart } from './wire-parts.ts'
import type { Finding, Invariant, Part } from './run.ts'
import { textOf } from '../json.ts'
import { modelRequests, sentParts, sentSignatureAlone } from './sent.ts'
import {
  callsIn,
  endedWell,
  errorsSeen,
  fromModel,
  isSdk,
  kept,
  partsIn,
  played,
  saidOf,
  sameArgs,
  seen,
  textIn,
  wireParts,
  wireTexts,
} from './view.ts'
import type { WireExchange } from './wire.ts'
import { callLabel, kindOf, listed, shown } from './words.ts'

/** It applies where the pieces of two steps come in turns. */
const routedByIndex: Invariant = {
  number: 'I36',
  says: 'The pieces of a step are put together by its index: it does not matter whether those of another come between.',
  judge(run) {
    const mixed = played(run).filter(exchange => exchange.api === 'interactions' && isInterleaved(exchange))
    if (mixed.length === 0 || isSdk(run.transcript)) return undefined
    const events = kept(run)
    const calls = [...callsIn(events), ...run.transcript.toolRuns]
    return wireParts(mixed).flatMap((part): readonly Finding[] => {
      if (part.kind === 'text') {
        return textIn(events, kindOf(part)).includes(part.text)
          ? []
          : [`the step ${stepLabel(part)} is not among what came whole`]
      }
      if (part.kind !== 'call') return []
      const own = calls.filter(({ name, id }) => name === part.name && (id === undefined || id === part.id))
      if (own.some(({ args }) => sameArgs(args, part.args))) return []
      return [
        `the pieces of ${callLabel(part)} come to ${shown(part.args)}; it was called with ${listed(own.map(({ args }) => shown(args ?? {})))}`,
      ]
    })
  },
}

function isInterleaved({ said }: WireExchange): boolean {
  const steps = said.flatMap(({ kind, step }) =>
    step === undefined || kind === 'step' || kind === 'call' ? [] : [step],
  )
  const runs = steps.filter((step, index) => step !== steps[index - 1])
  return runs.length > new Set(runs).size
}

/** Steps that the service runs itself do not count: runtimes spell them in their own ways. */
const partPerStep: Invariant = {
  number: 'I37',
  says: 'Each step of an interaction is one part of the session: a thought with its signature, an answer, a call.',
  judge(run) {
    const { session } = run.transcript
    const exchanges = played(run)
    if (run.scenario.api !== 'interactions' || session === null || isSdk(run.transcript)) return undefined
    if (exchanges.length === 0 || !exchanges.every(endedWell)) return undefined
    const wire = wireParts(exchanges).flatMap(part =>
      part.kind === 'text' || part.kind === 'call' ? [stepLabel(part)] : [],
    )
    const alone = sentSignatureAlone(run)
    const stored = partsIn(fromModel(session)).flatMap(part => heldLabel(part, alone) ?? [])
    if (wire.join('\n') === stored.join('\n')) return []
    return [`the steps on the wire: ${listed(wire)}; the parts in the session: ${listed(stored)}`]
  },
}

function stepLabel(part: WirePart): string {
  if (part.kind === 'call') return `call ${callLabel(part)}`
  if (part.kind !== 'text') return part.kind
  return part.text === '' ? 'a signature alone' : `${kindOf(part)} ${shown(part.text)}`
}

function heldLabel(part: Part, alone: boolean): string | undefined {
  const { text = '', thought = false, functionCall, thoughtSignature } = part
  if (functionCall !== undefined) return `call ${callLabel(functionCall)}`
  if (text !== '') return `${kindOf(part)} ${shown(text)}`
  return thoughtSignature !== undefined || (thought && alone) ? 'a signature alone' : undefined
}

/** A request that tells the whole history needs no id. A client library leaves it to the app. */
const chainKept: Invariant = {
  number: 'I38',
  says: 'A request goes on from the last interaction that was completed, and from none that failed.',
  judge(run) {
    const requests = modelRequests(run)
    const exchanges = played(run)
    if (run.scenario.api !== 'interactions' || isSdk(run.transcript) || requests.length < 2) return undefined
    return requests.slice(1).flatMap((request, index): readonly Finding[] => {
      const before = requests.slice(0, index + 1).flatMap(({ exchange }) => exchange ?? [])
      const last = exchanges
        .filter(exchange => before.includes(exchange.number) && endedWell(exchange))
        .at(-1)
      const id =
        last === undefined ? undefined : saidOf([last], 'interaction').findLast(saying => saying.id)?.id
      const previous = isJsonObject(request.body)
        ? textOf(request.body['previous_interaction_id'])
        : undefined
      if (previous === id || (last !== undefined && id === undefined)) return []
      if (previous === undefined && sentParts(request).some(({ role }) => role === 'model')) return []
      return [
        `request ${index + 2} goes on from ${previous ?? 'none'}; the last interaction that was completed is ${id ?? 'none'}`,
      ]
    })
  },
}

const FAILED = /^(?:failed|cancelled|incomplete)$/

/** A client library shows the status as it is. */
const failureIsTold: Invariant = {
  number: 'I39',
  says: 'An interaction that failed, was cancelled or is incomplete is told as such, not as an answer.',
  judge(run) {
    const statuses = played(run).flatMap(exchange =>
      saidOf([exchange], 'interaction')
        .slice(-1)
        .map(({ status }) => status),
    )
    const failed = statuses.filter(status => FAILED.test(status))
    if (failed.length === 0 || isSdk(run.transcript)) return undefined
    const marked = seen(run).some(
      ({ finishReason }) => finishReason !== undefined && finishReason.toUpperCase() !== 'STOP',
    )
    if (errorsSeen(run).length > 0 || marked) return []
    return failed.map(status => `the interaction is ${status}; the app got neither an error nor a mark`)
  },
}

/** A client library hands out what came, and stores nothing. */
const endNotNeeded: Invariant = {
  number: 'I40',
  says: 'If an interaction never says that it is completed, the app gets an error, or its content is stored all the same.',
  judge(run) {
    const open = played(run).filter(
      exchange =>
        exchange.api === 'interactions' &&
        exchange.answer === 'stream' &&
        !saidOf([exchange], 'interaction').some(({ done }) => done) &&
        saidOf([exchange], 'error').length === 0,
    )
    if (open.length === 0 || isSdk(run.transcript)) return undefined
    if (errorsSeen(run).length > 0) return []
    return wireTexts(open)
      .filter(part => !textIn(kept(run), kindOf(part)).includes(part.text))
      .map(
        ({ text }) =>
          `the stream ended without interaction.completed; ${shown(text)} is lost, and the app got no error`,
      )
  },
}

/** All of them. */
export const INTERACTIONS: readonly Invariant[] = [
  routedByIndex,
  partPerStep,
  chainKept,
  failureIsTold,
  endNotNeeded,
]
