/** What sockets in this process show of their APIs: held against the WebSocket of undici, and of `ws`. */
import { WebSocket as UndiciWebSocket } from 'undici'
import { WebSocket as WsWebSocket } from 'ws'
import { GoogleGenAI } from '@google/genai'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSocketFactory, plugSockets } from '../../src/serve/in-process-socket.ts'
import { createInProcessWebSocket } from '../../src/serve/in-process-web-socket.ts'
import { holdYaml, serve } from '../conformance/replays.ts'
import { asks, OVER, READY, says, setup, socket } from '../contract/live-cassettes.ts'
import { MODEL } from '../contract/live-transcripts.ts'
import { cassetteFile, tape } from './replaying.ts'
import { PATH } from './socket-replaying.ts'

const URL_OF_SERVICE = `wss://generativelanguage.googleapis.com${PATH}`
const SETUP = JSON.stringify({ setup: { model: `models/${MODEL}` } })
const talk = socket([setup(), READY, asks('Hello'), says('Hi.'), OVER, 'close: { by: client }'])
const BYE = 'close: { by: server, code: 1000, reason: bye }'
const greeting = socket([setup(), READY, BYE])

afterEach(() => void vi.useRealTimers())

/** The address of a replay behind a port, for a client that we did not write. */
async function addressOf(yaml: string): Promise<string> {
  const server = await serve([await cassetteFile(yaml)])
  onTestFinished(async () => void (await server.close(0)))
  return server.url.replace('http', 'ws')
}

/** The class of a replay. */
async function standard(yaml: string): Promise<ReturnType<typeof createInProcessWebSocket>> {
  return createInProcessWebSocket((await holdYaml(yaml)).session)
}

/** What is thrown, by its kind. */
function thrown(run: () => unknown): string {
  try {
    run()
    return 'nothing'
  } catch (error) {
    return error instanceof Error || error instanceof DOMException ? error.name : String(error)
  }
}

