/** `wiretape replay FOLDER`, as a shell runs it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, stable, start, wiretape } from './spawned.ts'

const cassette = (question: string) => `cassette: 1
---
exchange: generate-content
request:
  method: POST
  url: https://generativelanguage.googleapis.com/v1/models/gemini-2.5-flash:generateContent
  body:
    contents:
      - { parts: [{ text: ${question} }], role: user }
response:
  status: 200
  body: { candidates: [] }
end: {}
`

/** A folder with a folder `tapes` of three cassettes in it, one of them deeper. */
function project(): string {
  const path = emptyFolder()
  mkdirSync(join(path, 'tapes/deep'), { recursive: true })
  for (const name of ['sea', 'land', 'deep/sky'])
    writeFileSync(join(path, `tapes/${name}.cassette.yaml`), cassette(`What of the ${name}?`))
  return path
}

/** A suite in any language: for each `NAME=QUESTION`, a request to that test's base URL; what came goes to stdout. */
const SUITE = `
const questions = process.argv.slice(1)
for (const [name, text] of questions.map(word => word.split('='))) {
  const base = name === '' ? process.env.GOOGLE_GEMINI_BASE_URL : process.env.WIRETAPE_URL + '/t/' + name
  const body = JSON.stringify({ contents: [{ parts: [{ text }], role: 'user' }] })
  const response = await fetch(base + '/v1beta/models/gemini-2.5-flash:generateContent', { method: 'POST', body })
  console.log(name, response.status)
}
`

const suite = (...words: readonly string[]) => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  SUITE,
  '--',
  ...words,
]

const replay = (words: readonly string[], cwd: string) => wiretape(['replay', 'tapes', ...words], { cwd })

describe('with a command that runs a part of its suite', () => {
  it('returns 0: cassettes that nobody used are no failure', async () => {
    const { code, stdout, stderr } = await replay(
      suite('sea=What of the sea?', 'deep/sky@1=What of the deep/sky?', 'deep/sky@2=What of the deep/sky?'),
      project(),
    )
    expect(stdout).toBe('sea 200\ndeep/sky@1 200\ndeep/sky@2 200\n')
    expect(stderr).toMatchInlineSnapshot(`
      "sea  POST models/gemini-2.5-flash:generateContent  200  23 B
      deep/sky@1  POST models/gemini-2.5-flash:generateContent  200  23 B
      deep/sky@2  POST models/gemini-2.5-flash:generateContent  200  23 B
      ok  sea: 1 of 1 exchange played
      ok  deep/sky@1: 1 of 1 exchange played
      ok  deep/sky@2: 1 of 1 exchange played

      Replayed: 2 of 3 cassettes used, 3 replays.
      "
    `)
    expect(code).toBe(0)
  })

  it('returns 0 where it used none, and asks whether it could', async () => {
    const { code, stderr } = await replay(suite(), project())
    expect(stderr).toMatchInlineSnapshot(`
      "No cassette was used. Did the tests get WIRETAPE_URL?

      Replayed: 0 of 3 cassettes used, 0 replays.
      "
    `)
    expect(code).toBe(0)
  })

  it('returns 0 where what differs is ignored', async () => {
    const words = ['--ignore', '/contents/*/parts/*/text', ...suite('land=What?')]
    expect((await replay(words, project())).code).toBe(0)
  })

  it('gives it the roots, and no real key', async () => {
    const words = [
      '--',
      process.execPath,
      '-p',
      'const e = process.env; [e.WIRETAPE_URL, e.WIRETAPE_VERTEX_URL, e.GEMINI_API_KEY].join()',
    ]
    const { stdout } = await wiretape(['replay', 'tapes', ...words], {
      cwd: project(),
      env: { GEMINI_API_KEY: 'real-key' },
    })
    expect(stable(stdout)).toBe('http://127.0.0.1:PORT,http://127.0.0.1:PORT,replayed-by-wiretape\n')
  })
})

