/** What only a dispatcher has: its handlers, its options, its end. */
import { Writable } from 'node:stream'
import { pipeline as joined } from 'node:stream/promises'
import { FormData as UndiciFormData, interceptors, request, stream, WebSocket, type Dispatcher } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createReplayDispatcher } from '../../src/serve/replay-dispatcher.ts'
import type { ReplaySessionOptions } from '../../src/serve/replay-session.ts'
import { holdYaml, type HeldReplay } from '../conformance/replays.ts'
import { askedExchange, BODY, PATH, tape } from './replaying.ts'

const ORIGIN = 'https://generativelanguage.googleapis.com'
const hello = askedExchange('repeat: always\nresponse: { status: 200, body: hello }\nend: {}\n')
const asked = { origin: ORIGIN, path: PATH, method: 'POST', body: BODY } as const
const slow = askedExchange(
  `response: { status: 200, events: [{ data: '{}' }, { at: 60000, data: '{}' }] }\nend: { at: 60000 }\n`,
)
const recorded: ReplaySessionOptions = { pace: { type: 'factor', factor: 1 } }

afterEach(() => void vi.useRealTimers())

async function play(
  yaml: string,
  options: ReplaySessionOptions = {},
): Promise<HeldReplay & { readonly dispatcher: Dispatcher }> {
  const replay = await holdYaml(yaml, options)
  return { ...replay, dispatcher: createReplayDispatcher(replay.session) }
}

/** Takes a stream's text. */
function sink(): { readonly into: Writable; text(): string } {
  const pieces: Buffer[] = []
  const into = new Writable({
    write(piece: Buffer, _, done) {
      pieces.push(piece)
      done()
    },
  })
  return { into, text: () => Buffer.concat(pieces).toString() }
}

describe('a dispatcher', () => {
  it('has the methods of undici’s own', async () => {
    const { dispatcher } = await play(tape(hello))
    const answer = await dispatcher.request(asked)
    expect([answer.statusCode, answer.statusText, await answer.body.text()]).toEqual([200, 'OK', 'hello'])
    const streamed = sink()
    await dispatcher.stream(asked, () => streamed.into)
    expect(streamed.text()).toBe('hello')
    const piped = sink()
    const { body: _, ...withoutBody } = asked
    const duplex = dispatcher.pipeline(withoutBody, ({ body }) => body)
    duplex.end(BODY)
    await joined(duplex, piped.into)
    expect(piped.text()).toBe('hello')
  })

  it('is one for undici’s functions, and for its interceptors', async () => {
    const { dispatcher, close } = await play(tape(hello))
    const composed = dispatcher.compose(interceptors.retry(), interceptors.responseError())
    const answer = await request(ORIGIN + PATH, { method: 'POST', body: BODY, dispatcher: composed })
    expect(await answer.body.text()).toBe('hello')
    const streamed = sink()
    await stream(ORIGIN + PATH, { method: 'POST', body: BODY, dispatcher }, () => streamed.into)
    expect(streamed.text()).toBe('hello')
    await composed.close()
    expect(await close()).toMatchObject({ failures: [], leftovers: [] })
  })

  it.each([
    ['a text', () => 'a thing'],
    ['a Buffer', () => Buffer.from('a thing')],
    ['bytes', () => new Uint8Array(Buffer.from('a thing'))],
    ['an iterable', () => ['a ', Buffer.from('thing')]],
    ['a Blob', () => new Blob(['a thing'])],
  ])('takes %s for a body', async (_, body) => {
    const { dispatcher, close } = await play(
      tape(`exchange: unknown
request: { method: POST, url: "https://example.com/v1/things?a=1&a=2", body: a thing }
response: { status: 200 }
end: {}
`),
    )
    const answer = await dispatcher.request({
      origin: 'https://example.com',
      path: '/v1/things',
      query: { a: [1, 2] },
      method: 'POST',
      body: body() as string,
    })
    expect(answer.statusCode).toBe(200)
    await answer.body.dump()
    expect(await close()).toMatchObject({ failures: [], leftovers: [] })
  })

  it('takes a form of undici’s class, and fields in every shape', async () => {
    const { dispatcher, report } = await play(tape())
    const form = new UndiciFormData()
    form.append('name', 'value')
    for (const headers of [['x-a', 'b'], { 'x-a': ['b', 'c'] }, new Map([['x-a', 'b']])] as const) {
      const given = headers as unknown as Record<string, string>
      const answer = await dispatcher.request({ ...asked, body: form, headers: given })
      expect(answer.statusCode).toBe(400)
      await answer.body.dump()
    }
    expect(report().requests).toBe(3)
  })

  it('remarks a request whose body fails', async () => {
    const { dispatcher, report } = await play(tape(hello))
    async function* broken(): AsyncGenerator<string> {
      yield await Promise.resolve('half')
      throw new Error('no more')
    }
    const body = broken() as unknown as string
    await expect(dispatcher.request({ ...asked, body })).rejects.toThrow('no more')
    expect(report()).toMatchObject({
      requests: 0,
      notes: ['a client left before it had sent the whole of POST /v1beta/models/m:streamGenerateContent'],
    })
  })

  it('refuses sockets, and says where there are some', async () => {
    const { dispatcher, report } = await play(tape(hello))
    await expect(dispatcher.upgrade({ path: '/ws/x' })).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
    await expect(dispatcher.connect({ origin: ORIGIN, path: 'example.com:443' })).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
      hint: expect.stringContaining('WebSocket') as string,
    })
    expect(report()).toMatchObject({
      requests: 0,
      notes: [
        'GET /ws/x asked the dispatcher for a socket, and it carries none',
        'CONNECT example.com:443 asked the dispatcher for a socket, and it carries none',
      ],
    })
  })
})

