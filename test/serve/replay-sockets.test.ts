/** One cassette with both kinds of exchanges: what is played over HTTP and over sockets is one replay. */
import { describe, expect, it } from 'vitest'
import type { Failure, PlayedExchange } from '../../src/replay/http.ts'
import { asks, OVER, READY, refused, says, setup, socket } from '../contract/live-cassettes.ts'
import { MODEL } from '../contract/live-transcripts.ts'
import { askedExchange, BODY, PATH as HTTP_PATH, startReplaying, tape } from './replaying.ts'
import { PATH, watch, type Watched } from './socket-replaying.ts'

const SETUP = { setup: { model: `models/${MODEL}` } }
const said = (text: string) => ({
  clientContent: { turns: [{ parts: [{ text }], role: 'user' }], turnComplete: true },
})
const unary = askedExchange('response: { status: 200, body: hi }\nend: {}\n')
const talk = socket([setup(), READY, asks('Hello'), says('Hi.'), OVER, 'close: { by: client }'])

const at = (url: string): string => `${url.replace('http', 'ws')}${PATH}`
const ask = (url: string): Promise<Response> => fetch(url + HTTP_PATH, { method: 'POST', body: BODY })

/** A client that has the session of {@link talk}. */
async function talks(url: string, text = 'Hello'): Promise<Watched> {
  const client = watch(at(url))
  client.say(SETUP)
  await client.until(1)
  client.say(said(text))
  await client.until(3)
  client.socket.close()
  await client.over()
  return client
}

describe('a cassette of answers and sockets', () => {
  it('is one recording on both ports, and one report', async () => {
    const played: PlayedExchange[] = []
    await using replaying = await startReplaying(
      tape(unary, talk, unary, refused('response: { status: 429, body: slow down }\nend: {}\n'), talk, unary),
      { onExchange: exchange => played.push(exchange) },
    )
    const { server } = replaying
    expect(await (await ask(server.url)).text()).toBe('hi')
    // A refusal is decided by its turn among the sockets: the first one goes before it.
    await talks(server.vertexUrl)
    expect(await watch(at(server.url)).over()).toEqual(['refused 429', 'close 1006'])
    await talks(server.url)
    expect(await (await ask(server.vertexUrl)).text()).toBe('hi')
    expect(played.map(({ number, status }) => [number, status])).toEqual([
      [1, 200],
      [2, 101],
      [4, 429],
      [5, 101],
      [3, 200],
    ])
    expect(await server.close()).toMatchObject({
      exchanges: 6,
      played: 5,
      requests: 5,
      failures: [],
      leftovers: [{ number: 6, kind: 'never-asked' }],
      notes: [],
    })
  })

  it('has its failures in the order in which they came, and its leftovers in recorded order', async () => {
    const failures: Failure[] = []
    await using replaying = await startReplaying(tape(talk, unary, talk, unary), {
      onFailure: failure => failures.push(failure),
    })
    const { server } = replaying
    await talks(server.url, 'Good night')
    await fetch(`${server.url}/v1beta/models/other:generateContent`, { method: 'POST', body: '{}' })
    await ask(server.url)
    const strange = watch(at(server.url))
    strange.say({ setup: { model: 'models/other' } })
    await strange.over()
    const report = await server.close()
    expect(report.failures.map(({ message }) => message)).toEqual([
      expect.stringContaining('The client sent clientContent'),
      expect.stringContaining('This request is not on the recording: '),
      expect.stringContaining('No recorded connection begins as this one'),
    ])
    expect(report.failures).toEqual(failures)
    expect(server.progress()).toEqual({ exchanges: 4, played: 2, failures })
    expect(report.leftovers.map(({ number }) => number)).toEqual([3, 4])
  })
})

describe('a socket that stays open', () => {
  it('gets its grace when the server closes, and is cut then', async () => {
    await using replaying = await startReplaying(tape(talk))
    const client = watch(at(replaying.server.url))
    client.say(SETUP)
    await client.until(1)
    const [report] = await Promise.all([replaying.server.close({ graceMs: 50 }), client.over()])
    expect(client.seen.at(-1)).toBe('close 1006')
    expect(report.leftovers).toMatchObject([{ number: 1, kind: 'never-reached' }])
  })

  it('may be closed by its client meanwhile, as on the recording', async () => {
    await using replaying = await startReplaying(tape(talk))
    const client = watch(at(replaying.server.url))
    client.say(SETUP, said('Hello'))
    await client.until(3)
    const closing = replaying.server.close()
    client.socket.close()
    expect(await closing).toMatchObject({ failures: [], leftovers: [] })
  })
})

describe('the times that a replay waits', () => {
  it('are those it is given', async () => {
    await using replaying = await startReplaying(tape(talk), { stallMs: 100, mediaQuietMs: 10 })
    const client = watch(at(replaying.server.url))
    client.say(SETUP)
    expect((await client.over()).at(-1)).toMatch(/^close 4408 WIRETAPE_STALL/)
    expect(replaying.server.failures).toMatchObject([{ code: 'WIRETAPE_STALL', details: { quietMs: 100 } }])
  })
})

describe('a message that is due later', () => {
  it('comes by itself', async () => {
    const late = ['{ at: 40, server: { serverContent: {} } }', 'close: { by: server }']
    await using replaying = await startReplaying(tape(socket([setup(), READY, ...late])), {
      pace: { type: 'factor', factor: 2 },
    })
    const client = watch(at(replaying.server.url))
    client.say(SETUP)
    expect((await client.over()).slice(1)).toEqual(['binary {"serverContent":{}}', 'close 1005'])
  })
})

describe('sound in the folder beside the cassette', () => {
  it('is sent as it was, and what the client sends is held against how much it had sent', async () => {
    const hears = (stretch: string) =>
      `client: { realtimeInput: { audio: { data: '${stretch}', mimeType: audio/pcm;rate=16000 } } }`
    const inline = (data: string) => `{ inlineData: { mimeType: audio/pcm;rate=24000, data: '${data}' } }`
    const speaks = (stretch: string) =>
      `server: { serverContent: { modelTurn: { parts: [${inline(stretch)}] } } }`
    const recorded = socket(
      [
        setup(),
        READY,
        hears('blob:1-client.pcm@0+3200'),
        speaks('blob:1-server.pcm@0+960'),
        speaks('blob:1-server.pcm@960+480'),
        OVER,
        'close: { by: client }',
      ],
      'blobs: { 1-client.pcm: 3200, 1-server.pcm: 1440 }\nend: {}',
    )
    const spoken = Buffer.alloc(1440, 'sound')
    await using replaying = await startReplaying(
      tape(recorded),
      {},
      {
        '1-client.pcm': Buffer.alloc(3200),
        '1-server.pcm': spoken,
      },
    )
    const client = watch(at(replaying.server.url))
    client.say(SETUP)
    await client.until(1)
    const data = Buffer.alloc(1600, 1).toString('base64')
    const half = { realtimeInput: { audio: { data, mimeType: 'audio/pcm;rate=16000' } } }
    client.say(half, half)
    await client.until(4)
    client.socket.close()
    const seen = (await client.over()).map(text => /"data":"([^"]*)"/.exec(text)?.[1] ?? '')
    expect(seen[1]).toBe(spoken.subarray(0, 960).toString('base64'))
    expect(seen[2]).toBe(spoken.subarray(960).toString('base64'))
    expect(await replaying.server.close()).toMatchObject({ failures: [], leftovers: [], notes: [] })
  })
})
