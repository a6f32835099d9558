/**
 * Plays one cassette to one runtime's program, as anybody would, and says what came of it.
 *
 * The command of ours, with the program inside, where no network is. A program that never ends is killed; that
 * is an outcome as any other.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseJson } from '../../../src/wire/json.ts'
import { OFFLINE, bareEnvironment } from '../bare.ts'
import type { Received, ReplayFailure, ReplayLeftover, Run, Scenario, Transcript } from '../invariants/run.ts'
import { CLI, ROOT, VERTEX } from './command.ts'
import { items, record } from '../json.ts'

/** The authority is one for all runs: the trust stores that are made of it cost a second each. */
const AUTHORITY = join(ROOT, 'test/runtimes/.cache/ca')
/** How long the replay waits, in ms, for what a runtime never sends on a socket. */
const STALL_MS = 4_000
/** A program that runs longer hangs. */
const PATIENCE_MS = 60_000
/** How long a command that was told to end may take to say how it went. */
const GRACE_MS = 5_000

/** What came of a run. */
export interface Outcome extends Pick<Run, 'received' | 'failures' | 'leftovers' | 'notes'> {
  /** `error`: it said nothing that can be read, and `said` is its last word. */
  readonly how: 'ran' | 'unsupported' | 'error' | 'hung'
  readonly transcript: Transcript | undefined
  /** Why there is no transcript; empty where there is one. */
  readonly said: string
  /** The replay's: 0 where the runtime did what is on the recording. */
  readonly exit: number | undefined
}

/** What is played to whom. */
export interface OneRun {
  /** The cassette's path. */
  readonly file: string
  readonly scenario: Scenario
  /** The program; the scenario's file comes last. */
  readonly command: readonly string[]
}

/** Plays it. */
export async function runOne({ file, scenario, command }: OneRun): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'wiretape-matrix-'))
  const [script, lines] = [join(folder, 'scenario.json'), join(folder, 'lines.jsonl')]
  mkdirSync(AUTHORITY, { recursive: true, mode: 0o700 })
  writeFileSync(script, JSON.stringify(scenario))
  const replay = [CLI, 'replay', file, '--tls', '--ca-dir', AUTHORITY, '--match', 'route']
  const settings = ['--stall', String(STALL_MS), `--json=${lines}`]
  const words = [process.execPath, ...replay, ...settings, '--', ...command, script]
  const env = { ...bareEnvironment(folder), ...(scenario.backend === 'vertex' ? VERTEX : {}) }
  try {
    const ended = await endOf([...OFFLINE, ...words], { cwd: folder, env })
    return { ...whatItSaid(ended), ...reportIn(lines), exit: ended.code }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Ended {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
  readonly hung: boolean
}

/** Runs a command to its end, or to the end of our patience: then all that it has started ends too. */
function endOf(words: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Ended> {
  const [command = '', ...rest] = words
  const child = spawn(command, rest, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (piece: string) => void (said[stream] += piece))
  }
  let hung = false
  // What it started may outlive it, and hold on to its streams.
  const endAll = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // All of it is gone already.
    }
  }
  const patience = setTimeout(() => {
    hung = true
    endAll('SIGTERM')
  }, PATIENCE_MS)
  const force = setTimeout(() => endAll('SIGKILL'), PATIENCE_MS + GRACE_MS)
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', code => {
      clearTimeout(patience)
      clearTimeout(force)
      done({ code: code ?? undefined, ...said, hung })
    })
  })
}

/** The transcript, or the reason for there being none. */
function whatItSaid({ stdout, stderr, hung }: Ended): Pick<Outcome, 'how' | 'transcript' | 'said'> {
  // Some runtimes write what they log to where the transcript comes after it.
  const value = record(parseJson(stdout) ?? parseJson(stdout.slice(stdout.search(/^\{/m))))
  if (typeof value['unsupported'] === 'string') {
    return { how: 'unsupported', transcript: undefined, said: value['unsupported'] }
  }
  if (Array.isArray(value['turns'])) {
    return { how: 'ran', transcript: value as unknown as Transcript, said: '' }
  }
  if (hung) return { how: 'hung', transcript: undefined, said: `it did not end in ${PATIENCE_MS / 1000} s` }
  return { how: 'error', transcript: undefined, said: lastWords(`${stdout}\n${stderr}`) }
}

function lastWords(said: string): string {
  return said.trim().split('\n').slice(-30).join('\n')
}

/** What the replay's lines say, in the shapes that it prints. One that was killed said no last word. */
function reportIn(file: string): Pick<Outcome, 'received' | 'failures' | 'leftovers' | 'notes'> {
  const lines = linesIn(file).map(line => record(parseJson(line)))
  const closed = lines.find(({ event }) => event === 'closed') ?? {}
  return {
    received: lines.filter(({ event }) => event === 'received') as unknown as readonly Received[],
    failures: items(closed['failures']) as unknown as readonly ReplayFailure[],
    leftovers: items(closed['leftovers']) as unknown as readonly ReplayLeftover[],
    notes: items(closed['notes']).map(String),
  }
}

function linesIn(file: string): readonly string[] {
  // A replay that never came so far says on its streams why.
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}
