/** Views of a run that many invariants share: what was played of the wire, what was seen, what is stored. */
import { oneAlphabet } from '../../../src/dialect/fold.ts'
import { isJsonObject, sameJson, type JsonValue } from '../../../src/wire/json.ts'
import { partsOf } from './fold.ts'
import type { WireCall, WirePart, WireText } from './wire-parts.ts'
import type { CallPart, Event, Part, ReplayFailure, ResponsePart, Run, Transcript } from './run.ts'
import type { Said } from './said.ts'
import { handleIn } from './sent.ts'
import type { WireExchange } from './wire.ts'
import { type TextKind, kindOf } from './words.ts'

/** The client libraries: they hand out what comes, and their app runs the tools and decides what is stored. */
const SDKS: ReadonlySet<string> = new Set([
  'google-genai',
  '@google/genai',
  '@google/genai/web',
  'com.google.genai:google-genai',
  'com.google.genai',
  'google-genai-java',
  'google.golang.org/genai',
])
/** What a program names beside them that is no library of its own. */
const PLATFORMS: ReadonlySet<string> = new Set(['node', 'python', 'java', 'go', 'chromium', 'browser'])

/** True for a client library on its own: it never promised to put anything together. */
export function isSdk({ runtime }: Transcript): boolean {
  return Object.keys(runtime).every(name => SDKS.has(name) || PLATFORMS.has(name.toLowerCase()))
}

/** The exchanges that were asked for, in the order in which they were, with what was sent of them. */
export function played({ wire, received, leftovers, failures }: Run): readonly WireExchange[] {
  const never = new Set(
    leftovers.flatMap(({ number, kind, message }) =>
      kind === 'never-asked' && !/was asked for/.test(message) ? [number] : [],
    ),
  )
  const order = received.flatMap(({ exchange }) => exchange ?? [])
  const place = ({ number }: WireExchange): number => {
    const at = order.indexOf(number)
    return at === -1 ? order.length + number : at
  }
  return wire
    .filter(({ number }) => !never.has(number))
    .toSorted((one, other) => place(one) - place(other))
    .map(exchange => sentOf(exchange, { leftovers, failures }))
}

/**
 * Of Live, what came before the message that a client did not wait for, or that waited for the client in vain, or
 * before the one in whose place the client sent another, which ends a replay.
 */
function sentOf(
  exchange: WireExchange,
  { leftovers, failures }: Pick<Run, 'leftovers' | 'failures'>,
): WireExchange {
  if (exchange.api !== 'live') return exchange
  const held = [
    ...failures.flatMap(failure => {
      const { waiting, message } = failure.details ?? {}
      const stop = [waiting, message].find(at => typeof at === 'number')
      return exchangeOf(failure) === exchange.number && stop !== undefined ? [stop] : []
    }),
    ...leftovers.flatMap(({ number, kind, message }) => {
      const first = /never reached: message (\d+)/.exec(message)?.[1]
      return number === exchange.number && kind === 'never-reached' && first !== undefined
        ? [Number(first)]
        : []
    }),
  ]
  const end = Math.min(...held)
  if (held.length === 0) return exchange
  return { ...exchange, said: exchange.said.filter(({ at }) => at < end), close: undefined }
}

/** The exchange in which a replay failed, where it failed in one. */
export function exchangeOf({ details }: ReplayFailure): number | undefined {
  const name = details?.['exchange']
  const number = typeof name === 'string' ? /exchange (\d+)/.exec(name)?.[1] : undefined
  return number === undefined ? undefined : Number(number)
}

/** Live: the app's connection that this is, or goes on with, from 0. */
export function conversationOf(exchange: WireExchange, exchanges: readonly WireExchange[], run: Run): number {
  const begun = exchanges
    .slice(0, exchanges.indexOf(exchange) + 1)
    .filter(({ asked }) => handleIn(asked[0]?.message['setup']) === undefined)
  return Math.min(Math.max(begun.length, 1), run.transcript.turns.length) - 1
}

