/** Pace by a test's own time: fake timers move a replay, and steps by hand need no time at all. */
import { GoogleGenAI } from '@google/genai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { createHttpReplay } from '../../src/replay/http-replay.ts'
import type { Pace } from '../../src/replay/http.ts'
import { listen } from '../../src/serve/listener.ts'
import { type AnswerCommand, createReplayCarrier } from '../../src/serve/replay-carrier.ts'
import { createReplayHandler } from '../../src/serve/replay-handler.ts'
import { createSocketCarrier, type SocketPeer } from '../../src/serve/socket-carrier.ts'
import { createSteadyClock } from '../../src/serve/steady-clock.ts'
import { createSteps, type Released } from '../../src/serve/steps.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'
import { cassette, finished, question, said, stream, STREAM_PATH } from '../replay/exchanges.ts'
import {
  client,
  closed,
  connection,
  ready,
  replayOf,
  server,
  setup,
  speech,
  URL,
} from '../replay/live-playbook.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const hello = stream('Hello?', [said('Hel', 20), said('lo', 50), finished(90)])
const session = connection([
  client(setup),
  server(ready, { at: 30 }),
  server(speech('a'), { at: 80 }),
  closed('server', 1011),
])

/** A replay of these answers without a socket; what is commanded is kept, with the time at which it was. */
function inProcess(exchanges: readonly Exchange[], pace: Pace) {
  const cassettes = [{ cassette: cassette(...exchanges), blobs: () => undefined }]
  const redactor = createRedactor(SECRET_RULES)
  const steps = createSteps()
  const engine = createHttpReplay({ cassettes, redactor, pace })
  const carrier = createReplayCarrier({ engine, clock: createSteadyClock(), steps })
  const began = Date.now()
  const seen: string[] = []
  const run = (commands: readonly AnswerCommand[]): void =>
    void seen.push(...commands.map(command => `${command.type} @${Date.now() - began}`))
  const ask = () => {
    const body = encodeUtf8(JSON.stringify(question('Hello?')))
    const url = `/v1beta${STREAM_PATH}`
    return carrier.request({ method: 'POST', url, headers: [], body, origin: 'http://a' }, { run })
  }
  return { ask, seen, steps, carrier }
}

const textOf = (released: Released | undefined): string | undefined =>
  released === undefined ? undefined : `${released.type} ${decodeUtf8(released.bytes)?.trim()}`.trim()

describe('at the recorded pace', () => {
  it('is moved by fake timers alone, to the millisecond', async () => {
    const { ask, seen } = inProcess([hello], { type: 'factor', factor: 1 })
    ask()
    await vi.advanceTimersByTimeAsync(49)
    expect(seen).toEqual(['head @10', 'chunk @20'])
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual(['head @10', 'chunk @20', 'chunk @50'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen.slice(3)).toEqual(['chunk @90', 'end @100'])
  })

  it('goes on from where it was where fake timers come in the middle', async () => {
    vi.useRealTimers()
    const { ask, seen } = inProcess([hello], { type: 'factor', factor: 1 })
    vi.useFakeTimers()
    ask()
    await vi.advanceTimersByTimeAsync(100)
    expect(seen).toHaveLength(5)
  })

  it('is moved so where only the timers are fake, and not the time', async () => {
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { ask, seen } = inProcess([hello], { type: 'factor', factor: 1 })
    ask()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen.map(what => what.split(' ')[0])).toEqual(['head', 'chunk', 'chunk', 'chunk', 'end'])
  })

  it('waits for no time that passed while another clock was in place', async () => {
    const clock = createSteadyClock()
    const before = clock.now()
    await vi.advanceTimersByTimeAsync(20)
    expect(clock.now() - before).toBe(20)
    vi.useRealTimers()
    // The real clock counts from the start of this process, the fake one from 0.
    const real = performance.now()
    expect(clock.now() - before).toBe(20)
    expect(clock.now() - before - 20).toBeLessThanOrEqual(performance.now() - real)
    vi.useFakeTimers()
    const then = clock.now()
    await vi.advanceTimersByTimeAsync(5)
    expect(clock.now() - then).toBe(5)
  })

  it('plays sockets so too', async () => {
    const played: string[] = []
    const carrier = createSocketCarrier({
      engine: replayOf([session], { pace: { type: 'factor', factor: 2 } }),
      clock: createSteadyClock(),
    })
    const began = Date.now()
    carrier.open(URL, [], carried => {
      queueMicrotask(() => carried.message(encodeUtf8(JSON.stringify(setup)), 'text'))
      return peer(what => played.push(`${what} @${Date.now() - began}`))
    })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(played).toEqual(['accept @0', 'send @15', 'send @40', 'close @40'])
  })
})

