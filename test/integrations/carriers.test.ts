/** The ways for code in this process, while it is recorded and while it is replayed: the same code, the same answers. */
import { describe, expect, it } from 'vitest'
import { request } from 'undici'
import { useCassette, type Tape } from '../../src/index.ts'
import { createRelocate } from '../../src/serve/relocation.ts'
import { startLiveService } from '../contract/live-service.ts'
import { ask, bodyOf, kindsIn, newFile, ROUTE, startService, textOf } from './service.ts'

const SERVICE = 'https://generativelanguage.googleapis.com'
const LIVE =
  'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** What an app sees of a cassette that it records, and then replays. */
async function twice(upstream: string, app: (tape: Tape) => Promise<unknown>): Promise<readonly unknown[]> {
  const file = newFile()
  const seen = []
  for (const mode of ['once', 'replay', 'new-episodes'] as const) {
    await using tape = await useCassette(file, { mode, upstream })
    seen.push(await app(tape))
  }
  expect(kindsIn(file)).toBe('header exchange')
  return seen
}

/** The answer to the setup of a session at this address. */
async function setUp(tape: Tape, address: string): Promise<readonly string[]> {
  const socket = new tape.WebSocket(address)
  socket.binaryType = 'arraybuffer'
  const seen: string[] = []
  await new Promise<void>(resolve => {
    socket.addEventListener('open', () => socket.send('{"setup":{"model":"models/m"}}'))
    socket.addEventListener('message', event => {
      if ('data' in event && event.data instanceof ArrayBuffer) seen.push(Buffer.from(event.data).toString())
      socket.close()
    })
    socket.addEventListener('close', () => resolve())
  })
  return seen
}

describe('code in this process sees the same, recorded and replayed', () => {
  it('by fetch, with a Request too', async () => {
    const { url } = await startService()
    const [recorded, replayed, grown] = await twice(url, async tape => {
      const asked = new Request(SERVICE + ROUTE, { method: 'POST', body: bodyOf('Hello') })
      const response = await tape.fetch(asked)
      return [response.status, await response.text()]
    })
    expect(recorded).toEqual([200, expect.stringContaining('Sunny.')])
    expect(replayed).toEqual(recorded)
    expect(grown).toEqual(recorded)
  })

  it('by a dispatcher of undici', async () => {
    const { url } = await startService()
    const [recorded, replayed, grown] = await twice(url, async ({ dispatcher }) => {
      const { statusCode, body } = await request(SERVICE + ROUTE, {
        method: 'POST',
        body: bodyOf('Hello'),
        dispatcher,
      })
      return [statusCode, await body.text()]
    })
    expect(recorded).toEqual([200, expect.stringContaining('Sunny.')])
    expect(replayed).toEqual(recorded)
    expect(grown).toEqual(recorded)
  })

  it('by a WebSocket of the platform', async () => {
    const service = await startLiveService()
    const [recorded, replayed, grown] = await twice(service.url, tape => setUp(tape, LIVE))
    await service.close()
    expect(recorded).toEqual([expect.stringContaining('setupComplete')])
    expect(replayed).toEqual(recorded)
    expect(grown).toEqual(recorded)
  })
})

describe('a gateway that is asked by its own address', () => {
  it('is left out of the recording, which each way replays', async () => {
    const { url } = await startService()
    const upstream = `${url}/gateway`
    const file = newFile()
    const byDispatcher = async ({ dispatcher }: Tape): Promise<string> => {
      const { body } = await request(upstream + ROUTE, { method: 'POST', body: bodyOf('Hello'), dispatcher })
      return body.text()
    }
    {
      await using tape = await useCassette(file, { mode: 'once', upstream })
      expect(await ask(upstream, 'Hello', tape.fetch)).toContain('Sunny.')
    }
    expect(textOf(file)).toContain(`url: ${url}${ROUTE}\n`)
    for (const app of [
      (tape: Tape) => ask(upstream, 'Hello', tape.fetch),
      (tape: Tape) => ask(SERVICE, 'Hello', tape.fetch),
      (tape: Tape) => ask(tape.url, 'Hello'),
      byDispatcher,
    ]) {
      await using tape = await useCassette(file, { mode: 'replay', upstream })
      expect(await app(tape)).toContain('Sunny.')
    }
  })

  it('is left out for a socket too', async () => {
    const service = await startLiveService()
    const upstream = `${service.url}/gateway`
    const path = new URL(LIVE).pathname
    const seen = await twice(upstream, tape => setUp(tape, `${upstream.replace('http', 'ws')}${path}`))
    await service.close()
    expect(seen).toEqual(Array.from({ length: 3 }, () => [expect.stringContaining('setupComplete')]))
  })
})

describe('the address of a request while it is recorded', () => {
  const relocate = createRelocate({
    url: 'http://127.0.0.1:1',
    vertexUrl: 'http://127.0.0.1:2',
    upstream: 'https://gateway.example/gemini',
    vertexUpstream: 'https://gateway.example/vertex/',
  })

  it.each([
    ['https://generativelanguage.googleapis.com/v1/models/m?a=1', 'http://127.0.0.1:1/v1/models/m?a=1'],
    ['wss://generativelanguage.googleapis.com/ws/x', 'ws://127.0.0.1:1/ws/x'],
    ['https://us-east1-aiplatform.googleapis.com/v1/x', 'http://127.0.0.1:2/v1/x'],
    ['wss://aiplatform.googleapis.com/ws/x', 'ws://127.0.0.1:2/ws/x'],
    ['https://gateway.example/gemini/v1/x', 'http://127.0.0.1:1/v1/x'],
    ['https://gateway.example/vertex/v1/x', 'http://127.0.0.1:2/v1/x'],
    ['http://127.0.0.1:1/v1/x', 'http://127.0.0.1:1/v1/x'],
    ['ws://127.0.0.1:2/v1/x', 'ws://127.0.0.1:2/v1/x'],
  ])('%s is at the proxy', (address, proxied) => {
    expect(relocate(address)).toBe(proxied)
  })

  it.each([
    'https://example.com/v1/x',
    'https://gateway.example/geminis/v1/x',
    'http://127.0.0.1:11/v1/x',
    'https://storage.googleapis.com/bucket',
    'https://aiplatform.googleapis.com.example/v1/x',
  ])('%s is not: it is told', address => {
    expect(() => relocate(address)).toThrowError(expect.objectContaining({ code: 'WIRETAPE_USAGE' }))
  })
})

it('a way that no port leads to needs none: nothing is listened for by whoever fetches', async () => {
  const { url } = await startService()
  const file = newFile()
  {
    await using tape = await useCassette(file, { mode: 'once', upstream: url })
    await ask(SERVICE, 'Hello', tape.fetch)
  }
  await using tape = await useCassette(file, { mode: 'replay' })
  expect(await ask('http://no-such-host.invalid', 'Hello', tape.fetch)).toContain('Sunny.')
})
