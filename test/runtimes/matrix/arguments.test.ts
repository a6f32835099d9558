/** What words mean what. */
import { describe, expect, it } from 'vitest'
import { Misuse, requestIn, type RunsRequest } from './arguments.ts'
import { caseNames } from './case.ts'
import { labelOf, RUNTIMES } from './registry.ts'

function runs(...words: readonly string[]): RunsRequest {
  const request = requestIn(words)
  if (request.type !== 'runs') throw new Error(`${words.join(' ')} asks for ${request.type}`)
  return request
}

describe('words for the tests', () => {
  it.each([
    [[]],
    [['python']],
    [['--reporter=default', '--reporter=json', '--outputFile.json=results.json']],
    [['-t', 'a test', '--bail', '1']],
  ])('go to vitest as they are: %j', words => {
    expect(requestIn(words)).toEqual({ type: 'tests', words })
  })
})

describe('words for the matrix', () => {
  it('ask for all of it', () => {
    const { runtimes, names, all, jobs, shard } = runs('--all')
    expect([runtimes, names, all, jobs, shard]).toEqual([RUNTIMES, caseNames(), true, 2, undefined])
  })

  it('ask for a part of it', () => {
    expect(runs('--all', '--shard', '2/4', '--jobs', '1')).toMatchObject({
      shard: { number: 2, of: 4 },
      jobs: 1,
      fresh: false,
      accept: false,
    })
  })

  it('ask for one run', () => {
    const { runtimes, names, all, json } = runs(
      '--runtime=adk-python@2.13.0',
      '--case',
      'run-live-two-chunks',
      '--json',
    )
    expect([runtimes.map(labelOf), names]).toEqual([['adk-python@2.13.0'], ['run-live-two-chunks']])
    expect([all, json]).toEqual([false, true])
  })

  it('ask for every version of a runtime', () => {
    const found = runs('--runtime', 'adk-js').runtimes
    expect(found.map(({ name }) => name)).toEqual(found.map(() => 'adk-js'))
    expect(found.length).toBeGreaterThan(1)
  })

  it.each([
    [['--runtime', 'nobody'], /no runtime nobody: there are /],
    [['--case', 'run-live-two-chunk'], /no case run-live-two-chunk: did you mean run-live-two-chunks, /],
    [['--runtme', 'adk-js'], /no option --runtme: did you mean --runtime\?/],
    [['--all', '--runtime', 'adk-js'], /leave --runtime and --case out/],
    [['--all', '--shard', '5/4'], /--shard 5\/4/],
    [['--all', '--jobs', 'many'], /--jobs many/],
    [['--all', '--frsh'], /--frsh/],
  ])('are told what is wrong with them: %j', (words, message) => {
    expect(() => requestIn(words)).toThrow(Misuse)
    expect(() => requestIn(words)).toThrow(message)
  })
})

describe('the rows of the registry', () => {
  it('are each there once', () => {
    const labels = RUNTIMES.map(labelOf)
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([])
  })
})
