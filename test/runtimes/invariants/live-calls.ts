/** Live: tool calls in a conversation that goes on (I16, I17). */
import { shallow } from '../../../src/dialect/live-fold.ts'
import type { Invariant } from './run.ts'
import { items, textOf } from '../json.ts'
import { sentParts } from './sent.ts'
import { isSdk, played, saidOf, wireCalls } from './view.ts'
import type { WireExchange } from './wire.ts'
import { callLabel } from './words.ts'

/** A client library leaves it to the app. What was answered on the recording too, was answered in time. */
const cancelledNotAnswered: Invariant = {
  number: 'I16',
  says: 'No response is sent to a tool call that the service has cancelled.',
  judge(run) {
    const cancelled = played(run).flatMap(lateIds)
    if (isSdk(run.transcript) || cancelled.length === 0) return undefined
    const answered = run.received.flatMap(sentParts).filter(({ kind }) => kind === 'response')
    return cancelled
      .filter(id => answered.some(part => part.id === id))
      .map(id => `the service cancelled ${id}, and got a response to it`)
  },
}

function lateIds({ said, asked }: WireExchange): readonly string[] {
  return said.flatMap(saying => {
    if (saying.kind !== 'cancelled') return []
    const before = asked.filter(({ at }) => at < saying.at).flatMap(({ message }) => responseIds(message))
    return saying.ids.filter(id => !before.includes(id))
  })
}

function responseIds(message: WireExchange['asked'][number]['message']): readonly string[] {
  const responses = items(shallow(message['toolResponse'])['functionResponses'])
  return responses.flatMap(response => textOf(shallow(response)['id']) ?? [])
}

/** The service waits for the response: who waits for the end of the turn first, waits for ever. */
const calledAtOnce: Invariant = {
  number: 'I17',
  says: 'A Live tool call is answered without waiting for the end of the turn.',
  judge(run) {
    const exchanges = played(run)
    const cancelled = new Set(saidOf(exchanges, 'cancelled').flatMap(({ ids }) => ids))
    const calls = wireCalls(exchanges.filter(({ api }) => api === 'live')).filter(
      ({ id }) => id === undefined || !cancelled.has(id),
    )
    if (calls.length === 0) return undefined
    const answered = run.received.flatMap(sentParts).filter(({ kind }) => kind === 'response')
    return calls
      .filter(
        call =>
          !answered.some(part => (call.id === undefined ? part.name === call.name : part.id === call.id)),
      )
      .map(call => `the service called ${callLabel(call)}, and got no response, while it waited for one`)
  },
}

/** Both. */
export const LIVE_CALLS: readonly Invariant[] = [cancelledNotAnswered, calledAtOnce]
