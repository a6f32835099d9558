/** `docs/runtimes.md`, generated: the same cells give the same page. */
import { invariants } from '../invariants/judge.ts'
import { type Cell, type PreparedCase, supported } from './cell.ts'
import { issuesIn, linkTo, withoutAddresses } from './issues.ts'
import { code, paragraph, table } from './markdown.ts'
import { brokenLists } from './page-broken.ts'
import { commandFor, issueSection } from './page-issues.ts'
import { linkToCase, matrixTables } from './page-matrix.ts'
import { labelOf, type Runtime } from './registry.ts'

/** All that the page is made of. */
export interface PageInput {
  readonly runtimes: readonly Runtime[]
  readonly cases: readonly PreparedCase[]
  readonly cells: readonly Cell[]
}

/** The page. */
export function pageOf({ runtimes, cases, cells }: PageInput): string {
  const played = supported(cells)
  const right = played.filter(({ marks }) => marks.length === 0)
  return `${[
    '# The runtimes',
    ...INTRODUCTION.map(text => paragraph(text)),
    paragraph(
      `Here are ${cases.length} cassettes and ${runtimes.filter(one => one.refused === undefined).length} versions of ${new Set(runtimes.map(({ name }) => name)).size} runtimes: ${played.length} runs. In ${right.length} of them every invariant holds.`,
    ),
    ...READING(cells.some(({ marks }) => marks.some(mark => mark.endsWith('?')))).map(text =>
      text.startsWith('```') ? text : paragraph(text),
    ),
    CONTENTS.map(heading => `- [${heading}](#${heading.toLowerCase().replaceAll(' ', '-')})`).join('\n'),
    '## The versions',
    runtimeTable(runtimes, cells),
    paragraph(VARIANTS),
    '## The matrix',
    matrixTables(runtimes, cases, cells),
    '## What is broken',
    brokenLists(cases, cells),
    '## The public issues',
    issueSection(cases, cells),
    '## The invariants',
    table(
      ['', 'what holds'],
      invariants.map(({ number, says }) => [number, says]),
    ),
    '## The cases',
    cases.map(prepared => caseItem(prepared, cells)).join('\n'),
  ].join('\n\n')}\n`
}

const INTRODUCTION = [
  `What agent runtimes and SDKs make of the same bytes. Each [cassette](../cassettes/cases/) is played to each runtime, unmodified and in the version
   that is named, by a small program on its public API; what the app saw, what the runtime stored and what it sent next is then held to
   [invariants](#the-invariants). This page is written by ${code('npm run test:runtimes -- --all')}; nobody edits it.`,
]

/** The headings, in their order. */
const CONTENTS = [
  'The versions',
  'The matrix',
  'What is broken',
  'The public issues',
  'The invariants',
  'The cases',
]

const VARIANTS = `${code('adk-js-progressive')} is @google/adk with its flag for streamed calls on, ${code('genai-python-afc')} the SDK that runs the tools by itself,
  ${code('chromium')} the SDK in a page of a browser.`

/** How to read a cell, with or without marks that are not there in every run. */
const READING = (hasChance: boolean): readonly string[] => [
  `In [the matrix](#the-matrix) a cell says ${code('ok')} where all invariants that apply hold, else which do
   not${hasChance ? ` (${code('I25?')}: not in every run)` : ''}; ${code('error')} where the program said
   nothing that can be read, ${code('hung')} where it did not end in a minute, — where the runtime has no such API or mode, and · where it
   was not played: some versions are here for what changed between them. A raw SDK promises
   less than an agent runtime, and is held to less.`,
  'To see one cell by itself, with the transcript, and what was found:',
  '```sh\nnpm run build\nnpm run test:runtimes -- --runtime adk-python@2.13.0 --case run-live-interrupted\n```',
  'To ask the same of an app of your own, see [your runtime](your-runtime.md).',
]

/** The packages, how many cassettes each was played, and what could not be played to. */
function runtimeTable(runtimes: readonly Runtime[], cells: readonly Cell[]): string {
  const rows = runtimes.map(runtime => {
    const own = supported(cells).filter(cell => cell.runtime === runtime)
    const right = own.filter(({ marks }) => marks.length === 0)
    const numbers = [`${own.length}`, `${right.length}`, `${own.length - right.length}`]
    const what = `${code(runtime.package)} ${runtime.version}`
    const { refused } = runtime
    return [
      labelOf(runtime),
      what,
      ...(refused === undefined ? numbers : [`not played to: ${refused}`, '', '']),
    ]
  })
  return table(['runtime', 'package', 'cassettes', 'all holds', 'something breaks'], rows)
}

/** A case: what a right and a wrong client does, and how to see it. */
function caseItem({ name, note }: PreparedCase, cells: readonly Cell[]): string {
  const command = commandFor(supported(cells).filter(cell => cell.name === name))
  const issues = issuesIn(note).map(linkTo).join(', ')
  const words = [linkToCase(name), withoutAddresses(note), issues, command === '—' ? '' : command]
  return paragraph(words.filter(Boolean).join(' '), '- ')
}
