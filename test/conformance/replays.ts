/** One replay, reached through a server or in this process: what the carriers of the tables next door stand on. */
import { onTestFinished } from 'vitest'
import type { ReplayReport } from '../../src/replay/report.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import {
  createReplaySession,
  type ReplaySession,
  type ReplaySessionOptions,
} from '../../src/serve/replay-session.ts'
import { loadCassette } from '../../src/store/load.ts'
import { cassetteFile } from '../serve/replaying.ts'

/** A replay that has begun. */
export interface Replay {
  readonly report: () => ReplayReport
  /** At pace `manual`: lets the next thing go. */
  readonly step: ReplaySession['step']
  /** Ends it, and gives what it has to say. */
  readonly close: (graceMs?: number) => Promise<ReplayReport>
}

/** A replay behind a port. */
export interface ServedReplay extends Replay {
  readonly url: string
}

/** A replay that something in this process feeds. */
export interface HeldReplay extends Replay {
  readonly session: ReplaySession
}

/** Replays these cassettes behind a port. */
export async function serve(
  files: readonly string[],
  options: ReplaySessionOptions = {},
): Promise<ServedReplay> {
  const server = await createReplayServer({ files, ...options })
  return {
    url: server.url,
    report: () => server.report(),
    step: stepOptions => server.step(stepOptions),
    close: graceMs => server.close({ graceMs }),
  }
}

/** Replays these cassettes in this process. */
export async function hold(
  files: readonly string[],
  options: ReplaySessionOptions = {},
): Promise<HeldReplay> {
  const session = createReplaySession(await Promise.all(files.map(loadCassette)), options)
  return {
    session,
    report: () => session.report(),
    step: stepOptions => session.step(stepOptions),
    async close(graceMs = 2_000) {
      await session.idle(graceMs)
      session.requests.cut()
      session.sockets.cut()
      await session.idle(2_000)
      session.stop()
      return session.report()
    },
  }
}

/** Replays a cassette that the test spells out in this process, until the test is over. */
export async function holdYaml(yaml: string, options: ReplaySessionOptions = {}): Promise<HeldReplay> {
  const replay = await hold([await cassetteFile(yaml)], options)
  onTestFinished(async () => void (await replay.close(0)))
  return replay
}
