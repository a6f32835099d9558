/**
 * Measures what a user pays for Wiretape, beside bare peers in the same run, and writes the table.
 *
 * `npm run bench`: all of it, into `docs/benchmarks.md`. `-- sse live`: only these, and nothing is written.
 * `--json`: the rows as JSON on stdout, in the place of the table. Exit code 1 where a bar is missed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './load.ts'
import { memory } from './memory.ts'
import { pace } from './pace.ts'
import { recordChunk } from './record-chunk.ts'
import { replayLive } from './replay-live.ts'
import { replaySse } from './replay-sse.ts'
import type { Benchmark, Row } from './row.ts'
import { ROOT } from './spawned.ts'
import { start } from './start.ts'

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  start,
  sse: replaySse,
  live: replayLive,
  chunk: recordChunk,
  load,
  pace,
  memory,
}

const TABLE = join(ROOT, 'docs/benchmarks.md')
const [BEGIN, END] = ['<!-- written by `npm run bench` -->', '<!-- until here -->']

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, wiretape, beside, result, bar, holds, how }) =>
      `| ${what} | ${wiretape} | ${beside} | ${result} | ${bar} | ${holds ? 'yes' : '**no**'} | ${how} |`,
  )
  return [
    '| what | Wiretape | beside it | result | bar | held | how |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

/** What the figures depend on. */
function machine(): string {
  const model = cpus()[0]?.model ?? 'an unknown processor'
  const date = new Date().toISOString().slice(0, 10)
  const busy = loadavg().map(value => value.toFixed(1))
  return [
    `${date}, Node.js ${process.version}, ${process.platform}`,
    `${availableParallelism()} cores (${model})`,
    `load in the last 1, 5 and 15 minutes: ${busy.join(', ')}`,
  ].join('; ')
}

function writeTable(rows: readonly Row[]): void {
  const text = readFileSync(TABLE, 'utf8')
  const [before, rest = ''] = text.split(BEGIN)
  const [, after] = rest.split(END)
  if (before === undefined || after === undefined) throw new Error(`${TABLE} has no place for the table`)
  writeFileSync(TABLE, `${before}${BEGIN}\n\n${machine()}\n\n${table(rows)}\n\n${END}${after}`)
}

async function main(words: readonly string[]): Promise<void> {
  const json = words.includes('--json')
  const only = words.filter(word => word !== '--json')
  const unknown = only.find(word => !(word in BENCHMARKS))
  if (unknown !== undefined) throw new Error(`no benchmark ${unknown}: ${Object.keys(BENCHMARKS).join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'wiretape-bench-'))
  const rows: Row[] = []
  try {
    for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
      if (only.length > 0 && !only.includes(name)) continue
      process.stderr.write(`${name} …\n`)
      const measured = await benchmark(folder, text => process.stderr.write(`  ${text}\n`))
      for (const { what, result, bar, holds } of measured) {
        process.stderr.write(`  ${what}: ${result} (${bar})${holds ? '' : ', missed'}\n`)
      }
      rows.push(...measured)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(json ? JSON.stringify({ machine: machine(), rows }, undefined, 2) : table(rows))
  if (only.length === 0) writeTable(rows)
  const missed = rows.filter(row => !row.holds)
  if (missed.length === 0) return
  process.stderr.write(
    `\nMissed:\n${missed.map(({ what, result, bar }) => `  ${what}: ${result}, not ${bar}\n`).join('')}`,
  )
  process.exitCode = 1
}

await main(process.argv.slice(2))
