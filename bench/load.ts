/** How long a cassette takes to load, until its first event has reached a client. */
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { talkForAnHour } from '../test/memory/hour.ts'
import { importBuilt } from './built.ts'
import { startHourService } from './hour-service.ts'
import { LIVE_PATH, writeStreams } from './recordings.ts'
import { type Benchmark, figure, median, type Row } from './row.ts'
import { startPeer } from './spawned.ts'

const EVENTS = 5_000
const STREAMS = 100
const EVENTS_BAR_MS = 15
/** Messages of a session that has 28 MB of them. */
const MESSAGES = 3_480
const LIVE_BAR_MS = 50
const ROUNDS = 15

/** How long loads took in one process, in milliseconds: the first, and those after it. */
interface Loads {
  readonly first: number
  readonly others: readonly number[]
}

async function loads(kind: string, file: string): Promise<Loads> {
  const peer = await startPeer('load', kind, file, String(ROUNDS))
  await peer.end()
  const [first = Number.NaN, ...others] = peer.said['times'] as readonly number[]
  return { first, others }
}

/** Records a session of 28 MB, as a proxy does. */
async function recordSession(folder: string): Promise<string> {
  const { createRecordServer } = await importBuilt()
  const service = await startHourService()
  const file = join(folder, 'session.cassette.yaml')
  const recorder = await createRecordServer(file, { upstream: service.url })
  const url = `${recorder.url.replace('http', 'ws')}${LIVE_PATH}`
  await talkForAnHour(new WebSocket(url, { perMessageDeflate: false }), () => {}, MESSAGES)
  await recorder.close()
  service.close()
  return file
}

function row(what: string, { first, others }: Loads, barMs: number): Row {
  const best = Math.min(...others)
  return {
    what,
    wiretape: figure(best, 'ms'),
    beside: `first in its process ${figure(first, 'ms')}`,
    result: figure(best, 'ms'),
    bar: `≤ ${barMs} ms`,
    holds: best <= barMs,
    how: `from the call to the first event at a client; best of ${ROUNDS} after the first, median ${figure(median(others), 'ms')}`,
  }
}

export const load: Benchmark = async folder => {
  const streams = { exchanges: STREAMS, events: EVENTS / STREAMS, gap: 1, repeat: false }
  const file = writeStreams(folder, 'events', streams)
  const rows = [row('load, 5,000 events', await loads('sse', file), EVENTS_BAR_MS)]
  rows.push(
    row('load, a Live session of 28 MB', await loads('live', await recordSession(folder)), LIVE_BAR_MS),
  )
  return rows
}
