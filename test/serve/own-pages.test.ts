/** Pages of this machine: what their browsers are told, and that nobody else's answers have a trace of it. */
import { readFile } from 'node:fs/promises'
import { onTestFinished, describe, expect, it } from 'vitest'
import { rawRequest, type RawResponse } from '../peers/raw-client.ts'
import { startRecording } from '../peers/recording.ts'
import { startScriptedUpstream, type Script } from '../peers/scripted-upstream.ts'
import { answering, startFolder } from './folder-replaying.ts'
import { askedExchange, BODY, PATH, startReplaying, tape } from './replaying.ts'
import { ANSWER, curl, DEVELOPER, SOCKET, SOCKET_PATH, startSecured, STREAM } from './tls-peers.ts'

const PAGE = 'http://localhost:5173'
const FOREIGN = 'https://evil.example'
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,x-goog-api-key',
}

const preflight = (url: string, headers: Readonly<Record<string, string>> = {}, path = PATH) =>
  rawRequest(url, { method: 'OPTIONS', path, headers: { origin: PAGE, ...PREFLIGHT, ...headers } })

const post = (url: string, headers: Readonly<Record<string, string>>, path = PATH, body = BODY) =>
  rawRequest(url, { method: 'POST', path, headers, body: Buffer.from(body) })

/** All values of a field, in order. */
const field = ({ headers }: RawResponse, name: string): readonly string[] =>
  headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)

const traces = ({ headers }: RawResponse): readonly string[] =>
  headers.map(([name]) => name.toLowerCase()).filter(name => /^access-control-|^vary$/.test(name))

async function recordingOf(script: Script) {
  const upstream = await startScriptedUpstream(script)
  const recording = await startRecording(upstream.url)
  onTestFinished(async () => {
    await recording.dispose()
    await upstream.close()
  })
  return { upstream, recording, url: recording.server.url }
}

/** Answered once, with these fields. */
const answeredWith = (headers: string): string =>
  tape(askedExchange(`response: { status: 200, headers: { ${headers} }, body: salt }\nend: {}\n`))

describe("the question of a page's browser", () => {
  it('is answered by a replay, and is no request of the app', async () => {
    await using replaying = await startReplaying(tape(ANSWER))
    const answer = await preflight(replaying.server.url)
    expect([answer.status, answer.headers.filter(([name]) => name.toLowerCase() !== 'connection')]).toEqual([
      204,
      [
        ['access-control-allow-origin', PAGE],
        ['access-control-allow-methods', 'POST'],
        ['access-control-allow-headers', 'content-type,x-goog-api-key'],
        ['vary', 'origin, access-control-request-method, access-control-request-headers'],
      ],
    ])
    expect(await replaying.server.close()).toMatchObject({ requests: 0, failures: [], notes: [] })
  })

  it('is answered by a recorder: the service is not asked, and nothing is recorded', async () => {
    const { upstream, recording, url } = await recordingOf((_, response) => void response.end('salt'))
    expect((await preflight(url)).status).toBe(204)
    expect(String((await post(url, { origin: PAGE })).body)).toBe('salt')
    await recording.finished(1)
    expect(upstream.seen.map(({ method }) => method)).toEqual(['POST'])
    expect(await recording.server.close()).toMatchObject({ exchanges: 1 })
  })

  it('is answered where a folder is replayed, and uses no cassette', async () => {
    await using server = await startFolder({ sea: answering('salt') })
    expect((await preflight(server.url, {}, `/t/sea${PATH}`)).status).toBe(204)
    expect((await preflight(server.url, {}, '/__wiretape__/sea')).status).toBe(204)
    expect(await server.close()).toMatchObject({ requests: 0, replays: [], failures: [] })
  })

  it('is answered through TLS, and in a tunnel to the service', async () => {
    const { server, caFile, secureUrl } = await startSecured(tape(ANSWER))
    const asking = ['-i', '--cacert', caFile, '-X', 'OPTIONS', '-H', `origin: ${PAGE}`]
    const wanted = ['-H', 'access-control-request-method: POST']
    const straight = await curl(...asking, ...wanted, `${secureUrl}${PATH}`)
    const tunnelled = await curl(...asking, ...wanted, '--proxy', server.url, `https://${DEVELOPER}${PATH}`)
    expect(straight.stdout).toContain(`access-control-allow-origin: ${PAGE}\r\n`)
    expect(tunnelled.stdout).toContain(`access-control-allow-origin: ${PAGE}\r\n`)
    expect((await server.close()).requests).toBe(0)
  })

  it('may be one about a private network', async () => {
    await using replaying = await startReplaying(tape(ANSWER))
    const answer = await preflight(replaying.server.url, { 'access-control-request-private-network': 'true' })
    expect(field(answer, 'access-control-allow-private-network')).toEqual(['true'])
  })

  it('is refused for a foreign page, and for one without an origin', async () => {
    await using replaying = await startReplaying(tape(ANSWER))
    for (const origin of [
      FOREIGN,
      'null',
      'https://localhost.evil.example',
      'http://evil.example/localhost',
    ]) {
      const answer = await preflight(replaying.server.url, { origin })
      expect([answer.status, traces(answer)], origin).toEqual([400, []])
      expect(String(answer.body)).toContain(`A page of ${origin} asks.`)
    }
  })

  it('is a request like any other where no page asks, or nothing is asked', async () => {
    const { upstream, url } = await recordingOf((_, response) => void response.end('salt'))
    await rawRequest(url, { method: 'OPTIONS', path: PATH, headers: PREFLIGHT })
    await rawRequest(url, { method: 'OPTIONS', path: PATH, headers: { origin: PAGE } })
    expect(upstream.seen.map(({ method }) => method)).toEqual(['OPTIONS', 'OPTIONS'])
  })
})

