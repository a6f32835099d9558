/** `wiretape replay`, as a shell runs it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, stable, start, wiretape } from './spawned.ts'

const ASK = resolve(import.meta.dirname, 'ask.mjs')

const CASSETTE = `cassette: 1
---
exchange: generate-content
request:
  method: POST
  url: https://generativelanguage.googleapis.com/v1/models/gemini-2.5-flash:streamGenerateContent?alt=sse
  body:
    contents:
      - { parts: [{ text: Why is the sea salty? }], role: user }
response:
  status: 200
  headers: { content-type: text/event-stream }
  events:
    - data: |-
        {"candidates": [{"content": {"parts": [{"text": "Rivers."}],"role": "model"}}]}
end: {}
`

/** A folder with a cassette in it: the working directory of a test. */
function folder(): string {
  const path = emptyFolder()
  writeFileSync(join(path, 'sea.cassette.yaml'), CASSETTE)
  return path
}

function replay(words: readonly string[], cwd: string) {
  return wiretape(['replay', 'sea.cassette.yaml', ...words], { cwd, env: { GEMINI_API_KEY: 'real-key' } })
}

const app = (...questions: readonly string[]) => ['--', process.execPath, ASK, ...questions]

describe('with a command that does what it did on the recording', () => {
  it('returns 0', async () => {
    const { code, stdout, stderr } = await replay(app('Why is the sea salty?'), folder())
    expect(stdout).toMatchInlineSnapshot(`
      "200 "data: {\\"candidates\\": [{\\"content\\": {\\"parts\\": [{\\"text\\": \\"Rivers.\\"}],\\"role\\": \\"model\\"}}]}\\r\\n\\r\\n"
      "
    `)
    expect(stderr).toMatchInlineSnapshot(`
      "POST models/gemini-2.5-flash:streamGenerateContent?alt=sse  200  89 B
      Replayed: 1 of 1 exchange played.
      "
    `)
    expect(code).toBe(0)
  })

  it("returns the command's own exit code where that is not 0", async () => {
    const words = ['--', process.execPath, '-e', 'process.exitCode = 7']
    expect((await replay(words, folder())).code).toBe(7)
  })

  it('gives it no real key', async () => {
    const words = ['--', process.execPath, '-e', 'console.log(process.env.GEMINI_API_KEY)']
    expect((await replay(words, folder())).stdout).toBe('replayed-by-wiretape\n')
  })
})

describe('with a command that asks for something else', () => {
  it('tells the difference and returns 1, although the command returned 0', async () => {
    const { code, stderr } = await replay(app('Why is the sea blue?'), folder())
    expect(stderr).toMatchInlineSnapshot(`
      "
      WIRETAPE_NO_MATCH
        This request is not on the recording: the text of the last user message changed.
          asked:    POST models/gemini-2.5-flash:streamGenerateContent?alt=sse
          recorded: exchange 1 (line 3 of sea.cassette.yaml), not asked for yet
          differs:  $.contents[0].parts[0].text
            recorded: "Why is the sea salty?"
            received: "Why is the sea blue?"

        If this value differs from run to run, ignore it: \`ignore: ['/contents/0/parts/0/text']\`.
        If the app is right, record again: with WIRETAPE_MODE=all (useCassette), or wiretape record sea.cassette.yaml --overwrite
        If the body does not matter, set \`match: route\` on that exchange.

      WIRETAPE_UNFINISHED
        The recording was not used up: 1 exchange was never asked for. Left are:
          POST models/gemini-2.5-flash:streamGenerateContent?alt=sse, exchange 1 (line 3 of sea.cassette.yaml), was never asked for

      FAILED: 0 of 1 exchange played, 1 request without a match, 1 left over.
      "
    `)
    expect(code).toBe(1)
  })
})

