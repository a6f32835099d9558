/** The tables of the matrix: a row for each cassette, a column for each runtime. And what such tables say. */
import type { Cell, PreparedCase } from './cell.ts'
import { code, table } from './markdown.ts'
import { canAct, labelOf, type Runtime } from './registry.ts'

const APIS = [
  { api: 'generate-content', title: 'generateContent' },
  { api: 'interactions', title: 'Interactions' },
  { api: 'live', title: 'Live' },
] as const
const LANGUAGES = { python: 'Python', javascript: 'JavaScript', java: 'Java', go: 'Go' } as const

/** What stands in a cell. */
export function wordsOf(marks: readonly string[]): string {
  if (marks.length === 0) return 'ok'
  return marks.includes('unsupported') ? '—' : marks.join(' ')
}

/** Every table, under a heading for its API and language. */
export function matrixTables(
  runtimes: readonly Runtime[],
  cases: readonly PreparedCase[],
  cells: readonly Cell[],
): string {
  const byKey = new Map(cells.map(cell => [keyOf(labelOf(cell.runtime), cell.name), wordsOf(cell.marks)]))
  const sections = APIS.flatMap(({ api, title }) =>
    Object.entries(LANGUAGES).flatMap(([language, spoken]) => {
      const own = cases.filter(({ scenario }) => scenario.api === api)
      const columns = runtimes.filter(
        runtime =>
          runtime.language === language && own.some(({ name }) => byKey.has(keyOf(labelOf(runtime), name))),
      )
      if (columns.length === 0) return []
      const rows = own.map(({ name, scenario }) => [
        linkToCase(name),
        ...columns.map(
          runtime => byKey.get(keyOf(labelOf(runtime), name)) ?? (canAct(runtime, scenario) ? '·' : '—'),
        ),
      ])
      return [`### ${title}, ${spoken}\n\n${table(['cassette', ...columns.map(labelOf)], rows)}`]
    }),
  )
  return sections.join('\n\n')
}

/** A cassette's name, as a link to it. */
export function linkToCase(name: string): string {
  return `[${code(name)}](../cassettes/cases/${name}.cassette.yaml)`
}

/** What the tables of a page say: the words of each cell, by the label of its runtime and the name of its cassette. */
export function cellsOnPage(page: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let columns: readonly string[] = []
  for (const line of page.split('\n')) {
    const [first = '', ...rest] = line.startsWith('| ') ? line.slice(2, -2).split(' | ') : []
    if (first === 'cassette') columns = rest
    const [, name] = /^\[`([^`]+)`\]/.exec(first) ?? []
    if (name === undefined) {
      if (first === '') columns = []
      continue
    }
    for (const [index, label] of columns.entries()) found.set(keyOf(label, name), rest[index] ?? '')
  }
  return found
}

/** How a cell is found in {@link cellsOnPage}. */
export function keyOf(label: string, name: string): string {
  return `${label} ${name}`
}