describe('with a command that leaves a recording', () => {
  it('tells whose replay failed and why, and returns 1 although nobody asked for the verdict', async () => {
    const { code, stderr } = await replay(suite('sea=What of the sea?', 'land=What?', '=What?'), project())
    expect(stable(stderr)).toMatchInlineSnapshot(`
      "sea  POST models/gemini-2.5-flash:generateContent  200  23 B
      ok  sea: 1 of 1 exchange played

      FAILED  land
      WIRETAPE_NO_MATCH
        This request is not on the recording: the text of the last user message changed.
          asked:    POST models/gemini-2.5-flash:generateContent
          recorded: exchange 1 (line 3 of tapes/land.cassette.yaml), not asked for yet
          differs:  $.contents[0].parts[0].text
            recorded: "What of the land?"
            received: "What?"

        If this value differs from run to run, ignore it: \`ignore: ['/contents/0/parts/0/text']\`.
        If the app is right, record again: with WIRETAPE_MODE=all (useCassette), or wiretape record tapes/land.cassette.yaml --overwrite
        If the body does not matter, set \`match: route\` on that exchange.

        The recording was not used up: 1 exchange was never asked for. Left are:
          POST models/gemini-2.5-flash:generateContent, exchange 1 (line 3 of tapes/land.cassette.yaml), was never asked for

      WIRETAPE_USAGE
        This request names no cassette: POST /v1beta/models/gemini-2.5-flash:generateContent

        A folder is replayed here. Give the client of each test the base URL of its cassette: this server's with '/t/deep/sky' behind it, for one. Where a client comes through a proxy instead, the cassette is the proxy's user: 'http://deep%2Fsky@' before this server's host and port. Its verdict is at '/__wiretape__/deep/sky'.

      FAILED: 2 of 3 cassettes used, 2 replays, 1 failed, 1 request for no cassette.
      "
    `)
    expect(code).toBe(1)
  })
})

describe('--json', () => {
  it('names the replay in every line', async () => {
    const cwd = project()
    await replay(['--json=lines.log', ...suite('sea=What of the sea?', 'land@2=What?')], cwd)
    const lines = readFileSync(join(cwd, 'lines.log'), 'utf8').trimEnd().split('\n')
    const [listening, received, exchange, refused, failure, closed] = lines.map(
      line => JSON.parse(line) as Record<string, unknown>,
    )
    expect(listening).toMatchObject({ event: 'listening' })
    expect(received).toMatchObject({ event: 'received', name: 'sea', exchange: 1 })
    expect(refused).toMatchObject({ event: 'received', name: 'land@2' })
    expect(refused).not.toHaveProperty('exchange')
    expect(exchange).toMatchObject({
      event: 'exchange',
      name: 'sea',
      file: 'tapes/sea.cassette.yaml',
      number: 1,
    })
    expect(failure).toMatchObject({ event: 'failure', name: 'land@2', code: 'WIRETAPE_NO_MATCH' })
    expect(closed).toMatchObject({
      event: 'closed',
      cassettes: 3,
      exchanges: 2,
      played: 1,
      failures: [{ code: 'WIRETAPE_NO_MATCH' }],
      leftovers: [{ file: 'tapes/land.cassette.yaml', kind: 'never-asked' }],
      replays: [
        { name: 'sea', file: 'tapes/sea.cassette.yaml', failures: [], leftovers: [] },
        { name: 'land@2', file: 'tapes/land.cassette.yaml' },
      ],
    })
  })
})

describe('without a command', () => {
  it('says where base URLs and verdicts are, and returns 0 where nobody came', async () => {
    const running = start(['replay', 'tapes'], { cwd: project() })
    await running.says('stdout', /__wiretape__.*\n/)
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(stable(stdout)).toMatchInlineSnapshot(`
      "Replaying the cassettes in tapes, until Ctrl-C.

      In the shell that starts your tests:

        export WIRETAPE_URL=http://127.0.0.1:PORT
        export WIRETAPE_VERTEX_URL=http://127.0.0.1:PORT
        export GEMINI_API_KEY=replayed-by-wiretape

      NAME is the path of a cassette in the folder, without .cassette.yaml:

        base URL of a test      http://127.0.0.1:PORT/t/NAME
        how its replay went     http://127.0.0.1:PORT/__wiretape__/NAME

      "
    `)
    expect(code).toBe(0)
  })
})

describe('a folder and something else', () => {
  it('are refused together: it would not be clear what is one recording', async () => {
    const { code, stderr } = await replay(['tapes/sea.cassette.yaml'], project())
    expect(stderr).toContain('tapes is a folder, and a folder is replayed alone.')
    expect(code).toBe(2)
  })

  it('a folder without cassettes is told so', async () => {
    const { code, stderr } = await wiretape(['replay', '.'], { cwd: emptyFolder() })
    expect(stderr).toContain('There is no cassette in .')
    expect(code).toBe(2)
  })
})
