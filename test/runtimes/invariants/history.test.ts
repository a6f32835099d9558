/** I44, broken and held: what the next connection begins with. */
import { describe, expect, it } from 'vitest'
import { connection, event, findingsOf, madeRun, sent, user } from './made-runs.ts'
import type { Received, Run } from './run.ts'

const said = connection(
  { serverContent: { modelTurn: { parts: [{ text: 'Hel' }] } } },
  { serverContent: { modelTurn: { parts: [{ text: 'lo' }] } } },
  { serverContent: { turnComplete: true } },
)
const turn = (text: string) => ({ parts: [{ text }], how: 'content' as const })
const asks = (text: string) => ({ clientContent: { turns: [{ role: 'user', parts: [{ text }] }] } })

/** Two connections of one session; the second begins with some messages. */
function run(beginning: readonly Received[], runtime?: Run['transcript']['runtime']): Run {
  return madeRun({
    wire: [said, connection()],
    events: [event([{ text: 'Hello' }], { turnComplete: true })],
    session: [user('Greet me.'), event([{ text: 'Hello' }]), user('Thanks.')],
    received: [sent(1, { setup: {} }), sent(1, asks('Greet me.')), sent(2, { setup: {} }), ...beginning],
    scenario: { conversations: [[turn('Greet me.')], [turn('Thanks.')]] },
    ...(runtime === undefined ? {} : { runtime }),
  })
}

const history = (...texts: readonly string[]): Received =>
  sent(2, {
    clientContent: {
      turns: [
        { role: 'user', parts: [{ text: 'Greet me.' }] },
        { role: 'model', parts: texts.map(text => ({ text })) },
      ],
      turnComplete: false,
    },
  })

describe('I44', () => {
  const judged = (beginning: readonly Received[]) => findingsOf('I44', run(beginning))

  it('wants what is stored in the history of the next connection', () => {
    expect(judged([history('Hello'), sent(2, asks('Thanks.'))])).toEqual([])
    expect(judged([history('Hel', 'lo'), sent(2, asks('Thanks.'))])).toEqual([])
    expect(judged([sent(2, asks('Thanks.'))])).toEqual([
      'stored of the first connection, and not in the history of the next: "Hello"; the history has of the model: none',
    ])
  })

  it('takes no words of the user for those of the model', () => {
    expect(judged([sent(2, asks('Hello'))])).toHaveLength(1)
  })

  it('does not apply to a client library, which stores nothing', () => {
    expect(findingsOf('I44', run([], { '@google/genai': '3.3.0' }))).toBeUndefined()
  })
})