describe('the WebSocket class', () => {
  it.each([
    ['no url', []],
    ['https://example.com/#part', []],
    ['ftp://example.com', []],
    ['wss://example.com', 'not a token'],
    ['wss://example.com', ['a', 'A']],
    ['wss://example.com', ''],
  ])('refuses %j with %j as undici does', async (url, protocols) => {
    const InProcess = await standard(tape())
    const expected = thrown(() => new UndiciWebSocket(url, protocols))
    expect(expected).toBe('SyntaxError')
    expect(thrown(() => new InProcess(url, protocols))).toBe(expected)
  })

  it('has its constants, its name and its first state', async () => {
    const InProcess = await standard(tape(talk))
    const made = new InProcess(URL_OF_SERVICE)
    const names = ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED'] as const
    expect(names.map(name => [InProcess[name], made[name]])).toEqual(names.map((_, n) => [n, n]))
    const { url, readyState, protocol, extensions, binaryType, bufferedAmount, onopen, onclose } = made
    expect({ url, readyState, protocol, extensions, binaryType, bufferedAmount, onopen, onclose }).toEqual({
      url: URL_OF_SERVICE,
      readyState: 0,
      protocol: '',
      extensions: '',
      binaryType: 'blob',
      bufferedAmount: 0,
      onopen: null,
      onclose: null,
    })
    expect([InProcess.name, made instanceof EventTarget]).toEqual(['WebSocket', true])
    expect(new InProcess(URL_OF_SERVICE.replace('wss', 'https')).url).toBe(URL_OF_SERVICE)
  })

  it.each([
    [999, undefined],
    [1001, undefined],
    [5000, undefined],
    [1000, 'é'.repeat(62)],
    [1000, 'é'.repeat(61)],
    [3000, ''],
    [undefined, undefined],
  ])('takes or refuses a close with %j and %j as undici does', async (code, reason) => {
    const address = await addressOf(tape(talk))
    const InProcess = await standard(tape(talk))
    const peer = new UndiciWebSocket(`${address}${PATH}`)
    const own = new InProcess(URL_OF_SERVICE)
    await Promise.all([peer, own].map(one => new Promise(done => one.addEventListener('open', done))))
    expect(thrown(() => own.close(code, reason))).toBe(thrown(() => peer.close(code, reason)))
  })

  it('gives the first of the subprotocols that are asked for', async () => {
    const InProcess = await standard(tape(talk))
    const made = new InProcess(URL_OF_SERVICE, ['chat', 'other'])
    await new Promise(done => made.addEventListener('open', done))
    expect(made.protocol).toBe('chat')
    const withFields = new InProcess(URL_OF_SERVICE, { protocols: 'chat', headers: { 'x-a': 'b' } })
    await new Promise(done => withFields.addEventListener('open', done))
    expect(withFields.protocol).toBe('chat')
  })

  it('throws where it is sent something before it is open, and loses what is sent after its end', async () => {
    const InProcess = await standard(tape(greeting))
    const made = new InProcess(URL_OF_SERVICE)
    expect(thrown(() => made.send('too early'))).toBe('InvalidStateError')
    await new Promise(done => made.addEventListener('open', done))
    made.send(SETUP)
    await new Promise(done => made.addEventListener('close', done))
    expect(made.readyState).toBe(InProcess.CLOSED)
    made.send('too late')
    expect(made.bufferedAmount).toBe('too late'.length)
    made.close()
  })

  it('counts what is not on its way yet, and sends what was there at the call', async () => {
    const replay = await holdYaml(tape(talk))
    const InProcess = createInProcessWebSocket(replay.session)
    const made = new InProcess(URL_OF_SERVICE)
    await new Promise(done => made.addEventListener('open', done))
    const bytes = new Uint8Array(Buffer.from(SETUP))
    made.send(bytes)
    bytes.fill(0)
    expect(made.bufferedAmount).toBe(SETUP.length)
    await new Promise(done => made.addEventListener('message', done))
    expect(made.bufferedAmount).toBe(0)
    expect(replay.report().failures).toEqual([])
  })

  it.each([
    ['a Blob', (text: string) => new Blob([text])],
    ['a buffer', (text: string) => new Uint8Array(Buffer.from(text)).buffer],
    ['a view', (text: string) => new DataView(new Uint8Array(Buffer.from(`  ${text}`)).buffer, 2)],
  ])('sends %s, and what is sent after it comes after it', async (_, made) => {
    const replay = await holdYaml(tape(talk))
    const InProcess = createInProcessWebSocket(replay.session)
    const own = new InProcess(URL_OF_SERVICE)
    await new Promise(done => own.addEventListener('open', done))
    own.send(made(SETUP))
    own.send('{"clientContent":{"turns":[{"parts":[{"text":"Hello"}],"role":"user"}],"turnComplete":true}}')
    let count = 0
    await new Promise<void>(done => {
      own.addEventListener('message', () => (count += 1) === 3 && done())
    })
    own.close()
    expect(await replay.close()).toMatchObject({ failures: [], leftovers: [] })
  })

  it('gives a Blob or a buffer, as it is told, and no other type', async () => {
    const InProcess = await standard(tape(socket([setup(), READY, READY, 'close: { by: client }'])))
    const made = new InProcess(URL_OF_SERVICE)
    made.addEventListener('open', () => made.send(SETUP))
    const seen: unknown[] = []
    await new Promise<void>(done => {
      Object.assign(made, {
        onmessage({ data }: { readonly data: unknown }) {
          seen.push(data)
          Object.assign(made, { binaryType: 'arraybuffer' })
          Object.assign(made, { binaryType: 'nothing' })
          if (seen.length === 2) done()
        },
      })
    })
    expect(seen[0]).toBeInstanceOf(Blob)
    expect(seen[1]).toBeInstanceOf(ArrayBuffer)
  })

  it('has one handler of each kind, the last that was set', async () => {
    const InProcess = await standard(tape(talk))
    const made = new InProcess(URL_OF_SERVICE)
    const seen: string[] = []
    const first = (): void => void seen.push('first')
    Object.assign(made, { onopen: first, onmessage: first, onerror: first, onclose: first })
    const { onopen, onmessage, onerror, onclose } = made
    expect([onopen, onmessage, onerror, onclose]).toEqual([first, first, first, first])
    Object.assign(made, { onopen: ({ type }: Event) => seen.push(`second ${type}`), onclose: null })
    await new Promise(done => made.addEventListener('open', done))
    expect(seen).toEqual(['second open'])
    made.close()
    await new Promise(done => made.addEventListener('close', done))
    expect(seen).toEqual(['second open'])
  })

  it('fails where it is closed before it is open', async () => {
    const replay = await holdYaml(tape(talk))
    const InProcess = createInProcessWebSocket(replay.session)
    const made = new InProcess(URL_OF_SERVICE)
    const seen: string[] = []
    for (const type of ['open', 'error', 'close']) made.addEventListener(type, () => seen.push(type))
    made.close()
    expect(made.readyState).toBe(InProcess.CLOSING)
    await new Promise(done => made.addEventListener('close', done))
    expect(seen).toEqual(['error', 'close'])
  })

  it('fails on a text that is none', async () => {
    const bytes = socket([
      setup(),
      READY,
      'server-base64: /w==\n    frame: text',
      OVER,
      'close: { by: client }',
    ])
    const replay = await holdYaml(tape(bytes))
    const InProcess = createInProcessWebSocket(replay.session)
    const made = new InProcess(URL_OF_SERVICE)
    const seen: string[] = []
    await new Promise<void>(done => {
      Object.assign(made, {
        onopen: () => made.send(SETUP),
        onmessage: () => seen.push('message'),
        onerror: () => seen.push('error'),
        onclose({ code }: { readonly code: number }) {
          seen.push(`close ${code}`)
          done()
        },
      })
    })
    expect(seen).toEqual(['message', 'error', 'close 1006'])
  })
})

