/** Replaying streams, beside `node:http` that writes the same bytes. */
import { answersPerSecond, wholeAnswer } from './http-client.ts'
import { writeStreams } from './recordings.ts'
import { type Benchmark, figure, sideBySide } from './row.ts'
import { portOf, startPeer } from './spawned.ts'

const BAR = 0.8
const ROUNDS = 15
const ANSWERS = 1_600
const AT_ONCE = 32

/** The order of header fields is each server's own. */
function sorted(answer: string): string {
  const [head = '', ...body] = answer.split('\r\n\r\n')
  return [head.split('\r\n').toSorted().join('\n'), ...body].join('\r\n\r\n')
}

export const replaySse: Benchmark = async folder => {
  const file = writeStreams(folder, 'sse', { exchanges: 1, events: 40, gap: 0, repeat: true })
  const ours = await startPeer('replay', file)
  const theirs = await startPeer('http')
  const [one, other] = [sorted(await wholeAnswer(portOf(ours))), sorted(await wholeAnswer(portOf(theirs)))]
  if (one !== other) throw new Error(`the answers differ:\n${one.slice(0, 300)}\n${other.slice(0, 300)}`)
  const measured = await sideBySide(
    ROUNDS,
    () => answersPerSecond(portOf(ours), ANSWERS, AT_ONCE),
    () => answersPerSecond(portOf(theirs), ANSWERS, AT_ONCE),
  )
  await Promise.all([ours.end(), theirs.end()])
  return [
    {
      what: 'replay, SSE, 40 events, 32 at once',
      wiretape: figure(measured.ours, 'answers/s'),
      beside: `\`node:http\` ${figure(measured.theirs, 'answers/s')}`,
      result: figure(measured.ratio, ''),
      bar: `≥ ${BAR}`,
      holds: measured.ratio >= BAR,
      how: `median of ${ROUNDS} rounds of ${ANSWERS} answers, the same to the byte, head and framing included`,
    },
  ]
}