describe('with a command that asks for what may differ', () => {
  it('returns 0 where that place is ignored', async () => {
    const words = ['--ignore', '/contents/0/parts/0/text', ...app('Why is the sea blue?')]
    expect((await replay(words, folder())).code).toBe(0)
  })

  it('returns 0 where requests too many and too few are allowed, and notes them', async () => {
    const words = ['--allow', 'extra-request', '--allow', 'never-asked', ...app('Why is the sea blue?')]
    const { code, stderr } = await replay(words, folder())
    expect(stderr).toContain('allowed (extra-request)')
    expect(stderr).toContain('allowed (never-asked)')
    expect(code).toBe(0)
  })
})

describe('with a command that asks for nothing', () => {
  it('tells what is left and returns 1', async () => {
    const { code, stderr } = await replay(app(), folder())
    expect(stderr).toMatchInlineSnapshot(`
      "
      WIRETAPE_UNFINISHED
        The recording was not used up: 1 exchange was never asked for. Left are:
          POST models/gemini-2.5-flash:streamGenerateContent?alt=sse, exchange 1 (line 3 of sea.cassette.yaml), was never asked for

        Did the app use what it was given, e.g. the base URL?

      FAILED: 0 of 1 exchange played, 1 left over.
      "
    `)
    expect(code).toBe(1)
  })
})

describe('--json', () => {
  it('prints lines on stderr beside a command', async () => {
    const { stderr } = await replay(['--json', ...app('Why is the sea salty?')], folder())
    const lines = stderr.split('\n').filter(line => line.startsWith('{'))
    expect(stable(lines.join('\n'))).toMatchInlineSnapshot(`
      "{"event":"listening","url":"http://127.0.0.1:PORT","vertexUrl":"http://127.0.0.1:PORT"}
      {"event":"received","file":"sea.cassette.yaml","exchange":1,"operation":"POST models/gemini-2.5-flash:streamGenerateContent?alt=sse","body":{"contents":[{"parts":[{"text":"Why is the sea salty?"}],"role":"user"}]}}
      {"event":"exchange","file":"sea.cassette.yaml","number":1,"operation":"POST models/gemini-2.5-flash:streamGenerateContent?alt=sse","status":200,"bytes":89,"outcome":"complete"}
      {"event":"closed","exchanges":1,"played":1,"requests":1,"failures":[],"leftovers":[],"notes":[]}"
    `)
  })

  it('prints lines to a file that it names', async () => {
    const cwd = folder()
    const { stderr } = await replay(['--json=lines.log', ...app('Why is the sea blue?')], cwd)
    const lines = readFileSync(join(cwd, 'lines.log'), 'utf8').trimEnd().split('\n')
    expect(lines.map(line => (JSON.parse(line) as { event: string }).event)).toEqual([
      'listening',
      'received',
      'failure',
      'closed',
    ])
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      exchanges: 1,
      played: 0,
      requests: 1,
      failures: [{ code: 'WIRETAPE_NO_MATCH' }],
      leftovers: [{ kind: 'never-asked', number: 1 }],
    })
    expect(stderr).not.toContain('{"event"')
  })
})

