/** Live connections: how they end, and how they are taken up again (I26 to I29). */
import { shallow } from '../../../src/dialect/live-fold.ts'
import { sameJson, type JsonObject } from '../../../src/wire/json.ts'
import type { Finding, Invariant, Run, TurnError } from './run.ts'
import { handleIn, sentParts } from './sent.ts'
import {
  conversationOf,
  endedWell,
  errorsSeen,
  isSdk,
  played,
  saidOf,
  seen,
  textIn,
  wireTexts,
} from './view.ts'
import type { WireExchange } from './wire.ts'
import { kindOf, listed, shown } from './words.ts'

/** A setup that was sent, and where in what was sent. */
interface Setup {
  readonly index: number
  readonly setup: JsonObject
  /** Undefined: it begins a session. */
  readonly handle: string | undefined
}

function setups({ received }: Run): readonly Setup[] {
  return received.flatMap(({ message }, index) => {
    const { setup } = shallow(message)
    if (setup === undefined) return []
    return [{ index, setup: shallow(setup), handle: handleIn(setup) }]
  })
}

/** What a replay says when it hangs up. */
const OF_THE_REPLAY = /WIRETAPE_|\b44\d\d\b/

/** How many connections a runtime may open more than the recording has, before it is called a loop. */
const SPARE = 3

/** What is 1000 ends the connection and is no error; everything else is one, or is mended by a new connection. */
const closeIsTold: Invariant = {
  number: 'I26',
  says: 'When the service hangs up, the app gets an error with the code or the reason, or the runtime goes on with the newest handle; after 1000 it just ends. Nothing hangs.',
  judge(run) {
    const exchanges = played(run)
    const closed = exchanges.filter(
      ({ api, close, cut }) => api === 'live' && (close?.by === 'server' || cut),
    )
    const loop = tooOften(run)
    if (closed.length === 0 && loop.length === 0) return undefined
    return [...loop, ...closed.flatMap(exchange => closeBut(exchange, run, exchanges))]
  },
}

function tooOften(run: Run): readonly Finding[] {
  const opened = setups(run).length
  const most = run.wire.filter(({ api }) => api === 'live').length + SPARE
  // How many exactly is chance.
  return opened > most
    ? [`${most - SPARE} connections are recorded, and the runtime opened more than ${most}`]
    : []
}

function closeBut(exchange: WireExchange, run: Run, exchanges: readonly WireExchange[]): readonly Finding[] {
  const code = exchange.cut ? 1006 : exchange.close?.code
  const what = `the service hung up with ${code ?? 'no code'}`
  if (isTakenUp(exchange, run, exchanges)) return []
  const error = run.transcript.turns[conversationOf(exchange, exchanges, run)]?.error ?? null
  if (error?.type === 'Silence') return [`${what}, and the runtime waited on`]
  if (code === 1000 || code === undefined) return []
  if (error === null)
    return errorsSeen(run).some(text => text.includes(String(code)))
      ? []
      : [`${what}, and the turn ended without an error`]
  if (code === 1006 || mentions(error, code, exchange.close?.reason ?? '')) return []
  if (!OF_THE_REPLAY.test(error.message))
    return [`${what}; the error does not say so: ${error.type}: ${error.message}`]
  // The error is of a connection too many, and not what the app would have got.
  return isBegunAnew(exchange, run)
    ? [`${what}, and the runtime opened another connection, without a handle`]
    : []
}

/** True if the runtime then opened a connection that takes up nothing. */
function isBegunAnew({ number }: WireExchange, run: Run): boolean {
  const last = run.received.findLastIndex(({ exchange }) => exchange === number)
  return setups(run).some(({ index, handle }) => index > last && handle === undefined)
}

/** The reason will do: it is what the service has to say. */
function mentions({ code, message, type }: TurnError, wanted: number, reason: string): boolean {
  if (reason !== '' && message.includes(reason)) return true
  return [code, message, type].some(text => String(text).includes(String(wanted)))
}

/** True if the runtime then opened another connection with the newest handle that the service had given. */
function isTakenUp(exchange: WireExchange, run: Run, exchanges: readonly WireExchange[]): boolean {
  const before = exchanges.slice(0, exchanges.indexOf(exchange) + 1)
  const handle = saidOf(before, 'handle').findLast(saying => saying.handle !== undefined)?.handle
  const last = run.received.findLastIndex(({ exchange: number }) => number === exchange.number)
  return handle !== undefined && setups(run).some(setup => setup.index > last && setup.handle === handle)
}

