/**
 * What runs came to, on disk, so that a matrix that was stopped goes on where it was, and what has not changed is
 * not run again.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Scenario } from '../invariants/run.ts'
import { caseFile } from './case.ts'
import { ROOT } from './command.ts'
import { record } from '../json.ts'
import { labelOf, type Runtime } from './registry.ts'
import type { Outcome } from './run-one.ts'

const FOLDER = join(ROOT, 'test/runtimes/.cache/results')

/** A run that is over, as the disk has it. */
interface Stored {
  readonly key: string
  readonly outcome: Outcome
}

/**
 * The outcome of a run that was made of the same things; undefined where there is none. One without a transcript is
 * not trusted: the machine may have been at fault, and it is run again.
 */
export function storedOutcome(runtime: Runtime, scenario: Scenario): Outcome | undefined {
  const path = pathOf(runtime, scenario.name)
  if (!existsSync(path)) return undefined
  const stored = record(JSON.parse(readFileSync(path, 'utf8'))) as unknown as Stored
  const isTrusted = stored.outcome.how === 'ran' || stored.outcome.how === 'unsupported'
  return isTrusted && stored.key === keyOf(runtime, scenario) ? stored.outcome : undefined
}

/** Keeps an outcome. */
export function storeOutcome(runtime: Runtime, scenario: Scenario, outcome: Outcome): void {
  const path = pathOf(runtime, scenario.name)
  const stored: Stored = { key: keyOf(runtime, scenario), outcome }
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

/** What an outcome depends on: the cassette, the scenario, the program and its pins. Not the command of ours. */
function keyOf(runtime: Runtime, scenario: Scenario): string {
  const hash = createHash('sha256')
  const command = runtime.command.map(word => word.replaceAll(ROOT, ''))
  hash.update(JSON.stringify([labelOf(runtime), command.slice(1), scenario]))
  for (const file of [caseFile(scenario.name), ...runtime.sources]) hash.update(contentOf(file))
  return hash.digest('hex').slice(0, 16)
}

const contents = new Map<string, string>()

/** The hash of a file. */
function contentOf(path: string): string {
  const known = contents.get(path)
  if (known !== undefined) return known
  const found = createHash('sha256').update(readFileSync(path)).digest('hex')
  contents.set(path, found)
  return found
}
