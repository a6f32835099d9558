/**
 * The seeded client schedules of `live-schedules.test.ts`, a few of them over real sockets: what is true of the
 * engine must be true of what is on the wire.
 */
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Exchange } from '../../src/cassette/model.ts'
import type { LiveOptions } from '../../src/replay/live.ts'
import { SCRIPTS } from '../replay/live-scripts.ts'
import { record, type SessionScript } from '../replay/live-service.ts'
import { runApp, type AppEnd, type Schedule, type Service, type World } from '../replay/live-world.ts'
import { startSockets } from './socket-replaying.ts'

/** How much faster than in the scripts time goes by. What gates is what was sent, not when. */
const HASTE = 10
const seeds = Array.from({ length: 10 }, (_, seed) => seed)

/** Time as it is, in a hurry. It stands still while something is done, and what is planned happens in its order. */
function createHastyWorld(): World {
  const began = performance.now()
  const planned: { readonly at: number; readonly action: () => void }[] = []
  let moment: number | undefined

  function now(): number {
    if (moment === undefined) queueMicrotask(() => (moment = undefined))
    return (moment ??= (performance.now() - began) * HASTE)
  }

  function runDue(): void {
    moment = undefined
    for (let [next] = planned; next !== undefined && next.at <= now(); [next] = planned) {
      planned.shift()
      next.action()
    }
  }

  return {
    now,
    after(ms, action) {
      const at = now() + Math.max(0, ms)
      const behind = planned.findIndex(other => other.at > at)
      planned.splice(behind === -1 ? planned.length : behind, 0, { at, action })
      setTimeout(runDue, Math.ceil(ms / HASTE) + 1)
    },
    run: () => {},
  }
}

/** The app's way to a replay server. */
function overSockets(url: string, end: AppEnd): Service {
  const sockets: WebSocket[] = []
  return {
    open(id) {
      const socket = new WebSocket(url, { perMessageDeflate: false })
      sockets[id] = socket
      socket.on('open', () => end.opened(id))
      socket.on('message', data => {
        end.saw(id, JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : ''))
      })
      // One that the app opens after it did wrong may come too late for the test.
      socket.on('error', () => {})
      socket.on('close', () => end.closed(id))
    },
    message: (id, json) => sockets[id]?.send(JSON.stringify(json)),
    close: (id, code) => sockets[id]?.close(code),
  }
}

async function replayed(
  script: SessionScript,
  recording: readonly Exchange[],
  schedule: Schedule,
  options: Partial<LiveOptions>,
) {
  await using replaying = await startSockets(recording, options)
  const world = createHastyWorld()
  const seen = runApp(world, script.app, schedule, end => overSockets(replaying.url, end))
  // An app that does wrong may never open its last socket.
  await vi.waitFor(
    () =>
      expect(replaying.played.length + replaying.report().failures.length).toBeGreaterThanOrEqual(
        recording.length,
      ),
    { timeout: 10_000, interval: 10 },
  )
  await replaying.idle(1_000)
  return { ...seen, report: replaying.report() }
}

/** What each socket of a recording saw. */
function served(recording: readonly Exchange[]) {
  return recording.map(({ messages = [] }) =>
    messages.flatMap(({ server }) => (server?.type === 'value' ? [server.value] : [])),
  )
}

describe.each(SCRIPTS)('$name', script => {
  const recording = record(script, { seed: 1_000_000, patient: true })

  it('replays over sockets to every schedule of its client, all of it and in order', async () => {
    // Where the client mutes, sound is short, and each turn takes the quiet time.
    const options = script.mutes ? { mediaQuietMs: 100 } : {}
    const runs = seeds.map(seed => replayed(script, recording, { seed }, options))
    for (const [seed, { report, sockets }] of (await Promise.all(runs)).entries()) {
      expect(report, `seed ${seed}`).toMatchObject({ failures: [], leftovers: [] })
      expect(sockets, `seed ${seed}`).toEqual(served(recording))
    }
  })

  it('fails over sockets where one discrete message is missing, comes twice or is another', async () => {
    const runs = seeds.map(seed => {
      const kind = (['drop', 'double', 'alter'] as const)[seed % 3] ?? 'drop'
      const mutation = { index: Math.floor(seed / 3) % script.discretes, kind }
      return replayed(script, recording, { seed, mutation }, { mediaQuietMs: 100, stallMs: 500 })
    })
    for (const [seed, { report }] of (await Promise.all(runs)).entries()) {
      expect([...report.failures, ...report.leftovers], `seed ${seed}`).not.toEqual([])
    }
  })
})