describe('a WebSocket of undici that is given the dispatcher', () => {
  it('gets no socket', async () => {
    const { dispatcher, report } = await play(tape())
    const socket = new WebSocket('wss://generativelanguage.googleapis.com/ws/x', { dispatcher })
    const { code } = await new Promise<{ readonly code: number }>(done => {
      socket.addEventListener('close', done)
    })
    expect(code).toBe(1006)
    expect(report().notes).toEqual(['GET /ws/x asked the dispatcher for a socket, and it carries none'])
  })
})

describe('a client that is slow, or leaves', () => {
  it('has what it asked to wait for when it wants more', async () => {
    const { dispatcher } = await play(
      tape(askedExchange(`response: { status: 200, events: [{ data: '1' }, { data: '2' }] }\nend: {}\n`)),
    )
    const seen: string[] = []
    let goOn: (() => void) | undefined
    const ended = new Promise<void>(resolve => {
      dispatcher.dispatch(asked, {
        onRequestStart: () => seen.push('start'),
        onResponseStart(controller, status, headers, phrase) {
          seen.push(`${status} ${phrase} ${JSON.stringify(headers)}`)
          controller.pause()
          goOn = () => controller.resume()
        },
        onResponseData(controller, bytes) {
          seen.push(bytes.toString().trim())
          expect([controller.paused, controller.aborted, controller.reason]).toEqual([false, false, null])
          controller.pause()
          goOn = () => controller.resume()
        },
        onResponseEnd: () => {
          seen.push('end')
          resolve()
        },
        onResponseError: (_, cause) => seen.push(cause.message),
      })
    })
    for (const count of [2, 3, 4]) {
      await vi.waitFor(() => expect(seen).toHaveLength(count))
      goOn?.()
    }
    await ended
    expect(seen).toEqual(['start', '200 OK {}', 'data: 1', 'data: 2', 'end'])
  })

  it('has its answer ended by an abort, whenever that comes', async () => {
    const { dispatcher, report } = await play(tape(slow), recorded)
    const early = AbortSignal.abort(new Error('too early'))
    await expect(dispatcher.request({ ...asked, signal: early })).rejects.toThrow('too early')
    expect(report().requests).toBe(0)
    const abort = new AbortController()
    const { body } = await dispatcher.request({ ...asked, signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(body.text()).rejects.toThrow('enough')
    expect(report().leftovers).toMatchObject([{ kind: 'abandoned' }])
  })

  it('that throws in its handler has left', async () => {
    const { dispatcher, report } = await play(tape(slow), recorded)
    const cause = await new Promise<Error>(resolve => {
      dispatcher.dispatch(asked, {
        onRequestStart: () => undefined,
        onResponseStart: () => {
          throw new Error('not this one')
        },
        onResponseError: (_, error) => resolve(error),
      })
    })
    expect(cause.message).toBe('not this one')
    expect(report().leftovers).toMatchObject([{ kind: 'abandoned' }])
  })
})

describe('the end of a dispatcher', () => {
  it('waits for what is open, and takes nothing new', async () => {
    const { dispatcher } = await play(tape(hello))
    const answer = dispatcher.request(asked)
    const closed = dispatcher.close()
    await expect(dispatcher.request(asked)).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' })
    expect(await (await answer).body.text()).toBe('hello')
    await closed
  })

  it('ends what is open where it is destroyed', async () => {
    const { dispatcher } = await play(tape(slow), recorded)
    const { body } = await dispatcher.request(asked)
    const text = body.text()
    const destroyed = new Promise<void>(resolve => dispatcher.destroy(resolve))
    await expect(text).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' })
    await destroyed
    await expect(dispatcher.request(asked)).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' })
  })
})

describe('with the timers of a test', () => {
  it('an answer comes that no time is to pass for', async () => {
    vi.useFakeTimers()
    const { dispatcher } = await play(
      tape(askedExchange(`response: { status: 200, events: [{ data: '1' }, { data: '2' }] }\nend: {}\n`)),
    )
    const { body } = await dispatcher.request(asked)
    expect(await body.text()).toBe('data: 1\r\n\r\ndata: 2\r\n\r\n')
  })

  it('a refusal comes though they hold microtasks, too', async () => {
    vi.useFakeTimers({ toFake: ['queueMicrotask'] })
    const { dispatcher } = await play(tape(hello))
    await dispatcher.close()
    const told = new Promise<unknown>(onError => {
      dispatcher.dispatch(asked, { onConnect: () => undefined, onError })
    })
    expect(await told).toMatchObject({ code: 'UND_ERR_CLOSED' })
  })
})
