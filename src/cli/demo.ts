/**
 * `wiretape demo`: the whole of it, offline. A replay server plays shipped cassettes as if it were the
 * service, an app talks to it through the recording proxy, the new cassette is replayed to the same app, and
 * both runs are compared to the byte.
 *
 * Room: cli.
 */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReplayReport } from '../replay/report.ts'
import { type DemoClients, installedClients } from './demo-client.ts'
import { DEMO_CASSETTES, playScript } from './demo-script.ts'
import { byteSize, count, painter, type Surroundings } from './output.ts'
import { isFaithful, replayReport } from './report.ts'
import { BY } from './version.ts'
import { openTap } from './tap.ts'
import { witness, type Witnessed } from './witness.ts'

/** What can be put in place of the demo's own; a test does. */
export interface DemoOptions {
  readonly clients?: DemoClients
  /** Gives the address that the app uses while recording, or while replaying, to reach a server. */
  readonly route?: (run: 'recording' | 'replaying', url: string) => string | Promise<string>
}

/** What the app saw in one run. */
interface Run {
  readonly lines: readonly string[]
  readonly answers: readonly Witnessed[]
}

/** A run, and what the replay server behind it has to say. */
interface Played {
  readonly run: Run
  readonly report: ReplayReport
}

/** Runs the demo. Returns the exit code: 1 where the two runs differ. */
export async function demo({ stdout, env }: Surroundings, options: DemoOptions = {}): Promise<0 | 1> {
  const paint = painter(stdout, env)
  const clients = options.clients ?? (await installedClients())
  const file = join(mkdtempSync(join(env['TMPDIR'] ?? tmpdir(), 'wiretape-demo-')), 'demo.cassette.yaml')
  const say = (...lines: readonly string[]) => void stdout.write(lines.map(line => `${line}\n`).join(''))

  say(`Recording what an app does with ${clients.name}; a replay of shipped cassettes plays the service.`, '')
  const recording = await record(file, clients, options)
  say(...shown('recorded', recording.run), '')
  const replaying = await replay(file, clients, options)
  say(...shown('replayed', replaying.run), '')

  for (const report of [recording.report, replaying.report]) {
    if (!isFaithful(report)) say(replayReport(report, paint))
  }
  const difference = firstDifference(recording.run, replaying.run)
  if (difference.length > 0 || !isFaithful(recording.report) || !isFaithful(replaying.report)) {
    say(...difference, `The transcripts are ${paint('red', 'different')}. ${file}`)
    return 1
  }
  const { answers } = recording.run
  const bytes = byteSize(answers.reduce((sum, answer) => sum + answer.bytes, 0))
  say(
    `Both transcripts are ${paint('green', 'identical')}: ${count(answers.length, 'answer')}, ${bytes}. ${file}`,
  )
  return 0
}

/** The app, the proxy, and the shipped cassettes in place of the service. */
async function record(file: string, clients: DemoClients, options: DemoOptions): Promise<Played> {
  const { createReplayServer } = await import('../serve/replay-server.ts')
  const { createRecordServer } = await import('../serve/record-server.ts')
  const service = await createReplayServer({
    files: DEMO_CASSETTES.map(name => join(shippedCassettes(), name)),
  })
  const proxy = await createRecordServer({
    file,
    upstream: service.url,
    by: BY,
    note: 'Recorded by wiretape demo.',
  })
  const run = await runApp(clients, (await options.route?.('recording', proxy.url)) ?? proxy.url)
  await proxy.close()
  return { run, report: await service.close() }
}

/** The app again, and the new cassette. */
async function replay(file: string, clients: DemoClients, options: DemoOptions): Promise<Played> {
  const { createReplayServer } = await import('../serve/replay-server.ts')
  const server = await createReplayServer({ files: [file] })
  const run = await runApp(clients, (await options.route?.('replaying', server.url)) ?? server.url)
  return { run, report: await server.close() }
}

async function runApp(clients: DemoClients, url: string): Promise<Run> {
  const tap = await openTap(url)
  const [lines, answers] = await witness(() =>
    // An app that fails is a difference, and not the end of the demo.
    playScript(clients.at(url), clients.at(tap.url)).catch((error: unknown) => [
      `failed        ${String(error)}`,
    ]),
  )
  const sockets = tap.answers()
  await tap.close()
  return { lines, answers: [...answers, ...sockets] }
}

/** Beside the built command, or at the top of the project where this runs from its source. */
function shippedCassettes(): string {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const places = ['../cassettes', '../../cassettes'].map(place => join(here, place))
  return places.find(place => existsSync(join(place, DEMO_CASSETTES[0] ?? ''))) ?? join(here, '../cassettes')
}

function shown(title: string, { lines, answers }: Run): readonly string[] {
  return [
    `${title}:`,
    ...lines.map(line => `  ${line}`),
    ...answers.map(
      ({ head, bytes, digest }) => `  ${head}, ${byteSize(bytes)}, sha256 ${digest.slice(0, 12)}`,
    ),
  ]
}

/** The first thing that the app saw otherwise, from both sides. */
function firstDifference(recorded: Run, replayed: Run): readonly string[] {
  const [mine, others] = [facts(recorded), facts(replayed)]
  for (let at = 0; at < Math.max(mine.length, others.length); at += 1) {
    if (mine[at] !== others[at]) {
      return [`  recorded: ${mine[at] ?? '(nothing)'}`, `  replayed: ${others[at] ?? '(nothing)'}`, '']
    }
  }
  return []
}

function facts({ lines, answers }: Run): readonly string[] {
  return [...lines, ...answers.map(({ head, bytes, digest }) => `${head}, ${bytes} bytes, sha256 ${digest}`)]
}
