/**
 * Runs one case in one version of the runtime and says what came of it.
 *
 * Two commands of ours, one inside the other: a replay that plays the cassette as if it were the service, and
 * between it and the program a recorder whose own cassette shows every request that the runtime sent. The
 * runtime knows of neither: it is told a base URL and a key by its environment, as any program would be.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'

const here = import.meta.dirname
const root = resolve(here, '../../..')
const cli = join(root, 'dist/cli.js')
/** A replay tells its command where it listens; the recorder inside takes that for its upstream. */
const RECORD =
  'node=$1 cli=$2 out=$3; shift 3; exec "$node" "$cli" record "$out" --upstream "$GOOGLE_GEMINI_BASE_URL" -- "$@"'

/** What a case came to in one version: the whole of what a test may expect of it. */
interface Outcome {
  /** What each request held of the conversation, in order: `contents`, or `input` and `previous_interaction_id`. */
  readonly sent: readonly unknown[]
  /** What each user turn raised; null: nothing. */
  readonly errors: readonly unknown[]
  /** The events that the session holds at the end. */
  readonly session: unknown
  /** The tools that ran, with their arguments. */
  readonly toolRuns: unknown
  /** What our own report holds against the runtime: requests without a match, and what was left of the recording. */
  readonly verdict: readonly string[]
}

/** The runtime's program and its arguments, and the cassette it is played. */
interface Case {
  readonly cassette: string
  readonly command: readonly string[]
}

/** An object of JSON or YAML; everything else reads as one without keys. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The environment of a machine that has neither a key nor a project, whatever this one has. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GOOGLE|GEMINI|GCLOUD|CLOUDSDK)_/.test(name))
  return { ...Object.fromEntries(kept), GEMINI_API_KEY: 'placeholder', PYTHONDONTWRITEBYTECODE: '1' }
}

/** Everything that the stream says, once it has ended. */
async function wholeText(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) return ''
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

/** What of each request in a recorder's cassette is conversation, without the instructions and tools around it. */
async function conversations(file: string): Promise<readonly unknown[]> {
  const documents = parseAllDocuments(await readFile(file, 'utf8')).map(document => record(document.toJS()))
  return documents
    .filter(document => 'request' in document)
    .map(document => {
      const { body } = record(document['request'])
      // The recorder keeps a body as text where a value would not survive.
      const { contents, input, previous_interaction_id } = record(
        typeof body === 'string' ? JSON.parse(body) : body,
      )
      return contents === undefined ? { previous_interaction_id, input } : { contents }
    })
}

/** A list of JSON, each of it read as an object. */
function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(record) : []
}

/** What the replay's last line has to say. */
async function verdict(file: string): Promise<readonly string[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const { event, failures, leftovers } = record(JSON.parse(lines.at(-1) ?? ''))
  if (event !== 'closed') throw new Error('the replay said no last word')
  return [
    ...records(failures).map(({ code }) => String(code)),
    ...records(leftovers).map(({ number, kind }) => `exchange ${String(number)} ${String(kind)}`),
  ]
}

/** Plays the cassette to the program, in that version of the runtime. */
export async function runCase(version: string, { cassette, command }: Case): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'wiretape-case-'))
  const sent = join(folder, 'sent.cassette.yaml')
  const lines = join(folder, 'replay.jsonl')
  const [program = '', ...words] = command
  const inside = [join(here, '.venv', `adk-${version}`, 'bin/python'), join(here, program), ...words]
  try {
    const recorder = ['sh', '-c', RECORD, 'sh', process.execPath, cli, sent, ...inside]
    const replay = spawn(
      process.execPath,
      [cli, 'replay', join(root, cassette), `--json=${lines}`, '--', ...recorder],
      { env: bareEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const [stdout, stderr] = await Promise.all([wholeText(replay.stdout), wholeText(replay.stderr)])
    // Its exit code is 1 where the program left something of the recording: an outcome, not a failure here.
    if (stdout === '') throw new Error(`the program said nothing:\n${stderr}`)
    const { turns, session, toolRuns } = record(JSON.parse(stdout))
    return {
      sent: await conversations(sent),
      errors: records(turns).map(({ error }) => error),
      session,
      toolRuns,
      verdict: await verdict(lines),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
