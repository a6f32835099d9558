/**
 * Replays of duplex sessions by clients that never do the same thing twice at the same moment.
 *
 * What is recorded is one run of an app. Other runs of it, seeded, must replay: other chunk sizes, jitter,
 * latency, run-ahead, other grouping of function responses. An app that does one thing wrong must not.
 */
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { replayOf } from './live-playbook.ts'
import { SCRIPTS } from './live-scripts.ts'
import { record, replaying, type SessionScript } from './live-service.ts'
import { createWorld, runApp, type Schedule } from './live-world.ts'

/** Recordings per script, and schedules per recording. */
const RECORDINGS = 2
const SCHEDULES = 500

const seeds = Array.from({ length: SCHEDULES }, (_, seed) => seed)
const recordingsOf = (script: SessionScript) =>
  Array.from({ length: RECORDINGS }, (_, seed) => record(script, { seed: seed + 1_000_000, patient: true }))

function replayed(script: SessionScript, recording: readonly Exchange[], schedule: Schedule) {
  const world = createWorld()
  const replay = replayOf(recording)
  const seen = runApp(world, script.app, schedule, end => replaying(world, replay, end))
  return { ...seen, report: replay.report() }
}

/** What each socket of a recording saw. */
function served(recording: readonly Exchange[]) {
  return recording.map(({ messages = [] }) =>
    messages.flatMap(({ server }) => (server?.type === 'value' ? [server.value] : [])),
  )
}

// Thousands of sessions: more than the usual time, on a machine that is busy.
describe.each(SCRIPTS)('$name', { timeout: 120_000 }, script => {
  const recordings = recordingsOf(script)

  it('replays to every schedule of its client, all of it and in order', () => {
    for (const recording of recordings) {
      for (const seed of seeds) {
        const { report, sockets } = replayed(script, recording, { seed })
        expect(report, `seed ${seed}`).toMatchObject({ failures: [], leftovers: [] })
        expect(sockets, `seed ${seed}`).toEqual(served(recording))
        // Only a client that mutes can be short of sound: nothing else may go out for quiet.
        if (!script.mutes) expect(report.notes, `seed ${seed}`).toEqual([])
      }
    }
  })

  it('fails every time one discrete message is missing, comes twice or is another', () => {
    for (const recording of recordings) {
      for (const seed of seeds) {
        const kind = (['drop', 'double', 'alter'] as const)[seed % 3] ?? 'drop'
        const index = Math.floor(seed / 3) % script.discretes
        const { report } = replayed(script, recording, { seed, mutation: { index, kind } })
        expect([...report.failures, ...report.leftovers], `seed ${seed}, ${kind} ${index}`).not.toEqual([])
      }
    }
  })
})