describe('an answer to a page of this machine', () => {
  it.each([PAGE, 'http://127.0.0.1:3000', 'https://[::1]:8443', 'http://app.localhost:5173'])(
    'to %s can be read, with all its fields',
    async origin => {
      await using replaying = await startReplaying(
        answeredWith('content-type: text/plain, x-goog-upload-url: u'),
      )
      const answer = await post(replaying.server.url, { origin })
      expect(String(answer.body)).toBe('salt')
      expect(field(answer, 'access-control-allow-origin')).toEqual([origin])
      expect(field(answer, 'access-control-expose-headers')).toEqual(['content-type, x-goog-upload-url'])
      expect(field(answer, 'vary')).toEqual(['origin'])
    },
  )

  it('that a page elsewhere has recorded can be read too; what was exposed there stays', async () => {
    const recorded = 'access-control-allow-origin: http://localhost:9, access-control-expose-headers: "date"'
    await using replaying = await startReplaying(answeredWith(recorded))
    const answer = await post(replaying.server.url, { origin: PAGE })
    expect(field(answer, 'access-control-allow-origin')).toEqual([PAGE])
    expect(field(answer, 'access-control-expose-headers')).toEqual(['date'])
  })

  it('can be read where it refuses: what is not on the recording, and what no cassette is', async () => {
    await using replaying = await startReplaying(tape(ANSWER))
    await using folder = await startFolder({ sea: answering('salt') })
    const [miss, stray, verdict] = [
      await post(replaying.server.url, { origin: PAGE }, PATH, '{"contents":["?"]}'),
      await post(folder.url, { origin: PAGE }),
      await rawRequest(folder.url, { method: 'GET', path: '/__wiretape__/sea', headers: { origin: PAGE } }),
    ]
    expect([miss, stray, verdict].map(({ status }) => status)).toEqual([400, 400, 200])
    for (const answer of [miss, stray, verdict])
      expect(field(answer, 'access-control-allow-origin')).toEqual([PAGE])
    expect(String(miss.body)).toContain('WIRETAPE_NO_MATCH')
  })

  it('can be read where a service was not reached while recording', async () => {
    const recording = await startRecording('http://127.0.0.1:1')
    onTestFinished(() => recording.dispose())
    const answer = await post(recording.server.url, { origin: PAGE })
    expect(String(answer.body)).toContain('WIRETAPE_UPSTREAM')
    expect(field(answer, 'access-control-allow-origin')).toEqual([PAGE])
  })

  it('passes as the service sent it, where the service lets the page read it', async () => {
    const said = [
      ['access-control-allow-origin', PAGE],
      ['access-control-expose-headers', 'date'],
      ['vary', 'Origin'],
      ['vary', 'X-Origin'],
    ].flat()
    const { upstream, url } = await recordingOf(
      (_, response) => void response.writeHead(200, said).end('salt'),
    )
    const answer = await post(url, { origin: PAGE })
    expect(upstream.seen[0]?.headers.origin).toBe(PAGE)
    expect(field(answer, 'access-control-allow-origin')).toEqual([PAGE])
    expect(field(answer, 'access-control-expose-headers')).toEqual(['date'])
    expect(field(answer, 'vary')).toEqual(['Origin', 'X-Origin'])
  })

  it('leaves no trace in the cassette of what was added to it', async () => {
    const { recording, url } = await recordingOf((_, response) => void response.end('salt'))
    expect(field(await post(url, { origin: PAGE }), 'access-control-allow-origin')).toEqual([PAGE])
    await recording.finished(1)
    await recording.server.close()
    expect(await readFile(recording.file, 'utf8')).not.toContain('access-control')
  })
})

describe('an answer to anybody else', () => {
  it('has nothing of it: it is what was recorded', async () => {
    const recorded = 'access-control-allow-origin: http://localhost:9, content-type: text/plain'
    await using replaying = await startReplaying(answeredWith(recorded))
    const { headers } = await post(replaying.server.url, {})
    expect(headers.filter(([name]) => !/^(?:connection|transfer-encoding)$/i.test(name))).toEqual([
      ['access-control-allow-origin', 'http://localhost:9'],
      ['content-type', 'text/plain'],
    ])
  })

  it('has nothing of it for a foreign page, which is refused', async () => {
    const { upstream, url } = await recordingOf((_, response) => void response.end('salt'))
    const answer = await post(url, { origin: FOREIGN })
    expect([answer.status, traces(answer), upstream.seen]).toEqual([400, [], []])
    expect(String(answer.body)).toContain(`A page of ${FOREIGN} asks.`)
  })

  it('has nothing of it where a page asks for a socket', async () => {
    const { server } = await startSecured(tape(SOCKET))
    const headers = { connection: 'upgrade', upgrade: 'websocket', origin: PAGE }
    const refused = await rawRequest(server.url, {
      method: 'GET',
      path: SOCKET_PATH,
      headers: {
        ...headers,
        host: 'evil.example',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-version': '13',
      },
    })
    expect([refused.status, traces(refused)]).toEqual([400, []])
  })

  it('is the same stream to the byte, with or without a page', async () => {
    await using replaying = await startReplaying(tape(ANSWER))
    const [page, program] = [
      await post(replaying.server.url, { origin: PAGE }),
      await post(replaying.server.url, {}),
    ]
    expect(page.pieces).toEqual(program.pieces)
    expect([String(page.body), traces(program)]).toEqual([STREAM, []])
  })
})