describe('the factory', () => {
  const heard = (seen: string[]) => ({
    onopen: () => void seen.push('open'),
    onmessage: ({ data }: { readonly data: string | Buffer }) => void seen.push(typeof data),
    onerror: ({ message }: { readonly message: string }) => void seen.push(`error ${message}`),
    onclose: ({ code, wasClean }: { readonly code: number; readonly wasClean: boolean }) =>
      void seen.push(`close ${code} ${wasClean}`),
  })

  /** The same client on `ws`, behind a port. */
  async function onWs(yaml: string, path = PATH): Promise<{ socket: WsWebSocket; seen: string[] }> {
    const seen: string[] = []
    const made = new WsWebSocket(`${await addressOf(yaml)}${path}`)
    Object.assign(made, heard(seen))
    return { socket: made, seen }
  }

  it.each([
    ['has no socket', tape(), '/ws/nothing'],
    [
      'is refused',
      tape(`exchange: live
request: { url: "wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent" }
response: { status: 503 }
end: {}
`),
      PATH,
    ],
  ])('tells a client that %s what ws would', async (_, yaml, path) => {
    const peer = await onWs(yaml, path)
    const seen: string[] = []
    const { session } = await holdYaml(yaml)
    const url = `wss://generativelanguage.googleapis.com${path}`
    createSocketFactory(session).create(url, {}, heard(seen)).connect()
    await vi.waitFor(() => expect([seen.length, peer.seen.length]).toEqual([2, 2]))
    expect(seen).toEqual(peer.seen)
  })

  it('throws where ws would, and closes before it is open as ws does', async () => {
    const seen: string[] = []
    const { session } = await holdYaml(tape(talk))
    const own = createSocketFactory(session).create(URL_OF_SERVICE, {}, heard(seen))
    expect(() => own.send('x')).toThrow('WebSocket is not connected')
    expect(() => own.close()).toThrow('WebSocket is not connected')
    const peer = await onWs(tape(talk))
    own.connect()
    const early = 'WebSocket is not open: readyState 0 (CONNECTING)'
    expect(() => own.send('x')).toThrow(early)
    expect(() => peer.socket.send('x')).toThrow(early)
    own.close()
    peer.socket.close()
    await vi.waitFor(() => expect([seen.length, peer.seen.length]).toEqual([2, 2]))
    expect(seen).toEqual(peer.seen)
    own.send('lost')
    own.close()
  })

  it('fails on a text that is none as ws does', async () => {
    const bytes = tape(
      socket([setup(), READY, 'server-base64: /w==\n    frame: text', OVER, 'close: { by: client }']),
    )
    const peer = await onWs(bytes)
    peer.socket.on('open', () => peer.socket.send(SETUP))
    const seen: string[] = []
    const { session } = await holdYaml(bytes)
    const own = createSocketFactory(session).create(
      URL_OF_SERVICE,
      {},
      {
        ...heard(seen),
        onopen() {
          seen.push('open')
          own.send(SETUP)
        },
      },
    )
    own.connect()
    await vi.waitFor(() => expect([seen.length, peer.seen.length]).toEqual([4, 4]))
    expect(seen).toEqual(peer.seen)
  })

  it('is put into a client of the SDK, and into nothing that has no place for it', async () => {
    const { session } = await holdYaml(tape(talk))
    const factory = createSocketFactory(session)
    const { live } = new GoogleGenAI({ apiKey: 'none' })
    plugSockets(live, factory)
    expect(Reflect.get(live, 'webSocketFactory')).toBe(factory)
    expect(Reflect.get(live.music, 'webSocketFactory')).toBe(factory)
    expect(() => plugSockets({}, factory)).toThrow(
      expect.objectContaining({ code: 'WIRETAPE_USAGE' }) as Error,
    )
  })
})

