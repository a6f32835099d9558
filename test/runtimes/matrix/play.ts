/** Installs runtimes and plays cassettes to them, some at a time; what is on disk already is not played again. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { oneAtATime } from '../bare.ts'
import { caseFile } from './case.ts'
import { ROOT } from './command.ts'
import { type Cell, cellOf, type PreparedCase } from './cell.ts'
import { isPlayed, labelOf, type Runtime } from './registry.ts'
import { storedOutcome, storeOutcome } from './results.ts'
import { type Outcome, runOne } from './run-one.ts'

/** A runtime and a cassette that it can act. */
export interface Pair {
  readonly runtime: Runtime
  readonly prepared: PreparedCase
}

/** What is told as it happens. */
export interface Progress {
  readonly pair: Pair
  /** From 1. */
  readonly number: number
  readonly of: number
  readonly cell: Cell
  /** Undefined where it was on disk. */
  readonly ms: number | undefined
}

/** Every pair there is to play, runtime by runtime. */
export function pairsOf(runtimes: readonly Runtime[], cases: readonly PreparedCase[]): readonly Pair[] {
  return runtimes.flatMap(runtime =>
    cases.filter(({ scenario }) => isPlayed(runtime, scenario)).map(prepared => ({ runtime, prepared })),
  )
}

/** The nth of m parts, as even as they come, each with all runtimes in it. */
export function shardOf<T>(all: readonly T[], { number, of }: { number: number; of: number }): readonly T[] {
  return all.filter((_, index) => index % of === number - 1)
}

/** A pair that was played. */
export interface Result {
  readonly cell: Cell
  readonly outcome: Outcome
}

/** What came of all pairs that could be played, in their order, and why others could not. */
export interface Played {
  readonly results: readonly Result[]
  /** A sentence for each runtime that can't be installed. */
  readonly failed: readonly string[]
}

/** Plays all pairs, `jobs` at a time, and judges what came of each. */
export async function playAll(
  pairs: readonly Pair[],
  options: { readonly jobs: number; readonly tell: (progress: Progress) => void },
): Promise<Played> {
  const results: (Result | undefined)[] = pairs.map(() => undefined)
  const failed = new Set<string>()
  const queue = pairs.entries()
  let number = 0
  const worker = async (): Promise<void> => {
    for (const [index, pair] of queue) {
      try {
        const { outcome, ms } = await outcomeOf(pair)
        const cell = cellOf(pair.runtime, pair.prepared, outcome)
        results[index] = { cell, outcome }
        number += 1
        options.tell({ pair, number, of: pairs.length, cell, ms })
      } catch (error) {
        failed.add(error instanceof Error ? error.message : String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, worker))
  return { results: results.flatMap(result => result ?? []), failed: [...failed] }
}

/** What came of a pair: of the disk where nothing has changed, else of a run. */
export async function outcomeOf({
  runtime,
  prepared,
}: Pair): Promise<{ outcome: Outcome; ms: number | undefined }> {
  const stored = storedOutcome(runtime, prepared.scenario)
  if (stored !== undefined) return { outcome: stored, ms: undefined }
  const from = performance.now()
  const outcome = await play({ runtime, prepared })
  storeOutcome(runtime, prepared.scenario, outcome)
  return { outcome, ms: performance.now() - from }
}

/** Plays one pair, whatever is on disk. */
async function play({ runtime, prepared: { name, scenario } }: Pair): Promise<Outcome> {
  await install(runtime)
  return runOne({ file: caseFile(name), scenario, command: runtime.command })
}

const installed = new Map<string, Promise<unknown>>()

/** Installs a runtime, once in this process. Throws with what its setup said where that fails. */
function install(runtime: Runtime): Promise<unknown> {
  const words = runtime.setup.join(' ')
  const begun = installed.get(words) ?? setUp(runtime)
  installed.set(words, begun)
  return begun
}

async function setUp(runtime: Runtime): Promise<void> {
  const [command, ...rest] = oneAtATime(runtime.setup)
  if (command === undefined) return
  try {
    await promisify(execFile)(command, rest, { cwd: ROOT, maxBuffer: 1 << 26 })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${labelOf(runtime)} can't be installed: ${why}\nRun it by itself: ${runtime.setup.join(' ')}`,
      { cause: error },
    )
  }
}
