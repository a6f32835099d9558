/**
 * What every SDK is put through, set up by nothing but its environment, where no network is: each kind of call, as a
 * client of either side of the service, through the tunnel and by the base URL, recorded and replayed.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OFFLINE, bareEnvironment, oneAtATime } from './bare.ts'
import { CLI, expectBuilt, ROOT, VERTEX } from './matrix/command.ts'

/** What each call is replayed from: the same for all, and recorded by one of them. */
const CASSETTES = {
  unary: 'tool-turn',
  stream: 'streamed-answer',
  interactions: 'interactions-tool-turn',
  live: 'live-text-turn',
} as const

/** A kind of call. */
export type Call = keyof typeof CASSETTES

/** A program in one language. */
export interface SdkProgram {
  /** Installs what it needs; what is there, stays. */
  readonly setup: readonly string[]
  readonly command: (call: Call) => readonly string[]
  /** Those that its SDK has. */
  readonly calls: readonly Call[]
  /** `base` where its SDK knows no proxy, and base URLs are all it has. */
  readonly ways: 'tunnel and base' | 'base'
}

interface Outcome {
  readonly code: number
  readonly said: readonly string[]
  readonly report: string
}

const WITHOUT_BASE = ['env', '-u', 'GOOGLE_GEMINI_BASE_URL', '-u', 'GOOGLE_VERTEX_BASE_URL']

let folder = ''

/** Sets the machine up for the tests of one file. */
function prepare(setup: readonly string[]): void {
  const [command = '', ...words] = oneAtATime(setup)
  beforeAll(() => {
    expectBuilt()
    execFileSync(command, words, { stdio: ['ignore', 'inherit', 'inherit'] })
    folder = mkdtempSync(join(tmpdir(), 'wiretape-sdk-'))
    // Somebody has logged in here, in vain: what the login would be asked for is not needed.
    const gcloud = join(folder, '.config/gcloud')
    mkdirSync(gcloud, { recursive: true })
    const login = { type: 'authorized_user', client_id: 'a', client_secret: 'b', refresh_token: 'c' }
    writeFileSync(join(gcloud, 'application_default_credentials.json'), JSON.stringify(login))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
}

/** Runs our command with these words, where no network is, no key, no project and no authority. */
function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const [command = '', ...rest] = [...OFFLINE, process.execPath, CLI, ...words]
  const options = { env: { ...bareEnvironment(folder), ...env }, cwd: folder }
  return new Promise(done => {
    execFile(command, rest, options, (error, stdout, report) =>
      done({
        code: error === null ? 0 : Number(error.code),
        said: stdout.split('\n').filter(Boolean),
        report,
      }),
    )
  })
}

function shipped(call: Call): string {
  return join(ROOT, 'cassettes', `${CASSETTES[call]}.cassette.yaml`)
}

/** Replays a cassette to a command, with TLS. */
export function replayTo(
  command: readonly string[],
  call: Call,
  env: NodeJS.ProcessEnv = {},
  file: string = shipped(call),
): Promise<Outcome> {
  return run(['replay', file, '--tls', '--', ...command], env)
}

/** The same command without base URLs: it has to find the tunnel. */
export function tunnelled(command: readonly string[]): readonly string[] {
  return [...WITHOUT_BASE, ...command]
}

/** Records what a command does, of a service that is a replay itself. */
function recordOf(command: readonly string[], call: Call, file: string): Promise<Outcome> {
  const recorder = `exec '${process.execPath}' '${CLI}' record '${file}' --tls --upstream "$GOOGLE_GEMINI_BASE_URL" -- "$@"`
  return run(['replay', shipped(call), '--', 'sh', '-c', recorder, 'sh', ...command], {})
}

/** The tests of one program. */
export function describeSdk({ setup, command, calls, ways }: SdkProgram): void {
  prepare(setup)
  const through = ways === 'base' ? (words: readonly string[]) => words : tunnelled

  describe.each(calls)('%s', call => {
    it.runIf(ways === 'tunnel and base')('comes through the tunnel, as if to the service', async () => {
      const { code, said, report } = await replayTo(tunnelled(command(call)), call)
      expect(report).toMatch(/^Replayed: /m)
      expect([code, said.length > 1]).toEqual([0, true])
    })

    it('comes by the base URL, and gets the same', async () => {
      const other = await replayTo(through(command(call)), call)
      const { code, said } = await replayTo(command(call), call)
      expect(code).toBe(0)
      expect(said).toEqual(other.said)
    })

    it('comes as a client of Vertex AI, with no credentials that anybody asks for', async () => {
      const { code, said, report } = await replayTo(command(call), call, VERTEX)
      expect(report).toMatch(/^Replayed: /m)
      expect([code, said.length > 1]).toEqual([0, true])
    })

    it('is recorded, and replayed to the same program', async () => {
      const file = join(folder, `${call}.cassette.yaml`)
      const recorded = await recordOf(through(command(call)), call, file)
      expect(recorded.report).toMatch(/^Recorded /m)
      expect(recorded.code).toBe(0)
      const replayed = await replayTo(through(command(call)), call, {}, file)
      expect(replayed.code).toBe(0)
      expect(replayed.said).toEqual(recorded.said)
    })
  })
}
