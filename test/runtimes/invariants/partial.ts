/** Partial events: what must not come of them, and what must come after them (I6 to I9). */
import type { CallPart, Event, Finding, Invariant, Part, ResponsePart, Run } from './run.ts'
import {
  callsIn,
  conversationOf,
  exchangeOf,
  fromModel,
  isSdk,
  partsIn,
  played,
  responsesIn,
  saidOf,
  seen,
  wireTexts,
} from './view.ts'
import type { WireText } from './wire-parts.ts'
import type { WireExchange } from './wire.ts'
import { type TextKind, kindOf, shown } from './words.ts'

/** Where nothing partial was handed out, nothing partial can be stored. */
const nothingPartialStored: Invariant = {
  number: 'I6',
  says: 'No partial event is in the session.',
  judge(run) {
    const { session } = run.transcript
    if (session === null || ![...seen(run), ...session].some(({ partial }) => partial)) return undefined
    return session
      .filter(({ partial }) => partial)
      .map(({ author, parts }) => `a partial event of ${author} is in the session: ${shown(parts)}`)
  },
}

/** It applies where calls are handed out in partial events. */
const nothingRunOnPartial: Invariant = {
  number: 'I7',
  says: 'No tool is run, and nothing is delegated, before the call has been handed out whole.',
  judge(run) {
    const { transcript, scenario } = run
    const events = fromModel(seen(run))
    const partial = callsIn(events.filter(event => event.partial))
    if (partial.length === 0) return undefined
    const early = [
      ...responsesBeforeCalls(seen(run), partial),
      ...responsesBeforeCalls(transcript.session ?? [], partial),
    ]
    const whole = callsIn(events.filter(event => !event.partial))
    const runs = scenario.tools.flatMap(({ name }): readonly Finding[] => {
      const times = transcript.toolRuns.filter(other => other.name === name).length
      const calls = whole.filter(call => call.name === name).length
      if (times <= calls || !partial.some(call => call.name === name)) return []
      return [
        `${name} ran ${times} times, and was called ${calls} times in whole events: partial ones have run it`,
      ]
    })
    return [...new Set([...early, ...runs])]
  },
}

/** Responses to calls that no event before them has whole, though a partial one has. */
function responsesBeforeCalls(events: readonly Event[], partial: readonly CallPart[]): readonly Finding[] {
  return events.flatMap((event, index) =>
    responsesIn([event]).flatMap(response => {
      const before = callsIn(events.slice(0, index).filter(other => !other.partial))
      if (before.some(call => isOf(call, response)) || !partial.some(call => isOf(call, response))) return []
      const id = response.id === undefined ? '' : ` (${response.id})`
      return [
        `${response.name}${id} was called in a partial event, and answered before any whole event called it`,
      ]
    }),
  )
}

function isOf(call: CallPart, response: ResponsePart): boolean {
  if (call.id !== undefined && response.id !== undefined) return call.id === response.id
  return call.name === response.name
}

/**
 * The same answer in one piece is stored in one piece, so the streamed one is too. A client library is not
 * judged: what it stores, it stores as it came.
 */
const storedInOnePiece: Invariant = {
  number: 'I8',
  says: 'Text that came in pieces is stored in one piece, as it would be had it come at once.',
  judge(run) {
    const { session } = run.transcript
    const texts = played(run).flatMap(exchange =>
      wireTexts([exchange])
        .filter(({ chunks }) => chunks.length > 1)
        .map(text => ({ ...text, answered: answeredIn(text, exchange) })),
    )
    if (session === null || isSdk(run.transcript) || texts.length === 0) return undefined
    const parts = partsIn(session)
    return texts.flatMap(said => {
      const { text, chunks, answered } = said
      // What stands side by side: a response between two pieces parts them in the session for good.
      const torn = parts.flatMap((part, index) => {
        const next = parts[index + 1]
        if (next === undefined || !isText(part, kindOf(said)) || !isText(next, kindOf(said))) return []
        const at = text.indexOf(`${part.text}${next.text}`)
        return at === -1 || answered.has(at + (part.text ?? '').length) ? [] : [[part.text, next.text]]
      })
      const [pair] = torn
      return pair === undefined
        ? []
        : [`${shown(text)} came in ${chunks.length} pieces, and is in pieces in the session: ${shown(pair)}`]
    })
  },
}

/** Live: the places in a text between whose pieces the client said something, as a response: two texts are right too. */
function answeredIn({ chunks }: WireText, { asked }: WireExchange): ReadonlySet<number> {
  let length = 0
  return new Set(
    chunks.flatMap(({ text, at }, index) => {
      length += text.length
      const next = chunks[index + 1]?.at ?? at
      return asked.some(message => message.at > at && message.at < next) ? [length] : []
    }),
  )
}

function isText(part: Part, kind: TextKind): boolean {
  return (part.text ?? '') !== '' && kindOf(part) === kind
}

/**
 * It applies to every run that got something. Not to a turn in which the service only hung up with 1000, which is an
 * end and no answer (I26), nor to one that the replay has ended.
 */
const nothingSilent: Invariant = {
  number: 'I9',
  says: 'Every turn ends in an event that is not partial, or in an error; an empty answer is no silence.',
  judge(run) {
    const exchanges = played(run)
    if (exchanges.length === 0) return undefined
    return run.transcript.turns.flatMap(({ events, error }, index) => {
      if (error !== null || fromModel(events).some(({ partial }) => !partial)) return []
      if (events.length === 0 && isNoAnswer(exchanges, index, run)) return []
      const what = events.some(({ partial }) => partial) ? 'partial events alone' : 'no event'
      return [`turn ${index + 1} gave ${what}, and no error`]
    })
  },
}

/** True if nothing was said in an app's connection to Live. */
function isNoAnswer(exchanges: readonly WireExchange[], turn: number, run: Run): boolean {
  const own = exchanges.filter(
    exchange => exchange.api === 'live' && conversationOf(exchange, exchanges, run) === turn,
  )
  const isEnded = own.some(
    ({ number, close }) =>
      close?.code === 1000 || run.failures.some(failure => exchangeOf(failure) === number),
  )
  return (
    isEnded &&
    saidOf(own, 'text').length + saidOf(own, 'call').length + saidOf(own, 'turn-complete').length === 0
  )
}

/** All of them. */
export const PARTIAL: readonly Invariant[] = [
  nothingPartialStored,
  nothingRunOnPartial,
  storedInOnePiece,
  nothingSilent,
]
