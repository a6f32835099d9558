/** What became of each public issue that a cassette names: where its project's own runtime breaks on it, and where not. */
import { type Cell, type PreparedCase, supported } from './cell.ts'
import { commandOf } from './expectations.ts'
import { type Issue, issuesIn, linkTo, runtimesOf } from './issues.ts'
import { code, paragraph, table } from './markdown.ts'
import { linkToCase } from './page-matrix.ts'
import { labelOf } from './registry.ts'

/** An issue and a cassette that names it. */
interface Shown {
  readonly issue: Issue
  readonly name: string
}

/** The section's text. */
export function issueSection(cases: readonly PreparedCase[], cells: readonly Cell[]): string {
  const all = cases
    .flatMap(({ name, note }) => issuesIn(note).map(issue => ({ issue, name })))
    .toSorted((one, other) => compare(one.issue, other.issue))
  const played = supported(cells)
  const own = all.filter(({ issue, name }) => cellsOf(issue, name, played).length > 0)
  const breaking = own.filter(({ issue, name }) =>
    cellsOf(issue, name, played).some(({ marks }) => marks.length > 0),
  )
  return [
    paragraph(
      `Of the projects whose runtimes are here: ${urlsOf(own).size} issues and pull requests. On a cassette of ${urlsOf(breaking).size} of them a version of the project
       itself breaks an invariant; on those of the others all invariants hold in every version that could be installed. What breaks on a cassette may be
       another thing than what was reported, and an issue may have been mended before the oldest version here.`,
    ),
    table(
      ['issue', 'cassette', 'breaks in', 'holds in', 'breaks elsewhere', 'to see it'],
      own.map(shown => rowOf(shown, played)),
    ),
    paragraph('Of other projects:'),
    otherList(
      all.filter(shown => !own.includes(shown)),
      played,
    ),
  ].join('\n\n')
}

function cellsOf(issue: Issue, name: string, cells: readonly Cell[]): readonly Cell[] {
  return cells.filter(cell => cell.name === name && runtimesOf(issue).includes(cell.runtime.name))
}

function urlsOf(all: readonly Shown[]): ReadonlySet<string> {
  return new Set(all.map(({ issue }) => issue.url))
}

function rowOf({ issue, name }: Shown, played: readonly Cell[]): readonly string[] {
  const cells = cellsOf(issue, name, played)
  return [
    linkTo(issue),
    linkToCase(name),
    versions(cells.filter(({ marks }) => marks.length > 0)),
    versions(cells.filter(({ marks }) => marks.length === 0)),
    namesOf(played.filter(cell => cell.name === name && !cells.includes(cell))),
    commandFor(cells),
  ]
}

/** Versions, with what breaks in each. */
function versions(cells: readonly Cell[]): string {
  const words = cells.map(({ runtime, marks }) => [labelOf(runtime), ...marks].join(' '))
  return words.length === 0 ? '—' : words.join(', ')
}

/** The runtimes that break something there. */
function namesOf(cells: readonly Cell[]): string {
  const broken = cells.filter(({ marks }) => marks.length > 0)
  return [...new Set(broken.map(({ runtime }) => runtime.name))].join(', ') || '—'
}

/** A line for each issue that no runtime here is of, with its cassettes and the runtimes that break on those. */
function otherList(all: readonly Shown[], played: readonly Cell[]): string {
  const lines = [...urlsOf(all)].map(url => {
    const own = all.filter(({ issue }) => issue.url === url)
    const names = own.map(({ name }) => name)
    const who = namesOf(played.filter(({ name }) => names.includes(name)))
    const issue = own.map(one => linkTo(one.issue))[0] ?? ''
    return `- ${issue}: ${names.map(linkToCase).join(', ')}${who === '—' ? '' : `; breaks here: ${who}`}`
  })
  return lines.length === 0 ? 'None.' : lines.join('\n')
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
