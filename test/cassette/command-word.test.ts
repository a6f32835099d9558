/** A path in a command that is to be copied from a message. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { commandWord } from '../../src/cassette/command-word.ts'

describe('a path that no shell takes apart', () => {
  it.each(['cassettes/tides.cassette.yaml', String.raw`C:\my\tides.cassette.yaml`, 'ö/潮汐@2.cassette.yaml'])(
    'stays as it is: %s',
    path => expect(commandWord(path)).toBe(path),
  )
})

describe('a path with anything else', () => {
  it.each([
    ['my tides/a.cassette.yaml', '"my tides/a.cassette.yaml"'],
    ['app/(auth)/a.yaml', '"app/(auth)/a.yaml"'],
    ["it's here.yaml", `"it's here.yaml"`],
    ['a $HOME.yaml', "'a $HOME.yaml'"],
    [`"it's".yaml`, String.raw`'"it'\''s".yaml'`],
  ])('is one word to a shell: %s', (path, word) => {
    expect(commandWord(path)).toBe(word)
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(path)
  })
})
