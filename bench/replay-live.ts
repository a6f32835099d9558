/** Replaying Live sessions, beside a server of the `ws` package that sends the same messages. */
import { WebSocket } from 'ws'
import { LIVE_ANSWERS, LIVE_PATH, LIVE_QUESTIONS, spelled, writeLive } from './recordings.ts'
import { type Benchmark, figure, sideBySide } from './row.ts'
import { portOf, startPeer } from './spawned.ts'

const BAR = 0.8
const ROUNDS = 15
const SESSIONS = 320
const AT_ONCE = 16

const questions = LIVE_QUESTIONS.map(question => JSON.stringify(question))
const answers = LIVE_ANSWERS.map(messages => messages.length)
const MESSAGES = questions.length + answers.reduce((sum, count) => sum + count, 0)

/** One session to its end; `heard` is told every message. */
function talk(port: number, heard: (data: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${LIVE_PATH}`, { perMessageDeflate: false })
    let turn = 0
    let left = answers[0] ?? 0
    socket.once('open', () => socket.send(questions[0] ?? ''))
    socket.once('error', reject)
    socket.once('close', code => (code === 1000 ? resolve() : reject(new Error(`closed with ${code}`))))
    socket.on('message', data => {
      heard(data as Buffer)
      left -= 1
      if (left > 0) return
      turn += 1
      left = answers[turn] ?? 0
      const question = questions[turn]
      if (question === undefined) socket.close(1000)
      else socket.send(question)
    })
  })
}

async function sessionsPerSecond(port: number): Promise<number> {
  let left = SESSIONS
  const began = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while ((left -= 1) >= 0) await talk(port, () => {})
    }),
  )
  return (SESSIONS * 1000) / (performance.now() - began)
}

export const replayLive: Benchmark = async folder => {
  const ours = await startPeer('replay', writeLive(folder))
  const theirs = await startPeer('ws')
  for (const peer of [ours, theirs]) {
    let all = ''
    await talk(portOf(peer), data => (all += data.toString()))
    if (all !== LIVE_ANSWERS.flat().map(spelled).join('')) throw new Error(`the messages differ:\n${all}`)
  }
  const measured = await sideBySide(
    ROUNDS,
    () => sessionsPerSecond(portOf(ours)),
    () => sessionsPerSecond(portOf(theirs)),
  )
  await Promise.all([ours.end(), theirs.end()])
  return [
    {
      what: `replay, Live, ${MESSAGES} messages, 16 at once`,
      wiretape: figure(measured.ours, 'sessions/s'),
      beside: `\`ws\` ${figure(measured.theirs, 'sessions/s')}`,
      result: figure(measured.ratio, ''),
      bar: `≥ ${BAR}`,
      holds: measured.ratio >= BAR,
      how: `median of ${ROUNDS} rounds of ${SESSIONS} sessions, the same messages to the byte`,
    },
  ]
}
