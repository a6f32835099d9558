/**
 * `wiretape record`: a proxy that records until the user's command has ended, or until it is asked to stop.
 *
 * Room: cli.
 */
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { RecordServer } from '../serve/record-server.ts'
import { CASSETTE_SUFFIX } from '../store/find.ts'
import { checkCommand } from './child.ts'
import { recordEnvironment } from './environment.ts'
import { collectEarly } from './heap.ts'
import type { RecordInvocation } from './invocation.ts'
import type { Surroundings } from './output.ts'
import { recordPasteLines } from './paste.ts'
import { type Nothing, nothingRecorded, nothingReport } from './nothing.ts'
import { recordReport, recordedLine, recordStatus } from './report.ts'
import { runBeside, securePaste } from './run-beside.ts'
import { openReporter, ownError, type Reporter } from './reporter.ts'
import { untilAskedToStop } from './stop.ts'
import { BY } from './version.ts'

/** How often a recording that failed looks whether what was open has ended, in ms. */
const IDLE_CHECK = 50

/** Records. Returns the exit code. Throws what stops it before it has begun, e.g. `WIRETAPE_USAGE`. */
export async function record(invocation: RecordInvocation, surroundings: Surroundings): Promise<number> {
  const { command } = invocation
  if (command !== undefined) checkCommand(command, surroundings.env)
  collectEarly()
  const reporter = openReporter(invocation, surroundings)
  const nothing = {
    file: invocation.file,
    cassette: existsSync(invocation.file) ? 'kept' : 'none',
    env: surroundings.env,
    by: command === undefined ? 'hand' : 'command',
  } as const
  // From now on: whoever is asked to stop while it starts must leave nothing behind either.
  const stopped = command === undefined ? untilAskedToStop() : undefined
  const server = await startServer(invocation, reporter)
  // Said at once and not only at the end: whoever watches may stop the app.
  const failed = server.failed.catch((error: unknown) => reporter.failed(ownError(error)))
  const paste = recordPasteLines(server) + (await securePaste(surroundings.env, server, command))
  reporter.listening(server, paste)
  if (!invocation.file.endsWith(CASSETTE_SUFFIX)) {
    const named = `${invocation.file} is not named *${CASSETTE_SUFFIX}`
    reporter.display.print(`note: ${named}, which lint, folders and .gitattributes look for.\n`)
  }
  reporter.display.show(() => recordStatus(server.progress()))
  let code = 0
  try {
    if (command !== undefined) {
      const base = recordEnvironment(surroundings.env, server)
      const say = (text: string): void => reporter.display.print(text)
      code = await runBeside(command, { user: surroundings.env, base, server, through: 'record', say })
    } else await Promise.race([stopped, failed.then(() => untilIdle(server))])
  } finally {
    const verdict = await finish(server, reporter, nothing)
    if (code === 0) code = verdict
  }
  return code
}

async function startServer(
  invocation: RecordInvocation,
  { json, display, paint }: Reporter,
): Promise<RecordServer> {
  const { createRecordServer } = await import('../serve/record-server.ts')
  return createRecordServer({
    file: invocation.file,
    upstream: invocation.upstream,
    vertexUpstream: invocation.vertexUpstream,
    port: invocation.port,
    existing: invocation.existing,
    by: BY,
    tls: invocation.tls,
    onNote: once(note => display.log(`note: ${note}\n`)),
    onExchange(finished) {
      json.print({ event: 'exchange', ...finished })
      display.log(recordedLine(finished, paint))
    },
  })
}

/** Says the same thing once. */
function once(say: (text: string) => void): (text: string) => void {
  const said = new Set<string>()
  return text => {
    if (!said.has(text)) say(text)
    said.add(text)
  }
}

/** A recording that has failed takes nothing new, but relays what is open to its end. */
async function untilIdle(server: RecordServer): Promise<void> {
  while (server.progress().open > 0) await pause(IDLE_CHECK)
}

/**
 * Writes the cassette. Returns 1 where the recording failed.
 *
 * @param nothing - What to say where nothing was recorded, and who has ended it: a command is to be recorded.
 */
async function finish(
  server: RecordServer,
  reporter: Reporter,
  nothing: Nothing & { readonly by: 'hand' | 'command' },
): Promise<0 | 1> {
  const { json, display, paint } = reporter
  try {
    const summary = await server.close()
    if (summary.exchanges === 0 && nothing.by === 'command') throw nothingRecorded(nothing)
    display.stop()
    json.print({ event: 'closed', ...summary, failures: [], leftovers: [] })
    const empty = summary.exchanges === 0
    display.print(empty ? nothingReport(nothing) : recordReport('Recorded', summary, paint))
    return 0
  } catch (error) {
    const failure = ownError(error)
    display.stop()
    reporter.failed(failure)
    const { code, message, details } = failure
    const { finished } = server.progress()
    json.print({
      event: 'closed',
      exchanges: finished,
      failures: [{ code, message, details }],
      leftovers: [],
    })
    return 1
  } finally {
    json.close()
  }
}
