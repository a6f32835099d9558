/**
 * Runs an example's suite as somebody would who has copied it: the command of ours around the language's own test
 * runner. What came of each test is read from the runner's own report.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { CLI, ROOT } from '../matrix/command.ts'

const here = import.meta.dirname

/** How a suite is run. */
export interface Suite {
  /** The example's folder in `examples/`. */
  readonly example: string
  /** The command that runs it, in that folder. */
  readonly command: readonly string[]
  /** What our command does, in that folder; unless given it replays the cassettes. */
  readonly words?: readonly string[]
  /** What of this folder is put into the suite, and where. */
  readonly added?: { readonly file: string; readonly folder: string }
  /** What came of each test, from the runner's report or output: why it failed, empty where it did not. */
  outcomes(folder: string, stdout: string): Readonly<Record<string, string>>
}

/** How it went. */
export interface Ended {
  /** The exit code of the whole. */
  readonly code: number | null
  readonly outcomes: Readonly<Record<string, string>>
  /** What our command says at the end. */
  readonly report: string
  /** Where it ran; gone after the test. */
  readonly folder: string
}

/** Runs a suite in a copy of the examples. */
export async function runSuite(suite: Suite): Promise<Ended> {
  const { example, command, added } = suite
  // With the recorded pauses a client leaves a stream before its end, however busy the machine is.
  const options = added === undefined ? [] : ['--pace', 'recorded']
  const { words: ours = ['replay', '../cassettes', ...options] } = suite
  const copy = mkdtempSync(join(tmpdir(), 'wiretape-suite-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(join(ROOT, 'examples'), copy, { recursive: true })
  const folder = join(copy, example)
  if (added !== undefined) copyFileSync(join(here, added.file), join(folder, added.folder, added.file))
  const words = [CLI, ...ours, '--', ...command]
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', GOTOOLCHAIN: 'local', GEMINI_API_KEY: 'of-nobody' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>(done => child.once('close', done))
  const [stdout, report, code] = await Promise.all([wholeText(child.stdout), wholeText(child.stderr), ended])
  try {
    return { code, outcomes: suite.outcomes(folder, stdout), report, folder }
  } catch (cause) {
    throw new Error(`the suite left no report\n${stdout}\n${report}`, { cause })
  }
}

/** Installs what the pytest example needs. */
export function installPython(): string {
  execFileSync(join(here, 'setup.sh'), { stdio: ['ignore', 'inherit', 'inherit'] })
  return join(here, '.venv/bin/python')
}

/** Something that a language's suite needs. */
export interface Tool {
  /** For people, with the least version: `Go 1.24`. */
  readonly title: string
  /** What says its version. */
  readonly command: readonly [name: string, ...args: string[]]
  /** Its group is the part of the version that must be at least this. */
  readonly version: RegExp
  readonly least: number
}

/** True where all of them are here; says so where not, since tests are skipped then. */
export function areInstalled(...tools: readonly Tool[]): boolean {
  const missing = tools.filter(({ command: [name, ...args], version, least }) => {
    const { stdout, stderr } = spawnSync(name, args, { encoding: 'utf8' })
    return !(Number(version.exec(`${stdout}${stderr}`)?.[1]) >= least)
  })
  for (const { title } of missing)
    process.stderr.write(`SKIPPED: an example needs ${title}, which is not here\n`)
  return missing.length === 0
}

/** What reports in JUnit's XML say: both pytest and Maven's Surefire write them. */
export function fromXml(path: string): Readonly<Record<string, string>> {
  const xml = readFileSync(path, 'utf8')
  const cases = xml.matchAll(
    /<testcase [^>]*?\bname="(?<name>[^"]*)"[^>]*?(?:\/>|>(?<inside>.*?)<\/testcase>)/gs,
  )
  return Object.fromEntries(
    [...cases].map(({ groups }) => {
      const why = /<(?:failure|error) [^>]*?message="(?<message>[^"]*)"/s.exec(groups?.['inside'] ?? '')
      return [groups?.['name'] ?? '', decoded(why?.groups?.['message'] ?? '')]
    }),
  )
}

/** What `go test -json` says. */
export function fromGo(stdout: string): Readonly<Record<string, string>> {
  const events = stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as { Action: string; Test?: string; Output?: string })
  const outcomes: Record<string, string> = {}
  for (const { Action: action, Test: test } of events) {
    if (test === undefined || (action !== 'pass' && action !== 'fail')) continue
    const output = events.filter(event => event.Test === test).map(event => event.Output ?? '')
    outcomes[test] = action === 'pass' ? '' : output.join('')
  }
  return outcomes
}

function decoded(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    quot: '"',
    lt: '<',
    gt: '>',
    apos: "'",
    amp: '&',
    '#10': '\n',
  }
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
}

async function wholeText(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}
