/** What is broken: for each runtime and invariant the cassettes, the versions and the public issues, a line each. */
import { type Cell, type PreparedCase, supported } from './cell.ts'
import { byNumber, sentenceOf } from './expectations.ts'
import { issuesIn, linkTo } from './issues.ts'
import { paragraph } from './markdown.ts'
import { linkToCase } from './page-matrix.ts'

const INTRODUCTION = `By runtime and invariant: the cassettes on which it breaks, the versions, and the public issues that the cassette names.
  Those may be of another project; [the public issues](#the-public-issues) tells them apart.`

/** A list for each runtime that breaks something. */
export function brokenLists(cases: readonly PreparedCase[], cells: readonly Cell[]): string {
  const names = [...new Set(cells.map(({ runtime }) => runtime.name))]
  const sections = names.flatMap(name => {
    const own = supported(cells).filter(cell => cell.runtime.name === name)
    const marks = [...new Set(own.flatMap(cell => cell.marks))].toSorted(byNumber)
    if (marks.length === 0) return []
    return [`### ${name}`, ...marks.map(mark => brokenList(mark, cases, own))]
  })
  return sections.length === 0 ? 'Nothing.' : [paragraph(INTRODUCTION), ...sections].join('\n\n')
}

/** The cassettes on which one runtime breaks one invariant. */
function brokenList(mark: string, cases: readonly PreparedCase[], cells: readonly Cell[]): string {
  const lines = cases.flatMap(({ name, note }) => {
    const broken = cells.filter(cell => cell.name === name && cell.marks.includes(mark))
    if (broken.length === 0) return []
    const versions = broken.map(({ runtime }) => runtime.version).join(', ')
    const issues = issuesIn(note).map(linkTo).join(', ') || 'no public issue found'
    return [`- ${linkToCase(name)} in ${versions}: ${issues}`]
  })
  return `${paragraph(`**${mark}** ${sentenceOf(mark)}`)}\n\n${lines.join('\n')}`
}