describe('a step by hand', () => {
  const manual: Pace = { type: 'manual' }

  it('lets one thing go, and says what', async () => {
    const { ask, seen, steps } = inProcess([hello], manual)
    ask()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen).toEqual([])
    expect(textOf(await steps.step())).toMatch(/^chunk data: .*Hel"/)
    expect(seen).toEqual(['head @60000', 'chunk @60000'])
    expect(textOf(await steps.step())).toMatch(/lo"/)
    expect(textOf(await steps.step())).toMatch(/STOP/)
    expect(seen.slice(3)).toEqual(['chunk @60000', 'end @60000'])
  })

  it('waits in real time for what is to come, and gives up', async () => {
    const { ask, steps, carrier } = inProcess([hello], manual)
    const asked = steps.step()
    ask()
    expect(textOf(await asked)).toMatch(/Hel"/)
    expect(await steps.step({ withinMs: 0 })).toMatchObject({ type: 'chunk' })
    expect(await steps.step({ withinMs: 0 })).toMatchObject({ type: 'chunk' })
    expect(await steps.step({ withinMs: 1 })).toBeUndefined()
    const last = steps.step()
    steps.stop()
    expect(await last).toBeUndefined()
    carrier.stop()
  })

  it('waits for as long as it takes where no end is set to it', async () => {
    const warned: string[] = []
    const warn = (warning: Error): void => void warned.push(warning.name)
    process.on('warning', warn)
    const { ask, steps } = inProcess([hello], manual)
    const asked = steps.step({ withinMs: Infinity })
    // What was set before has rung by then.
    expect(await steps.step({ withinMs: 2 })).toBeUndefined()
    ask()
    expect(textOf(await asked)).toMatch(/Hel"/)
    process.off('warning', warn)
    expect(warned).toEqual([])
  })

  it('gives nothing at once where the replay is over', async () => {
    const { ask, seen, steps } = inProcess([hello], manual)
    ask()
    steps.stop()
    expect(await steps.step({ withinMs: Infinity })).toBeUndefined()
    expect(seen).toEqual([])
  })

  it('gives each of those who wait one thing, in order', async () => {
    const { ask, steps } = inProcess([hello], manual)
    const all = Promise.all([steps.step(), steps.step(), steps.step()])
    ask()
    expect((await all).map(textOf)).toEqual([
      expect.stringContaining('Hel'),
      expect.stringContaining('lo'),
      expect.stringContaining('STOP'),
    ])
  })

  it('lets the official SDK have an answer piece by piece, through a server', async () => {
    const { steps, carrier } = inProcess([hello], manual)
    const listener = await listen(
      createReplayHandler(
        carrier,
        () => {},
        url => url,
      ),
      0,
    )
    const ai = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: listener.url } })
    const asked = ai.models.generateContentStream({ model: 'm', contents: 'Hello?' })
    await steps.step()
    const answer = await asked
    expect((await answer.next()).value?.text).toBe('Hel')
    const second = answer.next()
    await steps.step()
    expect((await second).value?.text).toBe('lo')
    await steps.step()
    expect((await answer.next()).value?.candidates?.[0]?.finishReason).toBe('STOP')
    expect(await answer.next()).toMatchObject({ done: true })
    await carrier.idle(5_000)
    await listener.close()
  })

  it('lets messages of a socket go, of whichever is open', async () => {
    const steps = createSteps()
    const carrier = createSocketCarrier({
      engine: replayOf([session], { pace: manual }),
      clock: createSteadyClock(),
      steps,
    })
    const played: string[] = []
    carrier.open(URL, [], carried => {
      queueMicrotask(() => carried.message(encodeUtf8(JSON.stringify(setup)), 'text'))
      return peer(what => played.push(what))
    })
    const types = [await steps.step(), await steps.step(), await steps.step()].map(one => one?.type)
    expect(types).toEqual(['message', 'message', 'close'])
    expect(played).toEqual(['accept', 'send', 'send', 'close'])
  })

  it('lets a recorded cut and an empty answer go', async () => {
    const cut = stream('Hello?', [], { end: { at: 20, how: 'upstream-reset' } })
    const empty = stream('Hello?', [])
    const { ask, steps } = inProcess([cut, empty], manual)
    ask()
    // The head of what is cut stands alone: a client may have seen it.
    expect((await steps.step())?.type).toBe('head')
    expect((await steps.step())?.type).toBe('cut')
    ask()
    expect((await steps.step())?.type).toBe('end')
  })
})

/** A socket that tells what is done to it. */
function peer(did: (what: string) => void): SocketPeer {
  return {
    accept: () => did('accept'),
    refuse: () => did('refuse'),
    send: () => did('send'),
    close: () => did('close'),
    drop: () => did('drop'),
    cut: () => did('cut'),
    drain: drained => queueMicrotask(drained),
  }
}