describe('with the timers of a test', () => {
  it.each([
    ['short', greeting],
    ['long', socket([setup(), READY, ...Array<string>(30).fill(says('x'.repeat(60_000))), BYE])],
  ])('a %s session goes on that no time is to pass for', async (_, talked) => {
    vi.useFakeTimers()
    const InProcess = await standard(tape(talked))
    const made = new InProcess(URL_OF_SERVICE)
    const { code, reason } = await new Promise<{ code: number; reason: string }>(done => {
      Object.assign(made, { onopen: () => made.send(SETUP), onclose: done })
    })
    expect([code, reason]).toEqual([1000, 'bye'])
  })

  it('a message comes when they are moved to its time, and not before', async () => {
    vi.useFakeTimers()
    const late = socket([`{ at: 0, ${setup()} }`, `{ at: 1000, ${READY} }`, `{ at: 1000, ${BYE} }`])
    const replay = await holdYaml(tape(late), { pace: { type: 'factor', factor: 1 } })
    const InProcess = createInProcessWebSocket(replay.session)
    const made = new InProcess(URL_OF_SERVICE)
    const seen: string[] = []
    for (const type of ['open', 'message', 'close']) made.addEventListener(type, () => seen.push(type))
    made.addEventListener('open', () => made.send(SETUP))
    await vi.advanceTimersByTimeAsync(999)
    expect(seen).toEqual(['open'])
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual(['open', 'message', 'close'])
  })

  it('a client that closes too early hears so though they hold microtasks, too', async () => {
    vi.useFakeTimers({ toFake: ['queueMicrotask'] })
    const seen: string[] = []
    const { session } = await holdYaml(tape(greeting))
    const own = createSocketFactory(session).create(
      URL_OF_SERVICE,
      {},
      {
        onopen: ({ type }) => void seen.push(type),
        onmessage: ({ type }) => void seen.push(type),
        onerror: ({ type }) => void seen.push(type),
        onclose: ({ type }) => void seen.push(type),
      },
    )
    own.connect()
    own.close()
    while (!seen.includes('close')) await new Promise(setImmediate)
    expect(seen).toEqual(['error', 'close'])
  })
})
