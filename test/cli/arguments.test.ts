/** From words to what is to be done. What is wrong is in `usage.test.ts`, where the command says it. */
import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/cli/arguments.ts'

describe('wiretape record', () => {
  it('needs a file and nothing else', () => {
    expect(readArguments(['record', 's.cassette.yaml'])).toEqual({
      type: 'record',
      file: 's.cassette.yaml',
      upstream: undefined,
      vertexUpstream: undefined,
      port: 0,
      existing: 'refuse',
      json: undefined,
      command: undefined,
    })
  })

  it('takes every option before or after the file', () => {
    const words =
      '--upstream http://a/x f --vertex-upstream https://b --port 8080 --overwrite --json=lines.log'
    expect(readArguments(['record', ...words.split(' ')])).toEqual({
      type: 'record',
      file: 'f',
      upstream: 'http://a/x',
      vertexUpstream: 'https://b',
      port: 8080,
      existing: 'overwrite',
      json: { type: 'file', path: 'lines.log' },
      command: undefined,
    })
  })
})

describe('wiretape replay', () => {
  it('takes several files', () => {
    expect(readArguments(['replay', 'a', 'b'])).toMatchObject({ type: 'replay', files: ['a', 'b'] })
  })

  it.each([
    { pace: [], is: { type: 'instant' } },
    { pace: ['--pace', 'instant'], is: { type: 'instant' } },
    { pace: ['--pace', 'recorded'], is: { type: 'factor', factor: 1 } },
    { pace: ['--pace', '2x'], is: { type: 'factor', factor: 2 } },
    { pace: ['--pace=0.5x'], is: { type: 'factor', factor: 0.5 } },
    { pace: ['--pace', '2x', '--pace-cap', '200'], is: { type: 'factor', factor: 2, capMs: 200 } },
    { pace: ['--pace-cap=0'], is: { type: 'factor', factor: 1, capMs: 0 } },
  ])('reads the pace $pace', ({ pace, is }) => {
    expect(readArguments(['replay', 'a', ...pace])).toMatchObject({ pace: is })
  })

  it('takes what does not count and what fails nothing, each more than once', () => {
    const words = ['--ignore', '/a/*', '--ignore=/b', '--allow', 'never-asked', '--allow=extra-request']
    expect(readArguments(['replay', 'a', ...words])).toMatchObject({
      ignore: ['/a/*', '/b'],
      allow: ['never-asked', 'extra-request'],
    })
    expect(readArguments(['replay', 'a'])).toMatchObject({ ignore: [], allow: [] })
  })

  it.each(['body', 'route', 'strict-order'])('takes how requests are compared: %s', match => {
    expect(readArguments(['replay', 'a', '--match', match])).toMatchObject({ match })
    expect(readArguments(['replay', 'a'])).toMatchObject({ match: 'body' })
  })

  it('takes the times that a Live session waits', () => {
    expect(readArguments(['replay', 'a', '--stall', '2000', '--quiet=0'])).toMatchObject({
      stallMs: 2000,
      quietMs: 0,
    })
    expect(readArguments(['replay', 'a'])).toMatchObject({ stallMs: undefined, quietMs: undefined })
  })
})

describe('--json', () => {
  it('names a file only after an equals sign', () => {
    expect(readArguments(['replay', '--json', 'a'])).toMatchObject({ files: ['a'], json: { type: 'stream' } })
    expect(readArguments(['replay', '--json=b', 'a'])).toMatchObject({ json: { type: 'file', path: 'b' } })
  })
})

describe('the words after --', () => {
  it('are never read, whatever they are', () => {
    expect(readArguments(['record', 'f', '--', 'npm', 'test', '--', '--json', '--port', 'x'])).toMatchObject({
      port: 0,
      json: undefined,
      command: ['npm', 'test', '--', '--json', '--port', 'x'],
    })
  })
})
