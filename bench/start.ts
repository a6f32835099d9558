/** What it costs to have Wiretape at all. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Benchmark, figure, median, type Row } from './row.ts'
import { CLI, lifetime, ROOT } from './spawned.ts'

const ROUNDS = 15
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
  const added: number[] = []
  const bares: number[] = []
  await lifetime(words)
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await lifetime(words)
    const other = await lifetime(bare)
    bares.push(other)
    added.push(one - other)
  }
  const over = median(added)
  return {
    what,
    wiretape: figure(over + median(bares), 'ms'),
    beside: `\`node -e 0\` ${figure(median(bares), 'ms')}`,
    result: `+ ${figure(over, 'ms')}`,
    bar: `≤ + ${barMs} ms`,
    holds: over <= barMs,
    how: `median of ${ROUNDS} pairs of processes`,
  }
}

export const start: Benchmark = async () => {
  const rows: Row[] = []
  for (const one of CASES) rows.push(await measure(one))
  return rows
}
