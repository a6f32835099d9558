/**
 * `wiretape replay`: plays cassettes until the user's command has ended, or until it is asked to stop, and
 * fails where the app did anything else than on the recording.
 *
 * Room: cli.
 */
import type { ReplayServer } from '../serve/replay-server.ts'
import { checkCommand } from './child.ts'
import { replayEnvironment } from './environment.ts'
import { collectEarly } from './heap.ts'
import type { ReplayInvocation } from './invocation.ts'
import type { Surroundings } from './output.ts'
import { replayPasteLines } from './paste.ts'
import { isFaithful, playedLine, replayReport, replayStatus } from './report.ts'
import { runBeside, securePaste } from './run-beside.ts'
import { openReporter, type Reporter } from './reporter.ts'
import { untilAskedToStop } from './stop.ts'

/** Replays. Returns the exit code. Throws what stops it before it has begun, e.g. `WIRETAPE_CASSETTE_INVALID`. */
export async function replay(invocation: ReplayInvocation, surroundings: Surroundings): Promise<number> {
  const { command } = invocation
  if (command !== undefined) checkCommand(command, surroundings.env)
  collectEarly()
  const reporter = openReporter(invocation, surroundings)
  // From now on: whoever is asked to stop while it starts must leave nothing behind either.
  const stopped = command === undefined ? untilAskedToStop() : undefined
  const server = await startServer(invocation, reporter)
  const paste = replayPasteLines(server) + (await securePaste(surroundings.env, server, command))
  reporter.listening(server, paste)
  reporter.display.show(() => replayStatus(server.progress()))
  let code = 0
  try {
    if (command !== undefined) {
      const base = replayEnvironment(surroundings.env, server)
      const say = (text: string): void => reporter.display.print(text)
      code = await runBeside(command, { user: surroundings.env, base, server, through: 'replay', say })
    } else await stopped
  } finally {
    const verdict = await finish(server, reporter)
    if (code === 0) code = verdict
  }
  return code
}

async function startServer(
  invocation: ReplayInvocation,
  { json, display, paint }: Reporter,
): Promise<ReplayServer> {
  const { createReplayServer } = await import('../serve/replay-server.ts')
  return createReplayServer({
    files: invocation.files,
    port: invocation.port,
    pace: invocation.pace,
    stallMs: invocation.stallMs,
    mediaQuietMs: invocation.quietMs,
    tls: invocation.tls,
    onExchange(played) {
      json.print({ event: 'exchange', ...played })
      display.log(playedLine(played, paint))
    },
    // People get it whole at the end, where nothing scrolls it away.
    onFailure: failure => json.print({ event: 'failure', ...failure }),
  })
}

/** Returns 1 where the app was not faithful to the recording. */
async function finish(server: ReplayServer, { json, display, paint }: Reporter): Promise<0 | 1> {
  const report = await server.close()
  display.stop()
  json.print({ event: 'closed', ...report })
  display.print(replayReport(report, paint))
  json.close()
  return isFaithful(report) ? 0 : 1
}
