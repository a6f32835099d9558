/** How well the recorded pace is kept. */
import { arrivals } from './http-client.ts'
import { writeStreams } from './recordings.ts'
import { type Benchmark, figure, quantile } from './row.ts'
import { portOf, startPeer } from './spawned.ts'

const BAR_MS = 5
const GAP_MS = 20
const EVENTS = 40
const STREAMS = 24
const AT_ONCE = 4

export const pace: Benchmark = async folder => {
  const file = writeStreams(folder, 'pace', { exchanges: 1, events: EVENTS, gap: GAP_MS, repeat: true })
  const replay = await startPeer('replay', file, 'recorded')
  const errors: number[] = []
  for (let round = 0; round < STREAMS / AT_ONCE; round += 1) {
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => arrivals(portOf(replay))))
    for (const times of all) {
      if (times.length !== EVENTS) throw new Error(`${times.length} events came`)
      // Each gap by itself: a late timer delays what follows it, as a service would.
      times.slice(1).forEach((time, index) => errors.push(Math.abs(time - (times[index] ?? 0) - GAP_MS)))
    }
  }
  await replay.end()
  const p99 = quantile(errors, 0.99)
  return [
    {
      what: 'pace `recorded`, error of a gap, p99',
      wiretape: figure(p99, 'ms'),
      beside: `recorded gap ${GAP_MS} ms`,
      result: figure(p99, 'ms'),
      bar: `≤ ${BAR_MS} ms`,
      holds: p99 <= BAR_MS,
      how: `${errors.length} gaps, ${AT_ONCE} streams at once; p50 ${figure(quantile(errors, 0.5), 'ms')}`,
    },
  ]
}
