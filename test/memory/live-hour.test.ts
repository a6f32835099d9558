/**
 * An hour of Live takes no more memory than a minute: 50,000 messages, 400 MB, through the command that records
 * and then from the one that replays, each in a process of its own.
 */
import { platform } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { emptyFolder, start, type Running } from '../cli/spawned.ts'
import { startSocketUpstream } from '../peers/socket-upstream.ts'
import { MESSAGES, serveHour, talkForAnHour } from './hour.ts'
import { watchMemory, type Resident } from './resident.ts'

const PATH = '//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=none'
const MOST_MB = 150
/** How much more the last quarter of the hour may take than the third. */
const GROWTH_MB = 5
/** A look at the process after so many messages. */
const EVERY = 250

const figures: string[] = []

/** Has the hour with this command, stops it, and says what memory it took. */
async function talkTo(running: Running): Promise<{ resident: Resident; bytes: number; closed: string }> {
  const url = await running.says('stdout', /"event":"listening","url":"([^"]+)"/)
  const watch = watchMemory(running.child.pid ?? 0)
  const socket = new WebSocket(`${url.replace('http', 'ws')}${PATH}`, { perMessageDeflate: false })
  const bytes = await talkForAnHour(socket, count => {
    if (count % EVERY === 0) watch.done((count - 1) / MESSAGES)
  })
  running.child.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect({ code, stderr }).toMatchObject({ code: 0 })
  return { resident: watch.result(), bytes, closed: stdout.trim().split('\n').at(-1) ?? '' }
}

function tell(what: string, { peak, working, quarters }: Resident): void {
  const shown = quarters.map(value => value.toFixed(1)).join(', ')
  const most = `at most ${working.toFixed(1)} MB, ${peak.toFixed(1)} MB with its start and its end`
  figures.push(`  ${what}: ${most}; ${shown} MB by quarters`)
}

function check({ peak, quarters }: Resident): void {
  const [, , third = 0, last = 0] = quarters
  expect(peak).toBeLessThanOrEqual(MOST_MB)
  expect(last - third).toBeLessThanOrEqual(GROWTH_MB)
}

describe.skipIf(platform() !== 'linux')('an hour of Live (skipped where there is no /proc)', () => {
  it('is recorded and replayed in little memory, and in no more at its end', async () => {
    const file = join(emptyFolder(), 'hour.cassette.yaml')
    const upstream = await startSocketUpstream(serveHour)
    const recorded = await talkTo(start(['record', file, '--upstream', upstream.url, '--json']))
    await upstream.close()
    expect(JSON.parse(recorded.closed)).toMatchObject({ exchanges: 1, events: MESSAGES, truncated: 0 })
    expect(recorded.bytes).toBeGreaterThan(400_000_000)

    const replayed = await talkTo(start(['replay', file, '--json']))
    expect(JSON.parse(replayed.closed)).toMatchObject({ played: 1, failures: [], leftovers: [] })

    figures.push(`  ${MESSAGES} messages, ${(recorded.bytes / 1e6).toFixed(0)} MB`)
    tell('recording', recorded.resident)
    tell('replaying', replayed.resident)
    check(recorded.resident)
    check(replayed.resident)
  })

  afterAll(() => console.log(`an hour of Live:\n${figures.join('\n')}`))
})
