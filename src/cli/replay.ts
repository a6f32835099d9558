/**
 * `wiretape replay`: plays cassettes until the user's command has ended, or until it is asked to stop, and
 * fails where the app did anything else than on the recording.
 *
 * Room: cli.
 */
import { checkCommand } from './child.ts'
import { collectEarly } from './heap.ts'
import type { ReplayInvocation } from './invocation.ts'
import { checkDashes } from './missing-dashes.ts'
import type { Surroundings } from './output.ts'
import { type Replaying, startReplaying } from './replaying.ts'
import { runBeside, securePaste } from './run-beside.ts'
import { openReporter, type Reporter } from './reporter.ts'
import { untilAskedToStop } from './stop.ts'

/** Replays. Returns the exit code. Throws what stops it before it has begun, e.g. `WIRETAPE_CASSETTE_INVALID`. */
export async function replay(invocation: ReplayInvocation, surroundings: Surroundings): Promise<number> {
  const { command } = invocation
  if (command === undefined) checkDashes(invocation.files, surroundings.env)
  else checkCommand(command, surroundings.env)
  collectEarly()
  const reporter = openReporter(invocation, surroundings)
  // From now on: whoever is asked to stop while it starts must leave nothing behind either.
  const stopped = command === undefined ? untilAskedToStop() : undefined
  const replaying = await startReplaying(invocation, reporter)
  const paste = replaying.paste + (await securePaste(surroundings.env, replaying, command))
  reporter.listening(replaying, paste)
  reporter.display.show(() => replaying.status())
  let code = 0
  try {
    if (command !== undefined) {
      const base = replaying.environment(surroundings.env)
      const say = (text: string): void => reporter.display.print(text)
      const beside = { user: surroundings.env, base, server: replaying, through: 'replay', say } as const
      code = await runBeside(command, beside)
    } else await stopped
  } finally {
    const verdict = await finish(replaying, reporter)
    if (code === 0) code = verdict
  }
  return code
}

/** Returns 1 where the app was not faithful to the recording. */
async function finish(replaying: Replaying, { json, display, paint }: Reporter): Promise<0 | 1> {
  const ended = await replaying.close()
  display.stop()
  json.print(ended.line)
  display.print(ended.text(paint))
  json.close()
  return ended.outcome === 'faithful' ? 0 : 1
}
