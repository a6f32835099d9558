/** Function calls: each is stored once, run once, with its own arguments and id, and answered once (I10 to I15). */
import {
  endedWell,
  callsIn,
  fromModel,
  isSdk,
  kept,
  partsIn,
  played,
  responsesIn,
  saidOf,
  sameArgs,
  wireCalls,
} from './view.ts'
import type { WireCall } from './wire-parts.ts'
import type { CallPart, Finding, Invariant, Part, ResponsePart, Run } from './run.ts'
import { callLabel, listed, shown, times } from './words.ts'

/** A runtime that stores no response has none without a call. */
const responseHasCall: Invariant = {
  number: 'I10',
  says: 'Every function response in the session has an earlier call with the same id and name.',
  judge({ transcript: { session } }) {
    if (session === null || responsesIn(session).length === 0) return undefined
    const parts = partsIn(session)
    return parts.flatMap(({ functionResponse }, index): readonly Finding[] => {
      if (functionResponse === undefined) return []
      const before = parts.slice(0, index).flatMap(({ functionCall }) => functionCall ?? [])
      if (before.some(call => answers(functionResponse, call))) return []
      const calls = listed(before.map(callLabel))
      return [`the session has a response to ${callLabel(functionResponse)}; the calls before it: ${calls}`]
    })
  },
}

/** A call of which nothing comes any more (the last of a session, one that was cancelled) may be without. */
const callHasResponse: Invariant = {
  number: 'I11',
  says: 'Every function call in the session has exactly one response before the next request.',
  judge(run) {
    const { session } = run.transcript
    if (session === null || callsIn(session).length === 0) return undefined
    const cancelled = new Set(saidOf(played(run), 'cancelled').flatMap(({ ids }) => ids))
    const parts = partsIn(session)
    const taken = new Set<number>()
    return parts.flatMap(({ functionCall: call }, index): readonly Finding[] => {
      if (call === undefined || (call.id !== undefined && cancelled.has(call.id))) return []
      const found = answersTo(call, parts, index, taken)
      if (found.length === 1) return []
      if (found.length > 1) return [`${callLabel(call)} has ${found.length} responses in the session`]
      return goesOn(session, call)
        ? [`${callLabel(call)} has no response in the session, which goes on after it`]
        : []
    })
  },
}

/** The places of its responses. Where call or response has no id, the first that no call before has taken. */
function answersTo(
  call: CallPart,
  parts: readonly Part[],
  index: number,
  taken: Set<number>,
): readonly number[] {
  const found = parts.flatMap(({ functionResponse }, at) =>
    at > index && functionResponse !== undefined && answers(functionResponse, call) && !taken.has(at)
      ? [at]
      : [],
  )
  const named = call.id === undefined ? [] : found.filter(at => parts[at]?.functionResponse?.id !== undefined)
  const own = named.length > 0 ? named : found.slice(0, 1)
  own.forEach(at => taken.add(at))
  return own
}

/** True if the user spoke, or something was answered, after the event of this call. */
function goesOn(session: NonNullable<Run['transcript']['session']>, call: CallPart): boolean {
  const at = session.findIndex(({ parts }) => parts.some(({ functionCall }) => functionCall === call))
  return session.slice(at + 1).some(event => event.author === 'user' || responsesIn([event]).length > 0)
}

function answers(response: ResponsePart, call: CallPart): boolean {
  if (response.id !== undefined && call.id !== undefined && response.id !== call.id) return false
  return response.name === undefined || call.name === undefined || response.name === call.name
}

/** How often calls of a name may be there, and how often they must. */
interface Expected {
  readonly name: string
  readonly least: number
  readonly most: number
  /** How often its tool must run. */
  readonly runs: number
}

/** Calls in pieces count for an agent alone: a client library hands the pieces out, and runs nothing. */
const oncePerCall: Invariant = {
  number: 'I12',
  says: 'Every function call on the wire is in the session once, and its tool runs once.',
  judge(run) {
    const { session, toolRuns } = run.transcript
    const expected = expectedCalls(run)
    if (expected.length === 0) return undefined
    const stored = session === null ? undefined : callsIn(session)
    const tools = new Set(run.scenario.tools.map(({ name }) => name))
    return expected.flatMap(({ name, least, most, runs: must }): readonly Finding[] => {
      const findings: Finding[] = []
      const wire = `${name} is called ${times(most)} on the wire`
      const inSession = stored?.filter(call => call.name === name).length
      if (inSession !== undefined && (inSession < least || inSession > most))
        findings.push(`${wire}, and is in the session ${times(inSession)}`)
      const runs = toolRuns.filter(other => other.name === name).length
      if (tools.has(name) && (runs < must || runs > most)) findings.push(`${wire}, and ran ${times(runs)}`)
      return findings
    })
  },
}

