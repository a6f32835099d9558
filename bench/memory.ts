/** How much memory a long Live session takes, while it is recorded and while it is replayed. */
import { platform } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { MESSAGES, talkForAnHour } from '../test/memory/hour.ts'
import { type Resident, watchMemory } from '../test/memory/resident.ts'
import { startHourService } from './hour-service.ts'
import { LIVE_PATH } from './recordings.ts'
import { type Benchmark, figure, type Row } from './row.ts'
import { CLI, type Spawned, spawned } from './spawned.ts'

const BAR_MB = 150
const GROWTH_BAR_MB = 5
/** A look at the process after so many messages. */
const EVERY = 250

/** Has the hour with this process, and says what memory it took. */
async function talkTo(running: Spawned): Promise<Resident> {
  const watch = watchMemory(running.child.pid ?? 0)
  const url = `${String(running.said['url']).replace('http', 'ws')}${LIVE_PATH}`
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await talkForAnHour(socket, count => {
    if (count % EVERY === 0) watch.done((count - 1) / MESSAGES)
  })
  await running.end()
  return watch.result()
}

function row(what: string, { peak, working, quarters }: Resident): Row {
  const [, , third = Number.NaN, last = Number.NaN] = quarters
  const growth = last - third
  return {
    what,
    wiretape: figure(peak, 'MB'),
    beside: `last quarter over the third ${figure(growth, 'MB')}`,
    result: `${figure(peak, 'MB')}, ${growth < 0 ? '' : '+'}${figure(growth, 'MB')}`,
    bar: `≤ ${BAR_MB} MB, + ${GROWTH_BAR_MB} MB`,
    holds: peak <= BAR_MB && growth <= GROWTH_BAR_MB,
    how: `${MESSAGES.toLocaleString('en-US')} messages, 400 MB, through the command; ${figure(working, 'MB')} until its end`,
  }
}

export const memory: Benchmark = async (folder, tell) => {
  if (platform() !== 'linux') {
    tell('skipped: only Linux tells what a process holds')
    return []
  }
  const service = await startHourService()
  const file = join(folder, 'hour.cassette.yaml')
  tell('an hour of Live is recorded …')
  const recording = await talkTo(await spawned([CLI, 'record', file, '--upstream', service.url, '--json']))
  service.close()
  tell('… and replayed')
  const replaying = await talkTo(await spawned([CLI, 'replay', file, '--json']))
  return [row('an hour of Live, recorded', recording), row('an hour of Live, replayed', replaying)]
}
