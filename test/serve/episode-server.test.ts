/** The mode that replays what a cassette has and records what it has not. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseCassette } from '../../src/cassette/parse.ts'
import { createEpisodeServer, type EpisodeServer } from '../../src/serve/episode-server.ts'
import { loadCassette } from '../../src/store/load.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { asks, OVER, READY, says, setup, socket } from '../contract/live-cassettes.ts'
import { startLiveService, startRefusingService, type LiveService } from '../contract/live-service.ts'
import { MODEL } from '../contract/live-transcripts.ts'
import { startScriptedUpstream } from '../peers/scripted-upstream.ts'
import { tape } from './replaying.ts'
import { PATH, watch, type Watched } from './socket-replaying.ts'

const ROUTE = '/v1beta/models/m:generateContent'
const answered = (text: string): string => `exchange: generate-content
request:
  method: POST
  url: https://generativelanguage.googleapis.com${ROUTE}
  body: { contents: [{ parts: [{ text: ${text} }] }] }
response: { status: 200, headers: { content-type: application/json }, body: '"recorded ${text}"' }
end: {}
`
const bodyOf = (text: string): string => JSON.stringify({ contents: [{ parts: [{ text }] }] })

async function ask(server: EpisodeServer, text: string, init: RequestInit = {}): Promise<string> {
  return (await fetch(server.url + ROUTE, { method: 'POST', body: bodyOf(text), ...init })).text()
}

/** A cassette with this text, and the server that lets it grow. */
async function growing(
  text: string | undefined,
  upstream: string,
): Promise<{ readonly server: EpisodeServer; readonly file: string }> {
  const file = join(emptyFolder(), 'days.cassette.yaml')
  if (text !== undefined) writeFileSync(file, text)
  const server = await createEpisodeServer({
    replay: {},
    record: { file, upstream, vertexUpstream: upstream },
  })
  return { server, file }
}

function types(file: string): readonly string[] {
  return parseCassette(readFileSync(file, 'utf8'), { file }).documents.map(({ type }) => type)
}

async function answering(): Promise<Awaited<ReturnType<typeof startScriptedUpstream>>> {
  const upstream = await startScriptedUpstream((seen, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(`real ${seen.path}`))
  })
  onTestFinished(() => upstream.close())
  return upstream
}

async function started(start: () => Promise<LiveService>): Promise<string> {
  const service = await start()
  onTestFinished(() => service.close())
  return service.url
}

describe('a cassette that may grow', () => {
  it('answers what it has, and asks the service for the rest', async () => {
    const upstream = await answering()
    const { server, file } = await growing(tape(answered('one')), upstream.url)
    expect(await ask(server, 'two')).toBe(`"real ${ROUTE}"`)
    expect(await ask(server, 'one')).toBe('"recorded one"')
    expect(upstream.seen.map(({ body }) => body)).toEqual([bodyOf('two')])
    const { summary, report } = await server.close()
    expect(summary).toMatchObject({ exchanges: 1 })
    expect(report).toMatchObject({ exchanges: 1, played: 1, failures: [], leftovers: [] })
    expect(types(file)).toEqual(['header', 'exchange', 'header', 'exchange'])
    expect(readFileSync(file, 'utf8').startsWith(tape(answered('one')))).toBe(true)
  })

  it('has all of it on the next day', async () => {
    const upstream = await answering()
    const { server, file } = await growing(tape(answered('one')), upstream.url)
    const real = await ask(server, 'two')
    await ask(server, 'one')
    await server.close()
    const next = await createEpisodeServer({ replay: {}, record: { file, upstream: 'http://127.0.0.1:9' } })
    expect(await ask(next, 'one')).toBe('"recorded one"')
    expect(await ask(next, 'two')).toBe(real)
    expect(await next.close()).toMatchObject({
      summary: { exchanges: 0 },
      report: { played: 2, leftovers: [] },
    })
  })

  it('stays as it is where nothing new came', async () => {
    const upstream = await answering()
    const { server, file } = await growing(tape(answered('one')), upstream.url)
    await ask(server, 'one')
    await server.close()
    expect(readFileSync(file, 'utf8')).toBe(tape(answered('one')))
  })

  it('is made where it is not there', async () => {
    const { server, file } = await growing(undefined, (await answering()).url)
    await ask(server, 'two')
    await server.close()
    expect(types(file)).toEqual(['header', 'exchange'])
  })

  it('gets a compressed body to the service as the app has sent it', async () => {
    const upstream = await answering()
    const { server } = await growing(tape(answered('one')), upstream.url)
    const headers = { 'content-encoding': 'gzip' }
    expect(await ask(server, '', { headers, body: gzipSync(bodyOf('one')) })).toBe('"recorded one"')
    await ask(server, '', { headers, body: gzipSync(bodyOf('two')) })
    expect(upstream.seen[0]?.headers['content-length']).toBe(String(gzipSync(bodyOf('two')).length))
    await server.close()
  })

  it('forgets what came when it is told to', async () => {
    const { server, file } = await growing(tape(answered('one')), (await answering()).url)
    await ask(server, 'two')
    await server.discard()
    expect(readFileSync(file, 'utf8')).toBe(tape(answered('one')))
  })

  it('tells of a recorded exchange that nobody asked for, as any replay', async () => {
    const { server } = await growing(tape(answered('one')), (await answering()).url)
    expect((await server.close()).report.leftovers).toMatchObject([{ kind: 'never-asked', number: 1 }])
  })
})

