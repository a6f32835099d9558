/** The run as a whole: what is left can be sent, streams are read, requests are as many as recorded (I41 to I43). */
import { shallow } from '../../../src/dialect/live-fold.ts'
import type { Event, Finding, Invariant, Run, Scenario } from './run.ts'
import { handleIn, isModelRequest, sentParts, sentSignatureAlone, type SentPart } from './sent.ts'
import { isSdk, played, wireCalls } from './view.ts'
import { callLabel, shown } from './words.ts'
import { items } from '../json.ts'

/** What a client library keeps is not what it sends, so of one the requests are judged alone. */
const canBeSent: Invariant = {
  number: 'I41',
  says: 'What is stored and sent can be sent: no empty parts, the user first, each response after its call.',
  judge(run) {
    const { session } = run.transcript
    const requests = run.received.filter(({ body }) => body !== undefined).map(sentParts)
    const stored =
      session === null || isSdk(run.transcript) ? [] : emptyStored(session, sentSignatureAlone(run))
    if (session === null && requests.length === 0) return undefined
    const sent = requests.flatMap(parts => wrongIn(parts, run.scenario.api))
    return [...new Set([...stored, ...sent])]
  },
}

function emptyStored(session: readonly Event[], alone: boolean): readonly Finding[] {
  return session.flatMap(({ author, parts }) =>
    parts
      .filter(part => !(part.thought && alone))
      .filter(
        part =>
          Object.keys(part).length === 0 ||
          (part.text === '' &&
            part.thoughtSignature === undefined &&
            Object.keys(part).every(key => key === 'text' || key === 'thought')),
      )
      .map(part => `the session has an empty part of ${author}: ${shown(part)}`),
  )
}

function wrongIn(parts: readonly SentPart[], api: Scenario['api']): readonly Finding[] {
  const empty = parts
    .filter(part => part.empty)
    .map(({ role, kind }) => `a request has an empty ${kind === 'text' ? 'text' : 'part'} of the ${role}`)
  if (api !== 'generate-content') return empty
  const first = parts[0]
  const begins =
    first !== undefined && first.role !== 'user'
      ? [`a request begins with the model: ${shown(first.text)}`]
      : []
  const orphans = parts.flatMap((part, index) => {
    if (part.kind !== 'response') return []
    const before = parts
      .slice(0, index)
      .filter(({ kind, content }) => kind === 'call' && content < part.content)
    const own = before.some(
      call =>
        call.name === part.name && (call.id === undefined || part.id === undefined || call.id === part.id),
    )
    return own ? [] : [`a request has a response to ${callLabel(part)} without a call before it`]
  })
  return [...empty, ...begins, ...orphans]
}

/** It applies to answers over HTTP. The replay sees who leaves; where it is too late to see, it says so in a note. */
const readToEnd: Invariant = {
  number: 'I42',
  says: 'A stream is read to its end.',
  judge(run) {
    if (!played(run).some(({ answer }) => answer !== 'socket')) return undefined
    const left = run.leftovers.flatMap(({ number, kind, message }) =>
      kind === 'abandoned'
        ? [
            `exchange ${number} was left with ${/with (.*) to come/.exec(message)?.[1] ?? 'something'} to come`,
          ]
        : [],
    )
    const early = run.notes.flatMap(note => {
      const number = /^exchange (\d+).*client left early/.exec(note)?.[1]
      return number === undefined ? [] : [`exchange ${number} was left early, after all of it was sent`]
    })
    return [...left, ...early]
  },
}

/**
 * Exchanges of Live are connections. A client library can't be blamed for what its app would have to do: to run
 * a call that came in pieces, or to take up a session.
 */
const asManyRequests: Invariant = {
  number: 'I43',
  says: 'The service is asked as often as on the recording: no step is left out, none is made twice.',
  judge(run) {
    const left = run.leftovers.filter(
      leftover => leftover.kind === 'never-asked' && !isTheApps(run, leftover.number),
    )
    const more = run.received.filter(
      received => received.exchange === undefined && (isModelRequest(received) || isSetup(received.message)),
    )
    return [
      ...left.map(
        ({ number }) => `exchange ${number} of ${run.wire.length} was not asked for as often as recorded`,
      ),
      // How often is chance, of a runtime that tries again and again.
      ...[...new Set(more.map(({ operation }) => operation))].map(
        operation => `a request came that is not recorded: ${operation}`,
      ),
      ...otherMessages(run),
    ]
  },
}

/** Of Live, what a replay ended for: a message in the place of another. */
function otherMessages({ failures }: Run): readonly Finding[] {
  return failures.flatMap(({ code, details: { input, message, words } = {} }) =>
    code === 'WIRETAPE_NO_MATCH' && typeof input === 'string' && typeof message === 'number'
      ? [`${input} came where message ${message} is due: ${items(words).map(String).join(', ')}`]
      : [],
  )
}

function isSetup(message: Run['received'][number]['message']): boolean {
  return shallow(message)['setup'] !== undefined
}

function isTheApps(run: Run, number: number): boolean {
  if (!isSdk(run.transcript)) return false
  const { asked: [first] = [] } = run.wire.find(exchange => exchange.number === number) ?? {}
  const resumes = handleIn(first?.message['setup']) !== undefined
  const pieces = wireCalls(played(run)).some(({ streamed }) => streamed)
  return resumes || pieces
}

/** All of them. */
export const META: readonly Invariant[] = [canBeSent, readToEnd, asManyRequests]
