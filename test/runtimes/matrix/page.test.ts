/** What a page and an expectation are made of, with cells that nobody had to run. */
import { describe, expect, it } from 'vitest'
import type { Cell, PreparedCase } from './cell.ts'
import { accepted, newsIn, newsText, settled } from './expectations.ts'
import { issuesIn, linkTo, withoutAddresses } from './issues.ts'
import { between, paragraph } from './markdown.ts'
import { brokenLists } from './page-broken.ts'
import { issueSection } from './page-issues.ts'
import { cellsOnPage, matrixTables } from './page-matrix.ts'
import { pageOf } from './page.ts'
import { shardOf } from './play.ts'
import type { Runtime } from './registry.ts'

const NOTE = `A right client reads it. A wrong one does not. https://github.com/google/adk-python/issues/7`

function runtime(version: string, refused?: string): Runtime {
  return {
    name: 'adk-python',
    package: 'google-adk',
    version,
    language: 'python',
    apis: ['live'],
    agents: ['single'],
    setup: [],
    command: [],
    sources: [],
    subset: false,
    ...(refused === undefined ? {} : { refused }),
  }
}

function caseNamed(name: string): PreparedCase {
  return {
    name,
    file: `${name}.cassette.yaml`,
    note: NOTE,
    exchanges: [],
    scenario: {
      name,
      api: 'live',
      backend: 'gemini',
      streaming: true,
      model: 'm',
      agent: 'single',
      tools: [],
      conversations: [],
      audio: false,
      resumption: false,
      streamArguments: false,
      thinkingSummaries: false,
    },
    wire: [],
  }
}

const [older, newer] = [runtime('1.0.0'), runtime('2.0.0')]
const cases = [caseNamed('one'), caseNamed('two')]

function cell(of: Runtime, name: string, ...marks: readonly string[]): Cell {
  const verdicts = marks.map(number => ({
    number,
    outcome: 'broken' as const,
    findings: [`${number} it is`],
  }))
  return { runtime: of, name, marks, verdicts, said: '' }
}

const cells = [
  cell(newer, 'one'),
  cell(newer, 'two', 'unsupported'),
  cell(older, 'one', 'I12', 'I22'),
  cell(older, 'two', 'hung'),
]

describe('the tables of the matrix', () => {
  const tables = matrixTables([newer, older], cases, cells)

  it('have a row for each cassette and a column for each runtime', () => {
    expect(tables).toBe(
      [
        '### Live, Python',
        '',
        '| cassette | adk-python@2.0.0 | adk-python@1.0.0 |',
        '| --- | --- | --- |',
        '| [`one`](../cassettes/cases/one.cassette.yaml) | ok | I12 I22 |',
        '| [`two`](../cassettes/cases/two.cassette.yaml) | — | hung |',
      ].join('\n'),
    )
  })

  it('are read back from a page', () => {
    expect([...cellsOnPage(`# A page\n\n${tables}\n\n| a | b |\n| --- | --- |\n| c | d |\n`)]).toEqual([
      ['adk-python@2.0.0 one', 'ok'],
      ['adk-python@1.0.0 one', 'I12 I22'],
      ['adk-python@2.0.0 two', '—'],
      ['adk-python@1.0.0 two', 'hung'],
    ])
  })

  it('are the only ones of a page that are read back', () => {
    const page = pageOf({ runtimes: [newer, older], cases, cells })
    expect([...cellsOnPage(page)]).toEqual([...cellsOnPage(tables)])
  })
})

describe('what is broken', () => {
  it('has a line for each invariant and cassette, with the versions and the issue', () => {
    const lists = brokenLists(cases, [...cells, cell(runtime('1.5.0'), 'one', 'I22')])
    expect(lists.slice(lists.indexOf('**I22**')).split('\n').slice(2, 3)).toEqual([
      '- [`one`](../cassettes/cases/one.cassette.yaml) in 1.0.0, 1.5.0: [google/adk-python#7](https://github.com/google/adk-python/issues/7)',
    ])
  })
})

