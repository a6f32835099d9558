/** What the next connection is told of a conversation: the proof on the wire of what was stored (I44). */
import { shallow } from '../../../src/dialect/live-fold.ts'
import type { Invariant, Run } from './run.ts'
import { handleIn, sentParts } from './sent.ts'
import { fromModel, isSdk, played, textIn, wireTexts } from './view.ts'
import { listed, shown } from './words.ts'

/** Where, in what was sent, the app's last connection begins; one that takes up a session is the runtime's own. */
function lastBeginning({ received }: Run): number {
  return received.findLastIndex(({ message }) => {
    const { setup } = shallow(message)
    return setup !== undefined && handleIn(setup) === undefined
  })
}

/** It applies to agent runtimes, and to texts that they have stored: what is not stored, is for I2. */
export const historySent: Invariant = {
  number: 'I44',
  says: 'What is stored of what the model said is in the history that the next Live connection begins with.',
  judge(run) {
    const { scenario, transcript, received } = run
    if (scenario.api !== 'live' || scenario.conversations.length < 2 || isSdk(transcript)) return undefined
    const beginning = lastBeginning(run)
    const next = received[beginning]
    if (next?.exchange === undefined || beginning === 0 || transcript.session === null) return undefined
    const before = played(run).filter(({ number }) => number < (next.exchange ?? 0))
    const stored = textIn(fromModel(transcript.session), 'text')
    const texts = wireTexts(before, 'text')
      .map(({ text }) => text)
      .filter(text => text !== '' && stored.includes(text))
    if (texts.length === 0) return undefined
    const history = received
      .slice(beginning)
      .flatMap(sentParts)
      .filter(({ role, kind, thought }) => role === 'model' && kind === 'text' && !thought)
      .map(({ text }) => text)
    const missing = texts.filter(text => !history.join('').includes(text))
    if (missing.length === 0) return []
    return [
      `stored of the first connection, and not in the history of the next: ${listed(missing.map(shown))}; the history has of the model: ${listed(history.map(shown))}`,
    ]
  },
}
