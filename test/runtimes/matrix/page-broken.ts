/** What is broken, a line for each invariant and cassette, and what became of each public issue. */
import type { Cell, Prepared } from './cell.ts'
import { commandOf, sentenceOf } from './expectations.ts'
import { issuesIn, type Issue, linkTo, runtimeOf } from './issues.ts'
import { code, table } from './markdown.ts'
import { linkToCase } from './page-matrix.ts'
import { labelOf } from './registry.ts'

/** A table for each runtime that breaks something. */
export function brokenTables(cases: readonly Prepared[], cells: readonly Cell[]): string {
  const names = [...new Set(cells.map(({ runtime }) => runtime.name))]
  const sections = names.flatMap(name => {
    const own = cells.filter(cell => cell.runtime.name === name && !cell.marks.includes('unsupported'))
    const rows = cases.flatMap(({ one }) =>
      brokenRows(
        one.note,
        own.filter(cell => cell.name === one.name),
      ),
    )
    return rows.length === 0 ? [] : [`### ${name}\n\n${table(['broken', 'on', 'in', 'public issue'], rows)}`]
  })
  return sections.length === 0 ? 'Nothing.' : sections.join('\n\n')
}

/** The rows of one runtime on one cassette. */
function brokenRows(note: string, cells: readonly Cell[]): readonly (readonly string[])[] {
  const marks = [...new Set(cells.flatMap(cell => cell.marks))].toSorted(byNumber)
  return marks.map(mark => {
    const broken = cells.filter(cell => cell.marks.includes(mark))
    const [first] = broken
    return [
      `${mark}: ${sentenceOf(mark)}`,
      linkToCase(first?.name ?? ''),
      broken.map(({ runtime }) => runtime.version).join(', '),
      issuesIn(note).map(linkTo).join(', ') || 'none found',
    ]
  })
}

function byNumber(one: string, other: string): number {
  return Number(one.replaceAll(/\D/g, '')) - Number(other.replaceAll(/\D/g, ''))
}

/** A row for each public issue and each cassette that shows it. */
export function issueTable(cases: readonly Prepared[], cells: readonly Cell[]): string {
  const rows = cases
    .flatMap(({ one }) => issuesIn(one.note).map(issue => ({ issue, name: one.name })))
    .toSorted((one, other) => compare(one.issue, other.issue) || (one.name < other.name ? -1 : 1))
    .map(({ issue, name }) => {
      const played = cells.filter(cell => cell.name === name && !cell.marks.includes('unsupported'))
      const own = played.filter(({ runtime }) => runtime.name === runtimeOf(issue))
      const others = played.filter(cell => !own.includes(cell))
      return [
        linkTo(issue),
        linkToCase(name),
        versions(own, cell => cell.marks.length > 0),
        versions(own, cell => cell.marks.length === 0),
        labels(others.filter(cell => cell.marks.length > 0)),
        commandFor([...own, ...others]),
      ]
    })
  const head = ['issue', 'cassette', 'breaks in', 'holds in', 'other runtimes that break on it', 'to see it']
  return table(head, rows)
}

/** The runtimes of the project itself, with what breaks in each. */
function versions(cells: readonly Cell[], picks: (cell: Cell) => boolean): string {
  const picked = cells.filter(picks).map(({ runtime, marks }) => [labelOf(runtime), ...marks].join(' '))
  return picked.length === 0 ? '—' : picked.join(', ')
}

function labels(cells: readonly Cell[]): string {
  return cells.length === 0 ? '—' : cells.map(({ runtime }) => labelOf(runtime)).join(', ')
}

/** The command that plays a cassette to the first of these runtimes that breaks on it, else to the first. */
export function commandFor(cells: readonly Cell[]): string {
  const cell = cells.find(({ marks }) => marks.length > 0) ?? cells[0]
  return cell === undefined ? '—' : code(commandOf(cell))
}

function compare(one: Issue, other: Issue): number {
  if (one.project !== other.project) return one.project < other.project ? -1 : 1
  return Number(one.number) - Number(other.number)
}