describe('a public issue', () => {
  it('is shown by the versions of its own project', () => {
    const row = issueSection(cases.slice(0, 1), cells)
      .split('\n')
      .find(line => line.startsWith('| [google'))
    expect(row?.split(' | ').slice(2)).toEqual([
      'adk-python@1.0.0 I12 I22',
      'adk-python@2.0.0',
      '—',
      '`npm run test:runtimes -- --runtime adk-python@1.0.0 --case one` |',
    ])
  })

  it('of another project is shown by whoever breaks on it', () => {
    const of = cases.slice(0, 1).map(one => ({ ...one, note: 'See BerriAI/litellm#7.' }))
    expect(issueSection(of, cells)).toMatch(/^- \[BerriAI\/litellm#7\].*; breaks here: adk-python$/m)
  })

  it('is found by its address and in words', () => {
    const note = 'From google/adk-java issue 1648. https://github.com/googleapis/js-genai/pull/12'
    expect(issuesIn(note).map(linkTo)).toEqual([
      '[googleapis/js-genai#12](https://github.com/googleapis/js-genai/pull/12)',
      '[google/adk-java#1648](https://github.com/google/adk-java/issues/1648)',
    ])
    expect(withoutAddresses(note)).toBe('From google/adk-java issue 1648.')
  })
})

describe('a page', () => {
  it('says which versions could not be played to, and has no column for them', () => {
    const page = pageOf({ runtimes: [newer, runtime('3.0.0', 'its registry says 404')], cases, cells })
    expect(page).toContain('not played to: its registry says 404')
    expect(page).not.toContain('| adk-python@3.0.0 |\n| --- |')
  })

  it('is the same for the same cells', () => {
    const input = { runtimes: [newer, older], cases, cells }
    expect(pageOf(input)).toBe(pageOf(input))
  })
})

describe('what is known of a runtime', () => {
  it('makes news of what breaks and of what no longer does', () => {
    expect(newsIn([cell(older, 'one', 'I12', 'I22')], { one: ['I12', 'I22'] })).toEqual([])
    const [news] = newsIn([cell(older, 'one', 'I22')], { one: ['I12'] })
    expect([news?.broken, news?.mended]).toEqual([['I22'], ['I12']])
  })

  it('is told with what was found and the command that shows it', () => {
    const told = newsIn([cell(older, 'one', 'I22')], {})
      .map(newsText)
      .join('')
    expect(told).toContain('adk-python@1.0.0 on one')
    expect(told).toContain('breaks I22')
    expect(told).toContain('I22 it is')
    expect(told).toContain('--runtime adk-python@1.0.0 --case one')
  })

  it('may be that something comes and goes', () => {
    const expected = { one: ['I12', 'I25?'] }
    const found = [cell(older, 'one', 'I12'), cell(older, 'one', 'I12', 'I25')].map(one =>
      settled(one, expected),
    )
    expect(found.map(({ marks }) => marks)).toEqual([
      ['I12', 'I25?'],
      ['I12', 'I25?'],
    ])
    expect(newsIn(found, expected)).toEqual([])
    expect(accepted(expected, found.slice(0, 1), ['one'])).toEqual(expected)
  })

  it('is what was found once it is accepted, without cassettes that are gone', () => {
    const before = { gone: ['I1'], one: ['I12'], other: ['I2'] }
    const found = [cell(older, 'one'), cell(older, 'two', 'I22')]
    expect(accepted(before, found, ['one', 'other', 'two'])).toEqual({ other: ['I2'], two: ['I22'] })
  })
})

describe('the parts of a matrix', () => {
  it('are all of it, and none twice', () => {
    const all = [1, 2, 3, 4, 5, 6, 7]
    const parts = [1, 2, 3].map(number => shardOf(all, { number, of: 3 }))
    expect(parts.flat().toSorted((one, other) => one - other)).toEqual(all)
  })
})

describe('generated text', () => {
  it('is broken into lines, those of an item under its text', () => {
    const lines = paragraph('word '.repeat(60), '- ').split('\n')
    expect(lines.every(line => line.length <= 140)).toBe(true)
    expect(lines.map(line => line.slice(0, 6))).toEqual(['- word', '  word', '  word'])
  })

  it('goes between its marks, and nowhere else', () => {
    const whole = 'a\n<!-- begin x -->\nold\n<!-- end x -->\nb'
    expect(between(whole, 'x', 'new')).toBe('a\n<!-- begin x -->\n\nnew\n\n<!-- end x -->\nb')
    expect(between(whole, 'y', 'new')).toBeUndefined()
  })
})