function expectedCalls(run: Run): readonly Expected[] {
  const exchanges = played(run)
  const cancelled = new Set(saidOf(exchanges, 'cancelled').flatMap(({ ids }) => ids))
  const calls = exchanges.flatMap(exchange => {
    const well = endedWell(exchange) || exchange.api === 'live'
    return wireCalls([exchange]).map(call => ({
      call,
      must: well && !(call.id !== undefined && cancelled.has(call.id)),
    }))
  })
  const names = new Set(calls.map(({ call }) => call.name))
  return [...names].flatMap(name => {
    const own = calls.filter(({ call }) => call.name === name)
    if (isSdk(run.transcript) && own.some(({ call }) => call.streamed)) return []
    const due = own.filter(({ must }) => must).map(({ call }) => call)
    // Whether a null fits what a tool declares, each runtime's own kind of schema says.
    const runs = due.filter(({ args }) => !Object.values(args).includes(null)).length
    return [{ name, least: due.length, most: own.length, runs }]
  })
}

/** It applies where one answer has two calls, or one that is followed by a bare end. */
const parallelCalls: Invariant = {
  number: 'I13',
  says: 'Parallel function calls stay as many as they are on the wire, in its order: none is merged, none dropped.',
  judge(run) {
    const exchanges = played(run).filter(exchange => endedWell(exchange) || exchange.api === 'live')
    const together = exchanges.filter(exchange => wireCalls([exchange]).length > 1)
    const wire = wireCalls(exchanges)
    if (together.length === 0) return undefined
    if (isSdk(run.transcript) && wire.some(({ streamed }) => streamed)) return undefined
    const { session } = run.transcript
    const names = new Set(wire.map(({ name }) => name))
    const held = callsIn(kept(run)).filter(({ name = '' }) => names.has(name) || name === '')
    // Whether ids and arguments are right is I14 and I15, unless the order can be told by them alone.
    const label = orderLabel(wire, held)
    const [said, stored] = [wire.map(label), held.map(label)]
    if (said.join('\n') === stored.join('\n')) return []
    return [
      `the calls on the wire: ${listed(said)}; ${session === null ? 'handed out' : 'in the session'}: ${listed(stored)}`,
    ]
  },
}

function orderLabel(
  wire: readonly WireCall[],
  held: readonly CallPart[],
): (call: CallPart | WireCall) => string {
  const ids = new Set(wire.map(({ id }) => id))
  if (!ids.has(undefined) && held.every(({ id }) => ids.has(id))) return callLabel
  const sorted = (calls: readonly { readonly args?: object }[]): string =>
    calls
      .map(({ args }) => JSON.stringify(args ?? {}))
      .toSorted()
      .join('\n')
  if (sorted(wire) === sorted(held)) return ({ name, args }) => `${name}(${shown(args ?? {})})`
  return ({ name }) => String(name)
}

/** Calls that were broken off are not to be run at all. */
const argumentsWhole: Invariant = {
  number: 'I14',
  says: 'A tool runs with the arguments that the pieces on the wire come to, and never with a part of them.',
  judge(run) {
    const { session, toolRuns } = run.transcript
    const wire = played(run).flatMap(exchange =>
      wireCalls([exchange]).filter(({ closed }) => closed || endedWell(exchange)),
    )
    if (wireCalls(played(run)).length === 0) return undefined
    const inPieces = new Set(wire.flatMap(({ streamed, name }) => (streamed ? [name] : [])))
    const stored = callsIn(fromModel(session ?? [])).filter(
      ({ name = '', id }) =>
        wire.some(call => call.name === name || (id !== undefined && call.id === id)) &&
        !(isSdk(run.transcript) && inPieces.has(name)),
    )
    if (toolRuns.length === 0 && stored.length === 0) return undefined
    const wrong = (name: string, args: object | undefined, what: string): readonly Finding[] => {
      const own = wire.filter(call => call.name === name)
      if (own.some(call => sameArgs(call.args, args))) return []
      return [`${what} ${shown(args ?? {})}; on the wire: ${listed(own.map(call => shown(call.args)))}`]
    }
    return [
      ...toolRuns.flatMap(({ name, args }) => wrong(name, args, `${name} ran with`)),
      ...stored.flatMap(({ name = '', args }) =>
        // A transcript has no nulls.
        wire.some(call => call.name === name && sameArgs(withoutNulls(call.args), args))
          ? []
          : wrong(name, args, `the session calls ${name} with`),
      ),
    ]
  },
}

function withoutNulls(args: object): object {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
}

/** All of them but I15. */
export const CALLS: readonly Invariant[] = [
  responseHasCall,
  callHasResponse,
  oncePerCall,
  parallelCalls,
  argumentsWhole,
]
