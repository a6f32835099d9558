/**
 * `npm run test:runtimes`: hands its words to vitest, or plays the matrix, or a part of it, and writes the page.
 *
 * Bundled by `test/runtimes/tsup.config.ts`.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HELP, Misuse, requestIn, type RunsRequest } from './arguments.ts'
import { caseNames } from './case.ts'
import { notBuilt, ROOT } from './command.ts'
import { type Cell, prepared } from './cell.ts'
import { digestTables } from './digest.ts'
import { accepted, expectedOf, newsIn, newsText, settled, writeExpected } from './expectations.ts'
import { between, placeOf } from './markdown.ts'
import { pageOf } from './page.ts'
import { pairsOf, playAll, type Result, shardOf } from './play.ts'
import { progressTeller } from './progress.ts'
import { RUNTIMES, labelOf } from './registry.ts'
import { forget } from './results.ts'
import { shown } from './show.ts'

const PAGE = join(ROOT, 'docs/runtimes.md')
const LIVE_PAGE = join(ROOT, 'docs/cases/run-live.md')
/** The runtimes whose transcripts are on that page, and what the names of its cassettes begin with. */
const DIGESTED = new Set(['adk-java@1.8.0', 'adk-python@2.13.0', 'adk-go@2.2.0', 'adk-js@2.0.0'])
const LIVE = 'run-live-'

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Runs the tests; the exit code is vitest's. */
function runTests(words: readonly string[]): number {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const command = [vitest, 'run', '--config', 'vitest.runtimes.config.ts', ...words]
  return spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' }).status ?? 1
}

/** Plays what was asked for; the exit code. */
async function playRuns(asked: RunsRequest): Promise<number> {
  const why = notBuilt()
  if (why !== undefined) throw new Misuse(why)
  const cases = await Promise.all(asked.names.map(prepared))
  const every = pairsOf(asked.runtimes, cases)
  const pairs = asked.shard === undefined ? every : shardOf(every, asked.shard)
  if (asked.fresh)
    for (const {
      runtime,
      prepared: { name },
    } of pairs)
      forget(runtime, name)
  const isAlone = pairs.length === 1
  const played = await playAll(pairs, {
    jobs: asked.jobs,
    tell: isAlone ? () => undefined : progressTeller(tell),
  })
  const { failed } = played
  const results = played.results.map(({ cell, outcome }) => ({
    cell: settled(cell, expectedOf(cell.runtime)),
    outcome,
  }))
  const cells = results.map(({ cell }) => cell)
  if (asked.json) {
    const scenarios = new Map(cases.map(({ name, scenario }) => [name, scenario]))
    const runs = results.map(result => ({ ...asJson(result), scenario: scenarios.get(result.cell.name) }))
    console.log(JSON.stringify(runs, undefined, 2))
  }
  if (!asked.json && isAlone) for (const { cell, outcome } of results) console.log(shown(cell, outcome))
  if (asked.accept) acceptAll(cells)
  if (asked.all && asked.shard === undefined && failed.length === 0) {
    writeFileSync(PAGE, pageOf({ runtimes: RUNTIMES, cases, cells }))
    writeDigest(results)
  }
  return verdictOn(cells, failed)
}

/** Writes the tables of the founding case of Live. */
function writeDigest(results: readonly Result[]): void {
  const told = results.filter(({ cell }) => DIGESTED.has(labelOf(cell.runtime)) && cell.name.startsWith(LIVE))
  const page = between(readFileSync(LIVE_PAGE, 'utf8'), 'transcripts', digestTables(told, LIVE))
  if (page === undefined)
    throw new Error(`${LIVE_PAGE} has no place for the transcripts: put ${placeOf('transcripts')} there`)
  writeFileSync(LIVE_PAGE, page)
}

/** Tells the news; the exit code. */
function verdictOn(cells: readonly Cell[], failed: readonly string[]): number {
  const news = byRuntime(cells).flatMap(own => newsIn(own.cells, expectedOf(own.runtime)))
  for (const one of news) tell(`\n${newsText(one)}`)
  for (const reason of failed) tell(`\n${reason}`)
  if (cells.length === 0 && failed.length === 0)
    throw new Misuse('no runtime of these can act any case of these')
  return news.length + failed.length === 0 ? 0 : 1
}

function acceptAll(cells: readonly Cell[]): void {
  for (const own of byRuntime(cells)) {
    writeExpected(own.runtime, accepted(expectedOf(own.runtime), own.cells, caseNames()))
  }
}

function byRuntime(cells: readonly Cell[]) {
  const runtimes = RUNTIMES.map(runtime => ({
    runtime,
    cells: cells.filter(cell => cell.runtime === runtime),
  }))
  return runtimes.filter(own => own.cells.length > 0)
}

function asJson({ cell: { runtime, name, marks, verdicts }, outcome }: Result) {
  return { runtime: labelOf(runtime), case: name, marks, verdicts, ...outcome }
}

async function main(words: readonly string[]): Promise<number> {
  const request = requestIn(words)
  switch (request.type) {
    case 'help':
      console.log(HELP)
      return 0
    case 'tests':
      return runTests(request.words)
    case 'runs':
      return playRuns(request)
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Misuse)) throw error
  tell(`${error.message}\n\nnpm run test:runtimes -- --help`)
  process.exitCode = 2
}
