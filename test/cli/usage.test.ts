/** What the command says to somebody who holds it wrong: one clear complaint, the nearest right word, exit code 2. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, wiretape } from './spawned.ts'

describe('a command line that is wrong', () => {
  it.each([
    { words: ['reply', 'a'], says: "There is no command 'reply'. Did you mean 'replay'?" },
    { words: ['zzzz'], says: "There is no command 'zzzz'. Did you mean 'show'?" },
    {
      words: ['recover', 'a', '--json'],
      says: "There is no option '--json'. 'wiretape recover' takes --help.",
    },
    {
      words: ['pack', 'a', '--json'],
      says: "There is no option '--json'. 'wiretape pack' takes --output, --overwrite, --help.",
    },
    { words: ['pack', 'a', '--hlep'], says: "There is no option '--hlep'. Did you mean '--help'?" },
    { words: ['help', 'reply'], says: "There is no command 'reply'. Did you mean 'replay'?" },
    { words: ['-v'], says: "There is no option '-v'. Did you mean '--version'?" },
    { words: ['replay', 'a', '-p', '1'], says: "There is no option '-p'. Did you mean '--port'?" },
    { words: ['record', 'a', '--prot', '1'], says: "There is no option '--prot'. Did you mean '--port'?" },
    {
      words: ['record', 'a', '--vertex', 'x'],
      says: "There is no option '--vertex'. Did you mean '--vertex-upstream'?",
    },
    { words: ['replay', 'a', '--overwrite'], says: "'wiretape replay' takes --port, --tls," },
    { words: ['--verson'], says: "There is no option '--verson'. Did you mean '--version'?" },
    { words: ['replay', 'a', '--pace', 'instnat'], says: "not 'instnat'. Did you mean 'instant'?" },
    { words: ['replay', 'a', '--pace', '2'], says: "not '2'. Did you mean '2x'?" },
    {
      words: ['replay', 'a', '--pace', '0x'],
      says: "The pace is 'instant', 'recorded' or a factor such as '2x'",
    },
    { words: ['replay', 'a', '--pace', 'manual'], says: "The pace 'manual' is for programs" },
    {
      words: ['replay', 'a', '--pace=instant', '--pace-cap=5'],
      says: "--pace-cap caps pauses, and at the pace 'instant' there are none.",
    },
    {
      words: ['replay', 'a', '--pace-cap', '1s'],
      says: "--pace-cap takes milliseconds, e.g. 2000, not '1s'.",
    },
    { words: ['replay', 'a', '--ignore', '$.a[0]'], says: 'Write "/a/0".' },
    { words: ['replay', 'a', '--allow', 'neverasked'], says: 'Write one of never-asked, abandoned,' },
    {
      words: ['replay', 'a', '--match', 'strict'],
      says: "--match takes one of route, body, strict-order, not 'strict'. Did you mean 'strict-order'?",
    },
    { words: ['replay', 'a', '--match=rout'], says: "not 'rout'. Did you mean 'route'?" },
    {
      words: ['replay', 'a', '--stall', '2s'],
      says: "--stall takes milliseconds, e.g. 2000, not '2s'.",
    },
    { words: ['record', 'a', '--upstream', 'localhost:80'], says: "Did you mean 'http://localhost:80'?" },
    { words: ['record', 'a', '--upstream', 'example.com'], says: "Did you mean 'https://example.com'?" },
    {
      words: ['record', 'a', '--upstream', 'ftp://x'],
      says: "--upstream takes an http or https URL, not 'ftp://x'.",
    },
    {
      words: ['record', 'a', '--port', '70000'],
      says: "--port takes a number from 0 to 65535, not '70000'.",
    },
    { words: ['record', 'a', '--port'], says: "option '--port <N>' argument missing" },
    { words: ['record'], says: 'Usage: wiretape record FILE [options] [-- COMMAND …]' },
    { words: ['replay'], says: 'Usage: wiretape replay FILE…|FOLDER [options] [-- COMMAND …]' },
    { words: ['record', 'a', 'npm', 'test'], says: "put '--' before it" },
    { words: ['record', 'a', 'npm', '--silent'], says: "put '--' before it" },
    { words: ['replay', 'a', '--port', '1', '--silent'], says: "See 'wiretape replay --help'." },
    { words: ['demo', 'extra'], says: 'Usage: wiretape demo [options]' },
    { words: ['show', 'a', 'b'], says: 'Usage: wiretape show FILE [options]' },
    { words: ['record', 'a', '--'], says: "Nothing stands after '--'." },
    { words: ['demo', '--', 'ls'], says: "'wiretape demo' runs no command of yours after '--'." },
    {
      words: [],
      says: 'No command was given: one of record, replay, show, lint, pack, unpack, tls, recover, demo.',
    },
    {
      words: ['record', 'a', '--', 'no-such-command'],
      says: "'no-such-command' can't be started: it is not on the PATH",
    },
    {
      words: ['record', 'a', '--', './no-such-file'],
      says: "'./no-such-file' can't be started: it is no file",
    },
    {
      words: ['record', 'a', '--json=no/such/folder'],
      says: "The file of --json can't be written: no/such/folder.",
    },
  ])('is refused with 2 and the right word: $words', async ({ words, says }) => {
    const { code, stdout, stderr } = await wiretape(words, { cwd: emptyFolder() })
    expect(stderr).toContain(says)
    expect(stderr).not.toMatch(/\n {4}at /)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('is told in whole like this', async () => {
    const { stderr } = await wiretape(['record', 'session.cassette.yaml', '--overwrit'])
    expect(stderr).toMatchInlineSnapshot(`
      "wiretape: There is no option '--overwrit'. Did you mean '--overwrite'?

      See 'wiretape record --help'.
      "
    `)
  })
})

describe('an existing file', () => {
  it('is not recorded over unless that is asked for', async () => {
    const file = join(emptyFolder(), 'old.cassette.yaml')
    writeFileSync(file, 'mine')
    const { code, stderr } = await wiretape(['record', file])
    expect(stderr).toContain('--overwrite')
    expect(code).toBe(2)
  })
})

describe('asking for help', () => {
  it.each([
    { words: ['--version'] },
    { words: ['--help'] },
    { words: ['record', '--help'] },
    { words: ['replay', '--help'] },
    { words: ['show', '--help'] },
    { words: ['lint', '--help'] },
    { words: ['pack', '--help'] },
    { words: ['unpack', '--help'] },
    { words: ['recover', '--help'] },
    { words: ['demo', '--help'] },
  ])('prints it on stdout: $words', async ({ words }) => {
    const { code, stdout, stderr } = await wiretape(words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchSnapshot()
  })

  it.each([
    { words: ['help'], is: ['--help'] },
    { words: ['help', 'replay'], is: ['replay', '--help'] },
    { words: ['help', '--help'], is: ['--help'] },
  ])('may be said as a word: $words', async ({ words, is }) => {
    expect(await wiretape(words)).toEqual(await wiretape(is))
  })
})