const TALK = socket([setup(), READY, asks('Hello'), says('Hi.'), OVER, 'close: { by: client }'])
const SETUP = { setup: { model: `models/${MODEL}` } }
const WARMER = { setup: { model: `models/${MODEL}`, generationConfig: { temperature: 2 } } }
const said = (text: string) => ({
  clientContent: { turns: [{ parts: [{ text }], role: 'user' }], turnComplete: true },
})

/** A whole session, and what came of it. */
async function talks(server: EpisodeServer, first: object, text: string, count: number): Promise<Watched> {
  const client = watch(`${server.url.replace('http', 'ws')}${PATH}`)
  client.say(first as never)
  await client.until(1)
  client.say(said(text))
  await client.until(count)
  client.socket.close()
  await client.over()
  return client
}

describe('a socket on a cassette that may grow', () => {
  it('is replayed or recorded as its setup is on the recording or not', async () => {
    const { server, file } = await growing(tape(TALK), await started(startLiveService))
    const live = await talks(server, WARMER, 'Why is the sky blue?', 4)
    expect(live.seen[2]).toContain('leigh – süß.')
    const replayed = await talks(server, SETUP, 'Hello', 3)
    expect(replayed.seen[1]).toContain('Hi.')
    const { report } = await server.close()
    expect(report).toMatchObject({ played: 1, failures: [], leftovers: [] })
    expect(types(file)).toEqual(['header', 'exchange', 'header', 'exchange'])
    const { cassette } = await loadCassette(file)
    const [, , , last] = cassette.documents
    if (last?.type !== 'exchange') throw new Error('not recorded')
    expect(
      last.exchange.messages?.map(({ client, server: from }) => (client ? '>' : from ? '<' : 'x')).join(''),
    ).toBe('><><<<x')
  })

  it('gets the handshake of the service where no recorded one can answer it', async () => {
    const { server } = await growing(tape(answered('one')), await started(startRefusingService))
    expect(await watch(`${server.url.replace('http', 'ws')}${PATH}`).over()).toEqual([
      'refused 403',
      'close 1006',
    ])
    expect((await server.close()).summary).toMatchObject({ exchanges: 1 })
  })

  it('is closed where the service refuses it after its setup, and the refusal is recorded', async () => {
    const { server, file } = await growing(tape(TALK), await started(startRefusingService))
    const client = watch(`${server.url.replace('http', 'ws')}${PATH}`)
    client.say(WARMER)
    expect(await client.over()).toEqual(['close 1011 The service has refused the socket with status 403.'])
    await server.close()
    const [, , , last] = parseCassette(readFileSync(file, 'utf8'), { file }).documents
    expect(last).toMatchObject({ exchange: { exchange: 'live', response: { status: 403 } } })
  })

  it('is closed where the service can not be reached', async () => {
    const { server } = await growing(tape(TALK), 'http://127.0.0.1:9')
    const client = watch(`${server.url.replace('http', 'ws')}${PATH}`)
    client.say(WARMER)
    const [close = ''] = await client.over()
    expect(close).toMatch(/^close 1011 .*127\.0\.0\.1:9/)
    await server.discard()
  })
})

describe('a packed cassette', () => {
  it('is told to be taken apart first', async () => {
    const packedTape = `${tape(answered('one'))}---\npacked: 1\nblobs: { a.png: AAAA }\nend: {}\n`
    await expect(growing(packedTape, 'http://127.0.0.1:9')).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      hint: expect.stringContaining('wiretape unpack') as string,
    })
  })
})
