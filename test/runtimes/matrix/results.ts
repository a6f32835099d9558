/**
 * What runs came to, on disk, so that a matrix that was stopped goes on where it was, and what has not changed is
 * not run again.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT, caseFile } from './case.ts'
import { record } from './json.ts'
import { labelOf, type Runtime } from './registry.ts'
import type { Outcome } from './run-one.ts'

const FOLDER = join(ROOT, 'test/runtimes/.cache/results')

/** A run that is over, as the disk has it. */
interface Stored {
  readonly key: string
  readonly outcome: Outcome
}

/** The outcome of a run that was made of the same things; undefined where there is none. */
export function storedOutcome(runtime: Runtime, name: string): Outcome | undefined {
  const path = pathOf(runtime, name)
  if (!existsSync(path)) return undefined
  const stored = record(JSON.parse(readFileSync(path, 'utf8'))) as unknown as Stored
  return stored.key === keyOf(runtime, name) ? stored.outcome : undefined
}

/** Keeps an outcome. */
export function storeOutcome(runtime: Runtime, name: string, outcome: Outcome): void {
  const path = pathOf(runtime, name)
  const stored: Stored = { key: keyOf(runtime, name), outcome }
  mkdirSync(dirname(path), { recursive: true })
  // Whole or not at all: a run may be stopped at any moment.
  writeFileSync(`${path}.new`, `${JSON.stringify(stored, undefined, 2)}\n`)
  renameSync(`${path}.new`, path)
}

/** Forgets what a run came to. */
export function forget(runtime: Runtime, name: string): void {
  rmSync(pathOf(runtime, name), { force: true })
}

function pathOf(runtime: Runtime, name: string): string {
  return join(FOLDER, labelOf(runtime), `${name}.json`)
}

/** What an outcome depends on: the cassette, the program and its pins, the command of ours, the scenario's rules. */
function keyOf(runtime: Runtime, name: string): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([labelOf(runtime), runtime.command.map(word => word.replace(ROOT, ''))]))
  hash.update(contentOf(caseFile(name)))
  for (const source of runtime.sources) hash.update(contentOf(source))
  hash.update(ours())
  return hash.digest('hex').slice(0, 16)
}

const contents = new Map<string, string>()

/** The hash of a file, or of all files in a folder. */
function contentOf(path: string): string {
  const known = contents.get(path)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const file of filesIn(path)) hash.update(readFileSync(file))
  const found = hash.digest('hex')
  contents.set(path, found)
  return found
}

function filesIn(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => join(one.parentPath, one.name))
    .toSorted()
}

/** The command as it was built, and what derives scenarios and reads what came. */
function ours(): string {
  const here = join(ROOT, 'test/runtimes/matrix')
  const rules = readdirSync(here).filter(name =>
    /^(?:scenario.*|exceptions|run-one|case|json)\.ts$/.test(name),
  )
  return [join(ROOT, 'dist'), ...rules.map(name => join(here, name))].map(contentOf).join()
}