describe('without a command', () => {
  it('prints what to paste, and ends with the verdict when it is asked to stop', async () => {
    const running = start(['replay', 'sea.cassette.yaml'], { cwd: folder() })
    await running.says('stdout', /Java .*\n/)
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(stable(stdout)).toMatchInlineSnapshot(`
      "Replaying at http://127.0.0.1:PORT, until Ctrl-C.

      In the shell that starts your app:

        export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:PORT
        export GOOGLE_VERTEX_BASE_URL=http://127.0.0.1:PORT
        export GEMINI_API_KEY=replayed-by-wiretape

      Or in its code (with the second address for Vertex AI):

        JavaScript  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: 'http://127.0.0.1:PORT' } })
        Python      genai.Client(api_key=key, http_options={'base_url': 'http://127.0.0.1:PORT'})
        Go          genai.ClientConfig{APIKey: key, HTTPOptions: genai.HTTPOptions{BaseURL: "http://127.0.0.1:PORT"}}
        Java        Client.builder().apiKey(key).httpOptions(HttpOptions.builder().baseUrl("http://127.0.0.1:PORT").build()).build()

      "
    `)
    expect(code).toBe(1)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('returns 0 on %s if all was asked for', async signal => {
    const running = start(['replay', 'sea.cassette.yaml', '--json'], { cwd: folder() })
    const url = await running.says('stdout', /"url":"([^"]+)"/)
    const path = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'Why is the sea salty?' }], role: 'user' }] })
    await (await fetch(url + path, { method: 'POST', body })).text()
    await running.says('stdout', /"event":"exchange"/)
    running.child.kill(signal)
    const { code, stdout } = await running.ended
    expect(stable(stdout)).toMatchInlineSnapshot(`
      "{"event":"listening","url":"http://127.0.0.1:PORT","vertexUrl":"http://127.0.0.1:PORT"}
      {"event":"received","file":"sea.cassette.yaml","exchange":1,"operation":"POST models/gemini-2.5-flash:streamGenerateContent?alt=sse","body":{"contents":[{"parts":[{"text":"Why is the sea salty?"}],"role":"user"}]}}
      {"event":"exchange","file":"sea.cassette.yaml","number":1,"operation":"POST models/gemini-2.5-flash:streamGenerateContent?alt=sse","status":200,"bytes":89,"outcome":"complete"}
      {"event":"closed","exchanges":1,"played":1,"requests":1,"failures":[],"leftovers":[],"notes":[]}
      "
    `)
    expect(code).toBe(0)
  })
})

describe('a cassette that can not be played', () => {
  it.each([
    {
      files: ['away.cassette.yaml'],
      says: 'WIRETAPE_CASSETTE_MISSING\n  There is no cassette at away.cassette.yaml.',
    },
    { files: ['sea.cassette.yaml', '../none.yaml'], says: 'WIRETAPE_CASSETTE_MISSING' },
    {
      files: ['see.cassette.yaml'],
      says: 'Did you mean sea.cassette.yaml? If not, record it: wiretape record see.cassette.yaml -- COMMAND',
    },
  ])('is told with its code: $files', async ({ files, says }) => {
    const { code, stderr } = await wiretape(['replay', ...files], { cwd: folder() })
    expect(stderr).toContain(says)
    expect(code).toBe(1)
  })

  it.each([
    { words: ['node', 'app.mjs'], after: 'sea.cassette.yaml' },
    { words: ['no-such-command'], after: 'sea.cassette.yaml' },
    { words: ['npm', 'test'], after: 'sea.cassette.yaml away.cassette.yaml' },
  ])('may be a command without its dashes: $words', async ({ words, after }) => {
    const { code, stderr } = await wiretape(['replay', ...after.split(' '), ...words], { cwd: folder() })
    expect(stderr).toBe(
      `wiretape: There is no cassette at ${words[0]}.\n\n` +
        `To run a command of yours, put '--' before it: wiretape replay ${after} -- ${words.join(' ')}\n`,
    )
    expect(code).toBe(2)
  })

  it('is shown where it is wrong', async () => {
    const cwd = folder()
    writeFileSync(join(cwd, 'sea.cassette.yaml'), CASSETTE.replace('  status:', '  statsu:'))
    const { code, stderr } = await replay([], cwd)
    expect(stderr).toMatchInlineSnapshot(`
      "WIRETAPE_CASSETTE_INVALID
        sea.cassette.yaml:11:3: \`response\` has an unknown key: \`statsu\`
          10 | response:
        > 11 |   statsu: 200
             |   ^
          12 |   headers: { content-type: text/event-stream }
        Expected \`at\`, \`status\`, \`reason\`, \`headers\`, \`cuts\`, \`body\`, \`body-base64\`, \`events\` or \`trailers\`.

        Did you mean \`status\`?
      "
    `)
    expect(code).toBe(1)
  })
})