/** A client library leaves it to the app. It applies where the service gave a handle before. */
const goneOnAfterGoAway: Invariant = {
  number: 'I27',
  says: 'After goAway the session goes on with the newest handle: nothing is lost, nothing is sent again.',
  judge(run) {
    if (isSdk(run.transcript) || !run.scenario.resumption) return undefined
    const left = played(run).filter(
      exchange =>
        saidOf([exchange], 'go-away').length > 0 &&
        saidOf([exchange], 'handle').some(({ handle }) => handle !== undefined),
    )
    if (left.length === 0) return undefined
    return left.flatMap(exchange => {
      const lost = wireTexts([exchange])
        .filter(part => !textIn(run.transcript.session ?? seen(run), kindOf(part)).includes(part.text))
        .map(({ text }) => `${shown(text)} came on the connection that the service left, and is lost`)
      const handles = saidOf([exchange], 'handle').flatMap(({ handle }) => handle ?? [])
      const newest = handles.at(-1) ?? ''
      const next = setups(run).find(({ handle }) => handle !== undefined && handles.includes(handle))
      if (next === undefined)
        return [
          ...lost,
          `the service announced to leave and gave the handle ${newest}; no connection was opened with it`,
        ]
      const stale =
        next.handle === newest
          ? []
          : [`the newest handle is ${newest}; the next connection was opened with ${next.handle}`]
      return [...lost, ...stale, ...sentAgain(run, next)]
    })
  },
}

/** What the service had already: any answer of its own, and what the user had said before. */
function sentAgain({ received }: Run, { index }: Setup): readonly Finding[] {
  const socket = received[index]?.socket
  const before = received
    .slice(0, index)
    .flatMap(sentParts)
    .map(({ text }) => text)
  const after = received.slice(index).filter(message => message.socket === socket)
  return after
    .flatMap(sentParts)
    .filter(
      ({ role, kind, text }) => kind === 'text' && text !== '' && (role === 'model' || before.includes(text)),
    )
    .map(({ text }) => `${shown(text)} was sent again on the connection that took up the session`)
}

/** It applies where nothing else on the wire accounts for an error. */
const unknownTolerated: Invariant = {
  number: 'I28',
  says: 'A message or field that a runtime does not know neither ends the session nor enters it as an error.',
  judge(run) {
    const exchanges = played(run)
    const strange = exchanges.flatMap(({ said }) =>
      said.flatMap(saying => {
        if (saying.kind === 'unknown') return [saying.what]
        return saying.kind === 'go-away' || saying.kind === 'handle'
          ? [saying.kind === 'handle' ? 'sessionResumptionUpdate' : 'goAway']
          : []
      }),
    )
    if (strange.length === 0 || !exchanges.every(endedWell)) return undefined
    const stored = (run.transcript.session ?? []).filter(
      ({ errorCode, errorMessage }) =>
        (errorCode !== undefined || errorMessage !== undefined) && !OF_THE_REPLAY.test(errorMessage ?? ''),
    )
    // A silence is no error of the message, nor is the end of the connection (1000): that is I26 and I27. Where the
    // replay has refused something, what was raised may come of that; how a client leaves, comes of what it raised.
    const refused = run.failures.some(({ details }) => details?.['cause'] !== 'close-changed')
    const raised = refused ? [] : errorsSeen(run)
    const errors = raised.filter(error => !error.startsWith('Silence') && !/\b1000\b/.test(error))
    const what = listed([...new Set(strange)])
    const findings = [
      ...errors.map(error => `the wire has ${what}, and no error; the app got ${shown(error)}`),
      ...stored.map(
        ({ errorCode, errorMessage }) =>
          `the wire has ${what}, and no error; the session has ${shown(errorCode ?? errorMessage)}`,
      ),
    ]
    return [...new Set(findings)]
  },
}

/** A client library leaves it to the app. */
const setupRepeated: Invariant = {
  number: 'I29',
  says: 'A connection that takes up a session is set up as the first one was: model, system instruction, tools.',
  judge(run) {
    const all = setups(run)
    const first = all.find(({ handle }) => handle === undefined)
    const later = all.filter(({ handle }) => handle !== undefined)
    if (isSdk(run.transcript) || first === undefined || later.length === 0) return undefined
    return later.flatMap(({ setup }) =>
      ['model', 'systemInstruction', 'tools']
        .filter(key => !sameJson(setup[key], first.setup[key]))
        .map(
          key =>
            `${key} of the first connection: ${shown(first.setup[key])}; of one that took it up: ${shown(setup[key])}`,
        ),
    )
  },
}

/** All of them. */
export const CONNECTIONS: readonly Invariant[] = [
  closeIsTold,
  goneOnAfterGoAway,
  unknownTolerated,
  setupRepeated,
]