/** True if the answer came to a good end: it may be taken for whole. */
export function endedWell(exchange: WireExchange): boolean {
  if (exchange.cut || saidOf([exchange], 'error').length > 0 || saidOf([exchange], 'raw').length > 0)
    return false
  if ((exchange.status ?? 200) >= 400) return false
  if (exchange.api === 'interactions') {
    const last = saidOf([exchange], 'interaction').at(-1)
    return last?.done === true && /^(?:completed|requires_action)$/.test(last.status)
  }
  if (exchange.api === 'live') return exchange.close?.by !== 'server'
  return saidOf([exchange], 'finish').some(({ reason }) => reason === 'STOP')
}

/** All sayings of one kind. */
export function saidOf<K extends Said['kind']>(
  exchanges: readonly WireExchange[],
  kind: K,
): readonly (Said & { readonly kind: K })[] {
  return exchanges.flatMap(({ said }) =>
    said.filter((saying): saying is Said & { readonly kind: K } => saying.kind === kind),
  )
}

/** The parts of the wire, in order. */
export function wireParts(exchanges: readonly WireExchange[]): readonly WirePart[] {
  return exchanges.flatMap(partsOf)
}

/** The calls of the wire, in order. */
export function wireCalls(exchanges: readonly WireExchange[]): readonly WireCall[] {
  return wireParts(exchanges).filter(part => part.kind === 'call')
}

/** The texts of the wire, in order; of one kind, or of both. */
export function wireTexts(exchanges: readonly WireExchange[], kind?: TextKind): readonly WireText[] {
  return wireParts(exchanges)
    .filter(part => part.kind === 'text')
    .filter(part => kind === undefined || kindOf(part) === kind)
}

/** Everything that the app saw, in order. */
export function seen({ transcript }: Run): readonly Event[] {
  return transcript.turns.flatMap(({ events }) => events)
}

/** What came from the model, not from the user. */
export function fromModel(events: readonly Event[]): readonly Event[] {
  return events.filter(({ author }) => author !== 'user')
}

/** What the runtime has of the model in the end: what it stored or, where it stores nothing, what it handed out whole. */
export function kept(run: Run): readonly Event[] {
  return fromModel(run.transcript.session ?? seen(run).filter(({ partial }) => !partial))
}

/** The parts of some events, in order. */
export function partsIn(events: readonly Event[]): readonly Part[] {
  return events.flatMap(({ parts }) => parts)
}

/** All text of one kind, as one. */
export function textIn(events: readonly Event[], kind: TextKind): string {
  return partsIn(events)
    .filter(part => kindOf(part) === kind)
    .map(({ text = '' }) => text)
    .join('')
}

/** The calls in some events, in order. */
export function callsIn(events: readonly Event[]): readonly CallPart[] {
  return partsIn(events).flatMap(({ functionCall }) => functionCall ?? [])
}

/** The responses in some events, in order. */
export function responsesIn(events: readonly Event[]): readonly ResponsePart[] {
  return partsIn(events).flatMap(({ functionResponse }) => functionResponse ?? [])
}

/** Every error that an app could see, as text: of turns, and of events. */
export function errorsSeen(run: Run): readonly string[] {
  const raised = run.transcript.turns.flatMap(({ error }) =>
    error === null
      ? []
      : [[error.type, error.code, error.message].filter(word => word !== undefined).join(' ')],
  )
  const marked = seen(run).flatMap(({ errorCode, errorMessage }) =>
    errorCode === undefined && errorMessage === undefined
      ? []
      : [[errorCode, errorMessage].filter(word => word !== undefined).join(' ')],
  )
  return [...raised, ...marked]
}

/** True if two values are equal as JSON; an absent object is an empty one. */
export function sameArgs(one: object | undefined, other: object | undefined): boolean {
  return sameJson(plain(one), plain(other))
}

function plain(value: object | undefined): JsonValue {
  const copy: JsonValue = JSON.parse(JSON.stringify(value ?? {}))
  return isJsonObject(copy) ? copy : {}
}

/** A signature in the one spelling in which they are compared. */
export function plainSignature(signature: string): string {
  return oneAlphabet(signature)
}
