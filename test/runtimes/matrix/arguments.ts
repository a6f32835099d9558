/** What `npm run test:runtimes -- …` was asked for. */
import { parseArgs } from 'node:util'
import leven from 'leven'
import { caseNames } from './case.ts'
import { RUNTIMES, type Runtime, runtimesNamed, labelOf } from './registry.ts'

/** The request. */
export type Request =
  | { readonly type: 'help' }
  /** The tests, with vitest's own words. */
  | { readonly type: 'tests'; readonly words: readonly string[] }
  | RunsRequest

/** Runs of the matrix. */
export interface RunsRequest {
  readonly type: 'runs'
  readonly runtimes: readonly Runtime[]
  /** Of the cases. */
  readonly names: readonly string[]
  /** Every runtime and every case: the page follows from it. */
  readonly all: boolean
  readonly shard: { readonly number: number; readonly of: number } | undefined
  readonly jobs: number
  readonly fresh: boolean
  readonly accept: boolean
  readonly json: boolean
}

/** What is wrong with the words, for the one who typed them. */
export class Misuse extends Error {}

/** What `--help` prints. */
export const HELP = `Usage: npm run test:runtimes -- [words for vitest]
       npm run test:runtimes -- --all [options]
       npm run test:runtimes -- [--runtime NAME[@VERSION]] [--case NAME] [options]

The first runs the tests of all languages, as vitest is told to. The second plays every cassette of
cassettes/cases/ to every runtime, and writes docs/runtimes.md and the tables of docs/cases/run-live.md, unless a
runtime can't be installed. The third plays some, and shows what came of it.

Options:
  --shard N/M  only the Nth of M parts; no page is written. A later --all takes what the parts have left
  --jobs N     so many runs at a time (default: 2)
  --fresh      forget what was run before
  --accept     what is found is what is known from now on: test/runtimes/expect/
  --json       the runs as JSON on stdout, each with its scenario

Exit code 0: all is as it is known to be. 1: there is news, or a runtime can't be installed. 2: wrong words.

Examples:
  npm run test:runtimes -- python
  npm run test:runtimes -- --all --shard 1/4
  npm run test:runtimes -- --runtime adk-python@2.13.0 --case run-live-interrupted
  npm run test:runtimes -- --case call-parallel --json
`

const OURS = /^--(?:all|runtime|case|help)(?:=|$)/

/** Reads the words. */
export function requestIn(words: readonly string[]): Request {
  if (words.includes('--help')) return { type: 'help' }
  if (!words.some(word => OURS.test(word))) {
    words.forEach(checkSpelling)
    return { type: 'tests', words }
  }
  const values = valuesIn(words)
  if (values.all && (values.runtime !== undefined || values.case !== undefined)) {
    throw new Misuse('--all is every runtime and every case: leave --runtime and --case out')
  }
  return {
    type: 'runs',
    runtimes: values.runtime === undefined ? RUNTIMES : runtimesIn(values.runtime),
    names: values.case === undefined ? caseNames() : namesIn(values.case),
    all: values.all,
    shard: shardIn(values.shard),
    jobs: countIn(values.jobs, '--jobs'),
    fresh: values.fresh,
    accept: values.accept,
    json: values.json,
  }
}

/** What is one letter off from a word of ours is no word of vitest's. */
function checkSpelling(word: string): void {
  const [name = ''] = word.split('=')
  const meant = ['--all', '--runtime', '--case'].find(option => leven(name, option) === 1)
  if (meant !== undefined) throw new Misuse(`no option ${name}: did you mean ${meant}?`)
}

function valuesIn(words: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        all: flag,
        runtime: { type: 'string' },
        case: { type: 'string' },
        shard: { type: 'string' },
        jobs: { type: 'string', default: '2' },
        fresh: flag,
        accept: flag,
        json: flag,
      },
    })
    return values
  } catch (error) {
    throw new Misuse(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function runtimesIn(word: string): readonly Runtime[] {
  const found = runtimesNamed(word)
  if (found.length === 0)
    throw new Misuse(`no runtime ${word}: there are ${RUNTIMES.map(labelOf).join(', ')}`)
  return found
}

function namesIn(word: string): readonly string[] {
  if (caseNames().includes(word)) return [word]
  const near = caseNames().toSorted((one, other) => leven(word, one) - leven(word, other))
  throw new Misuse(
    `no case ${word}: did you mean ${near.slice(0, 3).join(', ')}? cassettes/cases/ has all of them`,
  )
}

function shardIn(word: string | undefined): RunsRequest['shard'] {
  if (word === undefined) return undefined
  const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(word) ?? []).map(Number)
  if (number < 1 || number > of) throw new Misuse(`--shard ${word}: say which of how many, e.g. 1/4`)
  return { number, of }
}

function countIn(word: string, option: string): number {
  const count = Number(word)
  if (Number.isInteger(count) && count > 0) return count
  throw new Misuse(`${option} ${word}: say a number from 1 on`)
}
