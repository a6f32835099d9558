/**
 * What each runtime is known to break, in `expect/NAME@VERSION.json`: the names of cassettes, and for each what it
 * breaks there. A cassette that is not named holds all that applies to it. A mark with a `?` (written by hand) is of a
 * runtime that does it in some runs, e.g. one that runs tools at the same time: then neither is news.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { invariants } from '../invariants/judge.ts'
import { ROOT } from './command.ts'
import type { Cell } from './cell.ts'
import { items, record } from '../json.ts'
import { labelOf, type Runtime } from './registry.ts'

const FOLDER = join(ROOT, 'test/runtimes/expect')

/** Of a line, a comma behind it included. */
const WIDTH = 110

/** What is known to break, by cassette. */
export type Expected = Readonly<Record<string, readonly string[]>>

/** A cell that is not what it was known to be. */
export interface News {
  readonly cell: Cell
  /** What breaks and was not known to. */
  readonly broken: readonly string[]
  /** What was known to break, and does not. */
  readonly mended: readonly string[]
}

/** What a runtime is known to break; nothing where nobody has said. */
export function expectedOf(runtime: Pick<Runtime, 'name' | 'version'>): Expected {
  const path = pathOf(runtime)
  if (!existsSync(path)) return {}
  const known = record(JSON.parse(readFileSync(path, 'utf8')))
  return Object.fromEntries(Object.entries(known).map(([name, marks]) => [name, items(marks).map(String)]))
}

/** The cell with what is known to come and go as a mark of its own, whether it came or not. */
export function settled(cell: Cell, expected: Expected): Cell {
  const loose = (expected[cell.name] ?? []).filter(mark => mark.endsWith('?'))
  const firm = cell.marks.filter(mark => !loose.includes(`${mark}?`))
  return { ...cell, marks: [...firm, ...loose].toSorted(byNumber) }
}

/** The order of marks: by their numbers. */
export function byNumber(one: string, other: string): number {
  return Number(one.replaceAll(/\D/g, '')) - Number(other.replaceAll(/\D/g, ''))
}

/** What of these cells is news. */
export function newsIn(cells: readonly Cell[], expected: Expected): readonly News[] {
  return cells.flatMap(cell => {
    const known = expected[cell.name] ?? []
    const broken = cell.marks.filter(mark => !known.includes(mark))
    const mended = known.filter(mark => !cell.marks.includes(mark))
    return broken.length + mended.length === 0 ? [] : [{ cell, broken, mended }]
  })
}

/** The news as a reader needs it: who, on what, which invariant and what it says, what was found, how to see it. */
export function newsText({ cell, broken, mended }: News): string {
  const found = cell.verdicts.flatMap(({ number, findings }) =>
    findings.map(finding => ({ number, finding })),
  )
  const lines = broken.flatMap(mark => [
    `  breaks ${mark}, which it was not known to: ${sentenceOf(mark)}`,
    ...found.filter(({ number }) => number === mark).map(({ finding }) => `    ${finding}`),
    ...(cell.said === '' ? [] : [cell.said.replaceAll(/^/gm, '    ')]),
  ])
  return [
    `${labelOf(cell.runtime)} on ${cell.name}`,
    ...lines,
    ...mended.map(mark => `  no longer breaks ${mark}: ${sentenceOf(mark)}`),
    `  see it: ${commandOf(cell)}`,
    `  accept it: ${commandOf(cell)} --accept`,
  ].join('\n')
}

/** The command that plays one cell by itself. */
export function commandOf({ runtime, name }: Pick<Cell, 'runtime' | 'name'>): string {
  return `npm run test:runtimes -- --runtime ${labelOf(runtime)} --case ${name}`
}

/** What a mark stands for, as a sentence. */
export function sentenceOf(mark: string): string {
  const invariant = invariants.find(({ number }) => number === mark.replace('?', ''))
  if (invariant !== undefined) return invariant.says
  if (mark === 'unsupported') return 'The program says that its runtime can do this.'
  return mark === 'hung' ? 'The program ends.' : 'The program prints what it saw.'
}

/** What is known once these cells are accepted; what was known of other cassettes stays, unless they are gone. */
export function accepted(before: Expected, cells: readonly Cell[], names: readonly string[]): Expected {
  const measured = new Set(cells.map(({ name }) => name))
  const kept = Object.entries(before).filter(([name]) => names.includes(name) && !measured.has(name))
  const found = cells.filter(({ marks }) => marks.length > 0).map(({ name, marks }) => [name, marks] as const)
  return Object.fromEntries([...kept, ...found].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Writes what a runtime is known to break. */
export function writeExpected(runtime: Pick<Runtime, 'name' | 'version'>, expected: Expected): void {
  const lines = Object.entries(expected).map(([name, marks]) => lineOf(name, marks))
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(pathOf(runtime), lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`)
}

/** As the formatter has it: on one line where that is long enough for it. */
function lineOf(name: string, marks: readonly string[]): string {
  const words = marks.map(mark => JSON.stringify(mark))
  const line = `  ${JSON.stringify(name)}: [${words.join(', ')}]`
  if (line.length < WIDTH) return line
  return `  ${JSON.stringify(name)}: [\n${words.map(word => `    ${word}`).join(',\n')}\n  ]`
}

function pathOf(runtime: Pick<Runtime, 'name' | 'version'>): string {
  return join(FOLDER, `${labelOf(runtime)}.json`)
}
