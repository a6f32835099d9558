/**
 * Plays one case to the runtime's program and says what came of it.
 *
 * The command of ours that anybody would use: a replay that plays the cassette as if it were the service, and
 * runs the program inside with a base URL and a placeholder key in its environment.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const here = import.meta.dirname
const root = resolve(here, '../../..')
/** How long the replay waits, in ms, for what a runtime never sends. */
const STALL_MS = 4_000

/** What a case came to in one version: the whole of what a test may expect of it. */
export interface Outcome {
  /** What the app got to see of the case itself. */
  readonly streamed: unknown
  /** What each connection raised; null: nothing. */
  readonly errors: readonly unknown[]
  /** What the runtime said on each connection after its setup: on the second, the history first of all. */
  readonly sent: readonly unknown[]
  /** The events that the session holds at the end. */
  readonly session: unknown
  /** The tools that ran, with their arguments. */
  readonly toolRuns: unknown
  /** What the replay found wrong, and which of the recorded messages it waited for. */
  readonly verdict: readonly unknown[]
}

/** An object of JSON; everything else reads as one without keys. */
function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The environment of a machine that has neither a key nor a project, whatever this one has. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:GOOGLE|GEMINI|GCLOUD|CLOUDSDK|ADK)_/.test(name),
  )
  return { ...Object.fromEntries(kept), GEMINI_API_KEY: 'placeholder' }
}

/** Everything that the stream says, once it has ended. */
async function wholeText(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

/** What the last line of a replay's report says of failures and of what was left. */
async function verdictOf(report: string): Promise<readonly unknown[]> {
  const lines = (await readFile(report, 'utf8')).trim().split('\n')
  const { failures, leftovers } = record(JSON.parse(lines.at(-1) ?? ''))
  return [
    ...list(failures).map(failure => {
      const { code, details } = record(failure)
      const { exchange, missing } = record(details)
      const number = /exchange (\d+)/.exec(String(exchange))?.[1]
      return { code, exchange: Number(number), missing }
    }),
    ...list(leftovers).map(leftover => {
      const { number, kind } = record(leftover)
      return { kind, exchange: number }
    }),
  ]
}

/** Plays the cassette to the program with these arguments. */
export async function runCase(name: string, args: readonly string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-case-'))
  const report = join(folder, 'report.jsonl')
  const replay = spawn(
    process.execPath,
    [
      join(root, 'dist/cli.js'),
      'replay',
      join(root, `cassettes/cases/${name}.cassette.yaml`),
      '--stall',
      String(STALL_MS),
      `--json=${report}`,
      '--',
      process.execPath,
      join(here, 'run-live.mjs'),
      ...args,
    ],
    { env: bareEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  try {
    const [stdout, stderr] = await Promise.all([wholeText(replay.stdout), wholeText(replay.stderr)])
    // Its exit code is 1 where the program left the recording: an outcome, not a failure here.
    if (stdout === '') throw new Error(`the program said nothing:\n${stderr}`)
    const { turns, session, toolRuns } = record(JSON.parse(stdout))
    const connections = list(turns).map(record)
    return {
      streamed: connections[0]?.['events'],
      errors: connections.map(({ error }) => error),
      sent: connections.map(({ sent }) => list(sent).filter(message => !('setup' in record(message)))),
      session,
      toolRuns,
      verdict: await verdictOf(report),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
