/** `wiretape record` and `wiretape recover`, as a shell runs them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyFolder, stable, start, wiretape } from './spawned.ts'
import { serviceThat, stream, STREAM } from './upstream.ts'

const ASK = resolve(import.meta.dirname, 'ask.mjs')
const FILE = 'sea.cassette.yaml'
const PATH = '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse'

const app = (...questions: readonly string[]) => ['--', process.execPath, ASK, ...questions]

function ask(base: string): Promise<Response> {
  const body = JSON.stringify({ contents: [{ parts: [{ text: 'Why?' }], role: 'user' }] })
  return fetch(base + PATH, { method: 'POST', body })
}

describe('with a command', () => {
  it('records what it does, and returns its exit code', async () => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const { code, stdout, stderr } = await wiretape(
      ['record', FILE, '--upstream', upstream, ...app('Why?')],
      { cwd },
    )
    expect(stdout).toBe(`200 ${JSON.stringify(STREAM)}\n`)
    expect(stable(stderr)).toMatchInlineSnapshot(`
      "POST models/gemini-2.5-flash:streamGenerateContent?alt=sse  200  181 B  N ms
      Recorded sea.cassette.yaml: 1 exchange, 2 events, 181 B.
      "
    `)
    expect(code).toBe(0)
    const text = readFileSync(join(cwd, FILE), 'utf8')
    expect(text).toMatch(
      /^cassette: 1\nrecorded: .*Z\nby: wiretape\/0\.1\.0\nclient: node\n---\nexchange: generate-content\n/,
    )
    expect(text).toContain('- { parts: [{ text: "Why?" }], role: user }')
    for (const event of STREAM.trim().split('\r\n\r\n')) expect(text).toContain(event.replace('data: ', ''))
  })

  it.each(['sea.txt', 'sea.yaml'])('notes that %s is not named as a cassette is', async file => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const { code, stderr } = await wiretape(['record', file, '--upstream', upstream, ...app('Why?')], { cwd })
    const note = `note: ${file} is not named *.cassette.yaml, which lint, folders and .gitattributes look for.\n`
    expect(stderr.startsWith(note)).toBe(true)
    expect({ code, is: existsSync(join(cwd, file)) }).toEqual({ code: 0, is: true })
  })

  it('that asks for nothing says so, and how to get it to the recorder', async () => {
    const { code, stderr } = await wiretape(['record', FILE, ...app()], {
      cwd: emptyFolder(),
      env: { GEMINI_API_KEY: 'none' },
    })
    expect(stderr).toMatchInlineSnapshot(`
      "WIRETAPE_UNFINISHED
        Nothing was recorded: no request came. No cassette was written.

        Does the app take its base URL from GOOGLE_GEMINI_BASE_URL or GOOGLE_VERTEX_BASE_URL?
        Without a command, \`wiretape record\` says what to put into its code.
      "
    `)
    expect(code).toBe(1)
  })

  it('that asks for nothing and has no key is told that it needs one', async () => {
    const env = { GEMINI_API_KEY: '', GOOGLE_API_KEY: '' }
    const { stderr } = await wiretape(['record', FILE, ...app()], { cwd: emptyFolder(), env })
    expect(stderr).toMatch(/Neither GEMINI_API_KEY nor GOOGLE_API_KEY is set: .* a key of its own\.\n/)
  })

  it('that asks for nothing leaves an older cassette alone, and says so', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, FILE), 'older')
    const { code, stderr } = await wiretape(['record', FILE, '--overwrite', ...app()], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('Nothing was recorded: no request came. sea.cassette.yaml stays as it is.\n')
    expect(readFileSync(join(cwd, FILE), 'utf8')).toBe('older')
  })

  it('that never reaches the service is told why, even if the app keeps it to itself', async () => {
    const cwd = emptyFolder()
    const words = ['record', FILE, '--json=lines.log', '--upstream', 'http://127.0.0.1:1', ...app('Why?')]
    const { code, stderr } = await wiretape(words, { cwd })
    expect(stable(stderr)).toMatchInlineSnapshot(`
      "POST models/gemini-2.5-flash:streamGenerateContent?alt=sse  no answer  0 B  N ms  upstream-error
        The service at 127.0.0.1:PORT did not answer: connect ECONNREFUSED 127.0.0.1:PORT
      WIRETAPE_UPSTREAM
        The service was not reached, so sea.cassette.yaml was not written.
          POST models/gemini-2.5-flash:streamGenerateContent?alt=sse: The service at 127.0.0.1:PORT did not answer: connect ECONNREFUSED 127.0.0.1:PORT

        Look at the network, at the proxies in the environment, and at the upstream where one was named.
      "
    `)
    expect(code).toBe(1)
    expect(readdirSync(cwd)).toEqual(['lines.log'])
    expect(readFileSync(join(cwd, 'lines.log'), 'utf8')).toMatch(
      /"event":"closed",.*"failures":\[\{"code":"WIRETAPE_UPSTREAM"/,
    )
  })

  it('that reaches the service once is recorded, with what did not reach it', async () => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const words = ['--upstream', upstream, '--vertex-upstream', 'http://127.0.0.1:1']
    const script = `await fetch(process.env.GOOGLE_GEMINI_BASE_URL + '/v1/models', { method: 'POST', body: '{}' });
      await fetch(process.env.GOOGLE_VERTEX_BASE_URL + '/v1/models')`
    const node = ['--', process.execPath, '--input-type=module', '-e', script]
    const { code, stderr } = await wiretape(['record', FILE, ...words, ...node], { cwd })
    expect(stderr).toMatch(
      /no answer {2}0 B .* upstream-error\n {2}The service at 127\.0\.0\.1:1 did not answer: .*ECONNREFUSED.*\nRecorded /,
    )
    expect(code).toBe(0)
  })

  it('is told why Vertex AI refuses a client that leaves out project and credentials', async () => {
    const asks = async (path: string, headers: object) => {
      const script = `await fetch(process.env.GOOGLE_VERTEX_BASE_URL + '${path}', { headers: ${JSON.stringify(headers)} })`
      const node = ['--', process.execPath, '--input-type=module', '-e', script]
      // Nothing leaves this machine: the way to the service is a proxy that is not there.
      const env = { HTTPS_PROXY: 'http://127.0.0.1:1', https_proxy: '', NO_PROXY: '', no_proxy: '' }
      return (await wiretape(['record', FILE, ...node], { cwd: emptyFolder(), env })).stderr
    }
    const model = 'publishers/google/models/m:generateContent'
    expect(await asks(`/v1beta1/${model}`, {})).toContain('env -u GOOGLE_VERTEX_BASE_URL COMMAND')
    const own = `/v1beta1/projects/p/locations/us-central1/${model}`
    expect(await asks(own, { authorization: 'Bearer x' })).not.toContain('env -u')
  })

  it.each(['', '/gateway'])('can replay what it recorded from a service at the path "%s"', async path => {
    const cwd = emptyFolder()
    const upstream = (await serviceThat(stream)) + path
    await wiretape(['record', FILE, '--upstream', upstream, ...app('Why?', 'Really?')], { cwd })
    const { code, stdout } = await wiretape(['replay', FILE, ...app('Why?', 'Really?')], { cwd })
    expect(stdout).toBe(`200 ${JSON.stringify(STREAM)}\n`.repeat(2))
    expect(code).toBe(0)
  })

  it('returns the exit code of a command that fails, and keeps what was recorded', async () => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const words = [
      'record',
      FILE,
      '--upstream',
      upstream,
      '--',
      'sh',
      '-c',
      `'${process.execPath}' '${ASK}' Why; exit 9`,
    ]
    expect((await wiretape(words, { cwd })).code).toBe(9)
    expect(existsSync(join(cwd, FILE))).toBe(true)
  })

  it('sends signals on to it', async () => {
    const script = `process.on('SIGTERM', () => process.exit(4)); setInterval(() => {}, 1000); console.log('up')`
    const running = start(['record', FILE, '--', process.execPath, '-e', script], { cwd: emptyFolder() })
    await running.says('stdout', /up/)
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(4)
  })

  it('counts as a shell does where a signal ends it', async () => {
    const { code } = await wiretape(['record', FILE, '--', 'sh', '-c', 'kill -KILL $$'], {
      cwd: emptyFolder(),
    })
    expect(code).toBe(137)
  })

  it('prints JSON lines on stderr, and leaves stdout to it', async () => {
    const upstream = await serviceThat(stream)
    const words = ['record', FILE, '--json', '--upstream', upstream, ...app('Why?')]
    const { stdout, stderr } = await wiretape(words, { cwd: emptyFolder() })
    const lines = stderr.split('\n').filter(line => line.startsWith('{'))
    expect(stable(lines.join('\n'))).toMatchInlineSnapshot(`
      "{"event":"listening","url":"http://127.0.0.1:PORT","vertexUrl":"http://127.0.0.1:PORT"}
      {"event":"exchange","number":1,"dialect":"generate-content","operation":"POST models/gemini-2.5-flash:streamGenerateContent?alt=sse","status":200,"bytes":181,"ms":N,"outcome":"complete"}
      {"event":"closed","file":"sea.cassette.yaml","exchanges":1,"events":2,"bytes":181,"blobs":0,"truncated":0,"lost":0,"failures":[],"leftovers":[]}"
    `)
    expect(stdout).not.toContain('"event"')
  })
})

describe('without a command', () => {
  it('prints what to paste', async () => {
    const running = start(['record', FILE], { cwd: emptyFolder() })
    await running.says('stdout', /Java .*\n/)
    running.child.kill('SIGINT')
    const { code, stdout } = await running.ended
    expect(stable(stdout)).toMatchInlineSnapshot(`
      "Recording what comes to http://127.0.0.1:PORT, until Ctrl-C.

      In the shell that starts your app:

        export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:PORT
        export GOOGLE_VERTEX_BASE_URL=http://127.0.0.1:PORT

      Or in its code (with the second address for Vertex AI):

        JavaScript  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: 'http://127.0.0.1:PORT' } })
        Python      genai.Client(api_key=key, http_options={'base_url': 'http://127.0.0.1:PORT'})
        Go          genai.ClientConfig{APIKey: key, HTTPOptions: genai.HTTPOptions{BaseURL: "http://127.0.0.1:PORT"}}
        Java        Client.builder().apiKey(key).httpOptions(HttpOptions.builder().baseUrl("http://127.0.0.1:PORT").build()).build()

      "
    `)
    expect(code).toBe(0)
  })

  it('that gets nothing until it is stopped says so, and returns 0', async () => {
    const running = start(['record', FILE], { cwd: emptyFolder(), env: { GEMINI_API_KEY: 'none' } })
    await running.says('stdout', /Java .*\n/)
    running.child.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(stderr).toMatch(
      /^Nothing was recorded: no request came\. No cassette was written\.\n\nDoes the app/,
    )
    expect(code).toBe(0)
  })

  it('refuses a port that is taken', async () => {
    const taken = new URL(await serviceThat(stream)).port
    const { code, stderr } = await wiretape(['record', FILE, '--port', taken], { cwd: emptyFolder() })
    expect(stderr).toContain(taken)
    expect(code).toBe(2)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('finishes what is open on %s, and returns 0', async signal => {
    const cwd = emptyFolder()
    // The first piece at once; the second when the recorder has been asked to stop.
    let finish = () => undefined as unknown
    const upstream = await serviceThat((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(STREAM)
      finish = () => response.end(STREAM)
    })
    const running = start(['record', FILE, '--json', '--upstream', upstream], { cwd })
    const answer = await ask(await running.says('stdout', /"url":"([^"]+)"/))
    const reader = answer.body?.getReader()
    await reader?.read()
    running.child.kill(signal)
    finish()
    const { code, stdout } = await running.ended
    expect(stable(stdout)).toMatchInlineSnapshot(`
      "{"event":"listening","url":"http://127.0.0.1:PORT","vertexUrl":"http://127.0.0.1:PORT"}
      {"event":"exchange","number":1,"dialect":"generate-content","operation":"POST models/gemini-2.5-flash:streamGenerateContent?alt=sse","status":200,"bytes":362,"ms":N,"outcome":"complete"}
      {"event":"closed","file":"sea.cassette.yaml","exchanges":1,"events":4,"bytes":362,"blobs":0,"truncated":0,"lost":0,"failures":[],"leftovers":[]}
      "
    `)
    expect(code).toBe(0)
    expect(readFileSync(join(cwd, FILE), 'utf8').match(/is salty/g)).toHaveLength(2)
  })
})

describe('whoever reads the JSON lines', () => {
  it('may leave, and the recording goes on', async () => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const running = start(['record', FILE, '--json', '--upstream', upstream], { cwd })
    const url = await running.says('stdout', /"url":"([^"]+)"/)
    running.child.stdout.destroy()
    await (await ask(url)).text()
    await running.says('stderr', /streamGenerateContent.*\n/)
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    expect(readFileSync(join(cwd, FILE), 'utf8')).toContain('is salty')
  })
})

describe('a recording that fails', () => {
  it('says so at once, leaves the older cassette alone and returns 1', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, FILE), 'older')
    const key = Buffer.from(`text AIza${'Sy'.repeat(18)}x and more`).toString('base64')
    const upstream = await serviceThat((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          candidates: [{ content: { parts: [{ inlineData: { mimeType: 'text/plain', data: key } }] } }],
        }),
      )
    })
    const words = ['record', FILE, '--overwrite', '--json=lines.log', '--upstream', upstream, ...app('Why?')]
    const { code, stderr } = await wiretape(words, { cwd })
    expect(stable(stderr)).toMatchInlineSnapshot(`
      "WIRETAPE_SECRET
        A secret (api-key) in the response body of exchange 1 can't be replaced, so the recording was stopped.

        Keep the secret out of what the app sends or gets. \`wiretape recover\` saves what was recorded before it.
      POST models/gemini-2.5-flash:streamGenerateContent?alt=sse  200  167 B  N ms
      "
    `)
    expect(stderr).not.toContain(key)
    expect(code).toBe(1)
    expect(readFileSync(join(cwd, FILE), 'utf8')).toBe('older')
    const lines = readFileSync(join(cwd, 'lines.log'), 'utf8').trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      event: 'closed',
      failures: [{ code: 'WIRETAPE_SECRET' }],
    })
  })
})

describe('a cassette that can not be put in place', () => {
  it('is told, and its journal stays for recover', async () => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const running = start(['record', FILE, '--json', '--upstream', upstream], { cwd })
    await (await ask(await running.says('stdout', /"url":"([^"]+)"/))).text()
    mkdirSync(join(cwd, FILE))
    running.child.kill('SIGTERM')
    const { code, stdout, stderr } = await running.ended
    expect(stderr).toContain('WIRETAPE_WRITE')
    expect(stdout).toContain('{"event":"failure","code":"WIRETAPE_WRITE"')
    expect(code).toBe(1)
    rmdirSync(join(cwd, FILE))
    expect((await wiretape(['recover', FILE], { cwd })).code).toBe(0)
  })
})

describe('a recorder that is killed', () => {
  it('leaves what recover makes a cassette of', async () => {
    const cwd = emptyFolder()
    const upstream = await serviceThat(stream)
    const running = start(['record', FILE, '--json', '--upstream', upstream], { cwd })
    await (await ask(await running.says('stdout', /"url":"([^"]+)"/))).text()
    await running.says('stdout', /"event":"exchange"/)
    running.child.kill('SIGKILL')
    await running.ended
    expect(existsSync(join(cwd, FILE))).toBe(false)

    const { code, stdout, stderr } = await wiretape(['recover', FILE], { cwd })
    expect(stdout).toMatchInlineSnapshot(`
      "Recovered sea.cassette.yaml: 1 exchange, 2 events, 181 B.
      "
    `)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(readFileSync(join(cwd, FILE), 'utf8')).toContain('is salty')
  })

  it('is the only one whose recording can be recovered', async () => {
    const { code, stderr } = await wiretape(['recover', FILE], { cwd: emptyFolder() })
    expect(stderr).toMatchInlineSnapshot(`
      "wiretape: There is nothing to recover for sea.cassette.yaml: no journal in sea.cassette.journal.

      Name the cassette that was being recorded, e.g. \`wiretape recover session.cassette.yaml\`.
      "
    `)
    expect(code).toBe(2)
  })
})
