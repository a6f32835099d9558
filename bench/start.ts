/** What it costs to have Wiretape at all. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Benchmark, figure, median, quantile, type Row } from './row.ts'
import { CLI, lifetime, ROOT } from './spawned.ts'

const ROUNDS = 24
const ENTRY = pathToFileURL(join(ROOT, 'dist/index.js')).href

interface Case {
  readonly what: string
  readonly words: readonly string[]
  /** What the bare process does, so that only what is asked of Wiretape is left. */
  readonly bare: readonly string[]
  readonly barMs: number
}

const CASES: readonly Case[] = [
  {
    what: 'import of the main entry',
    words: ['--input-type=module', '-e', `import '${ENTRY}'`],
    bare: ['-e', '0'],
    barMs: 40,
  },
  { what: '`wiretape --version`', words: [CLI, '--version'], bare: ['-e', '0'], barMs: 250 },
]

async function measure({ what, words, bare, barMs }: Case): Promise<Row> {
  const ours: number[] = []
  const bares: number[] = []
  await lifetime(words)
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await lifetime(words))
    bares.push(await lifetime(bare))
  }
  const [one, other] = [quantile(ours, 0.25), quantile(bares, 0.25)]
  const over = one - other
  return {
    what,
    wiretape: figure(one, 'ms'),
    beside: `\`node -e 0\` ${figure(other, 'ms')}`,
    result: `+ ${figure(over, 'ms')}`,
    bar: `≤ + ${barMs} ms`,
    holds: over <= barMs,
    how: `lower quartiles of ${ROUNDS} pairs of processes; medians ${figure(median(ours), 'ms')} and ${figure(median(bares), 'ms')}`,
  }
}

export const start: Benchmark = async () => {
  const rows: Row[] = []
  for (const one of CASES) rows.push(await measure(one))
  return rows
}
