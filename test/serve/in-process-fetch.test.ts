/** What only a `fetch` shows, or only one in this process: its arguments, its aborts, its responses. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createInProcessFetch } from '../../src/serve/in-process-fetch.ts'
import { createReplaySession, type ReplaySessionOptions } from '../../src/serve/replay-session.ts'
import { loadCassette } from '../../src/store/load.ts'
import { holdYaml, type HeldReplay } from '../conformance/replays.ts'
import { askedExchange, BODY, cassetteFile, PATH, tape } from './replaying.ts'

const URL_OF_SERVICE = `https://generativelanguage.googleapis.com${PATH}`
const hello = askedExchange('repeat: always\nresponse: { status: 200, body: hello }\nend: {}\n')

afterEach(() => void vi.useRealTimers())

async function play(
  yaml: string,
  options: ReplaySessionOptions = {},
): Promise<HeldReplay & { readonly fetch: typeof fetch }> {
  const replay = await holdYaml(yaml, options)
  return { ...replay, fetch: createInProcessFetch(replay.session) }
}

/** An exchange that wants exactly this body. */
function wanting(body: string): string {
  return `exchange: unknown
request: { method: POST, url: "https://example.com/v1/things", body: '${body}' }
response: { status: 200, body: taken }
end: {}
`
}

describe('a request', () => {
  it.each([
    ['an address and an init', [URL_OF_SERVICE, { method: 'POST', body: BODY }]],
    ['a URL', [new URL(URL_OF_SERVICE), { method: 'post', body: BODY }]],
    ['a Request', [new Request(URL_OF_SERVICE, { method: 'POST', body: BODY })]],
    ['a Request and an init', [new Request(URL_OF_SERVICE), { method: 'POST', body: BODY }]],
    ['any host at all', [`http://192.0.2.1:9${PATH}`, { method: 'POST', body: BODY }]],
  ] as const)('may be %s', async (_, args) => {
    const replay = await play(tape(hello))
    const response = await replay.fetch(...(args as unknown as Parameters<typeof fetch>))
    expect(await response.text()).toBe('hello')
  })

  it.each([
    ['a text', 'a thing'],
    ['bytes', new TextEncoder().encode('a thing')],
    ['a buffer', new TextEncoder().encode('a thing').buffer],
    ['a Blob', new Blob(['a ', 'thing'])],
    ['a stream', new Blob(['a thing']).stream()],
  ])('may have %s for a body', async (_, body) => {
    const replay = await play(tape(wanting('a thing')))
    const response = await replay.fetch('https://example.com/v1/things', {
      method: 'POST',
      body,
      duplex: 'half',
    })
    expect(await response.text()).toBe('taken')
    expect(await replay.close()).toMatchObject({ failures: [], leftovers: [] })
  })

  it('may have a form for a body, with the content type that goes with it', async () => {
    const replay = await play(tape())
    const form = new FormData()
    form.append('name', 'value')
    const response = await replay.fetch('https://example.com/v1/things', { method: 'POST', body: form })
    expect(response.status).toBe(400)
    expect(replay.report().requests).toBe(1)
  })

  it('whose body fails asks for nothing', async () => {
    const replay = await play(tape(hello))
    const body = new ReadableStream({ pull: controller => controller.error(new Error('no more')) })
    const init = { method: 'POST', body, duplex: 'half' } as RequestInit
    await expect(replay.fetch(`${URL_OF_SERVICE}&key=AIzaSecret`, init)).rejects.toThrow('fetch failed')
    expect(replay.report()).toMatchObject({
      requests: 0,
      notes: ['a client left before it had sent the whole of POST /v1beta/models/m:streamGenerateContent'],
    })
  })

  it('to no service is the platform’s own', async () => {
    const replay = await play(tape())
    expect(await (await replay.fetch('data:text/plain,hello')).text()).toBe('hello')
    expect(await replay.close()).toMatchObject({ requests: 0, failures: [] })
  })

  it('that is none is refused as the platform does', async () => {
    const replay = await play(tape(hello))
    for (const [input, init] of [
      ['/v1/relative', {}],
      ['ftp://example.com/x', {}],
      [URL_OF_SERVICE, { method: 'GET', body: BODY }],
      [URL_OF_SERVICE, { method: 'POST', headers: { 'not a name': 'x' } }],
    ] as const) {
      await expect(replay.fetch(input, init)).rejects.toBeInstanceOf(TypeError)
      await expect(fetch(input, init)).rejects.toBeInstanceOf(TypeError)
    }
    expect(replay.report().requests).toBe(0)
  })
})

describe('a response', () => {
  it('says where it comes from, as its clones do', async () => {
    const replay = await play(tape(hello))
    const response = await replay.fetch(`${URL_OF_SERVICE}#part`, { method: 'POST', body: BODY })
    const { url, redirected, type, ok, clone } = response
    expect({ url, redirected, type, ok }).toEqual({
      url: URL_OF_SERVICE,
      redirected: false,
      type: 'basic',
      ok: true,
    })
    const other = clone()
    expect(other.url).toBe(URL_OF_SERVICE)
    expect([await other.text(), await response.text()]).toEqual(['hello', 'hello'])
  })

  it('can be read into a buffer of the reader', async () => {
    const replay = await play(tape(hello))
    const { body } = await replay.fetch(URL_OF_SERVICE, { method: 'POST', body: BODY })
    const reader = (body as import('node:stream/web').ReadableStream).getReader({ mode: 'byob' })
    const first = await reader.read(new Uint8Array(3))
    const rest = await reader.read(new Uint8Array(3))
    expect([Buffer.from(first.value ?? []).toString(), Buffer.from(rest.value ?? []).toString()]).toEqual([
      'hel',
      'lo',
    ])
    expect((await reader.read(new Uint8Array(3))).done).toBe(true)
  })

  it('that was played before is the same again, whatever a reader did to its bytes', async () => {
    const replay = await play(tape(hello))
    for (let time = 0; time < 2; time += 1) {
      const response = await replay.fetch(URL_OF_SERVICE, { method: 'POST', body: BODY })
      const bytes = (await response.body?.getReader().read())?.value
      expect(Buffer.from(bytes ?? []).toString()).toBe('hello')
      bytes?.fill(0)
    }
  })

  it('that names another place is followed there, or as was asked', async () => {
    const moved = (status: number): string => `exchange: unknown
request: { method: POST, url: "https://example.com/v1/old", body: thing }
response: { status: ${status}, headers: { location: ../v1/things } }
end: {}
`
    const init = { method: 'POST', body: 'thing' }
    const kept = await play(tape(moved(307), wanting('thing')))
    const response = await kept.fetch('https://example.com/v1/old', init)
    expect([await response.text(), response.url, response.redirected]).toEqual([
      'taken',
      'https://example.com/v1/things',
      true,
    ])
    const turned = await play(
      tape(
        moved(303),
        'exchange: unknown\nrequest: { method: GET, url: "https://example.com/v1/things" }\nresponse: { status: 200, body: got }\nend: {}\n',
      ),
    )
    expect(await (await turned.fetch('https://example.com/v1/old', init)).text()).toBe('got')
    const manual = await play(tape(moved(302)))
    expect((await manual.fetch('https://example.com/v1/old', { ...init, redirect: 'manual' })).status).toBe(
      302,
    )
    const refused = await play(tape(moved(302)))
    await expect(refused.fetch('https://example.com/v1/old', { ...init, redirect: 'error' })).rejects.toThrow(
      'fetch failed',
    )
  })

  it('that HTTP could not carry is none, and remarked', async () => {
    const yaml = tape(askedExchange('response: { status: 200, body: x }\nend: {}\n'))
    const { cassette, blobs } = await loadCassette(await cassetteFile(yaml))
    // No cassette says so; one that is made by a program may.
    const documents = cassette.documents.map(document =>
      document.type === 'exchange'
        ? {
            ...document,
            exchange: {
              ...document.exchange,
              response: {
                status: 200,
                headers: [],
                trailers: [],
                reason: 'a\u0001b',
                body: { type: 'text' as const, text: 'x' },
              },
            },
          }
        : document,
    )
    const session = createReplaySession([{ cassette: { ...cassette, documents }, blobs }])
    const init = { method: 'POST', body: BODY }
    await expect(createInProcessFetch(session)(URL_OF_SERVICE, init)).rejects.toThrow('fetch failed')
    await session.idle(0)
    expect(session.report().notes).toEqual([
      expect.stringMatching(/^the recorded head of POST \/v1beta\/\S+ can't be sent: /),
    ])
  })
})

describe('a cut', () => {
  it('is the error that the platform gives', async () => {
    const replay = await play(
      tape(
        askedExchange(
          `response: { status: 200, events: [{ data: '{"a":1}' }] }\nend: { how: upstream-reset }\n`,
        ),
        askedExchange('end: { how: upstream-error }\n'),
      ),
    )
    const init = { method: 'POST', body: BODY }
    const response = await replay.fetch(URL_OF_SERVICE, init)
    const cause = expect.objectContaining({ code: 'UND_ERR_SOCKET', message: 'other side closed' }) as Error
    await expect(response.text()).rejects.toThrow(new TypeError('terminated', { cause }))
    await expect(replay.fetch(URL_OF_SERVICE, init)).rejects.toThrow(new TypeError('fetch failed', { cause }))
  })
})

describe('a client that aborts', () => {
  const slow = askedExchange(
    `response: { at: 60000, status: 200, events: [{ at: 60000, data: '{}' }, { at: 120000, data: '{}' }] }\nend: { at: 120000 }\n`,
  )

  it('before it asks, asks for nothing', async () => {
    const replay = await play(tape(hello))
    const reason = new Error('never mind')
    const init = { method: 'POST', body: BODY, signal: AbortSignal.abort(reason) }
    await expect(replay.fetch(URL_OF_SERVICE, init)).rejects.toBe(reason)
    expect(replay.report().requests).toBe(0)
  })

  it('before it has sent all, asks for nothing', async () => {
    const replay = await play(tape(hello))
    const abort = new AbortController()
    const body = new ReadableStream()
    const init = { method: 'POST', body, duplex: 'half' as const, signal: abort.signal }
    const answer = replay.fetch(URL_OF_SERVICE, init)
    abort.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
    expect(replay.report()).toMatchObject({
      requests: 0,
      notes: [expect.stringContaining('a client left before it had sent the whole of')],
    })
  })

  it.each(['its init', 'a Request'])('by %s, before the answer, has left it', async how => {
    const replay = await play(tape(slow), { pace: { type: 'factor', factor: 1 } })
    const abort = new AbortController()
    const init = { method: 'POST', body: BODY, signal: abort.signal }
    const answer =
      how === 'its init'
        ? replay.fetch(URL_OF_SERVICE, init)
        : replay.fetch(new Request(URL_OF_SERVICE, init))
    await vi.waitFor(() => expect(replay.report().requests).toBe(1))
    abort.abort()
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(replay.report().leftovers).toMatchObject([{ kind: 'abandoned' }])
  })

  it('in mid-stream has left it, and its reader hears why', async () => {
    const replay = await play(
      tape(
        askedExchange(
          `response: { status: 200, events: [{ data: '{}' }, { at: 60000, data: '{}' }] }\nend: { at: 60000 }\n`,
        ),
      ),
      { pace: { type: 'factor', factor: 1 } },
    )
    const abort = new AbortController()
    const init = { method: 'POST', body: BODY, signal: abort.signal }
    const reader = (await replay.fetch(URL_OF_SERVICE, init)).body?.getReader()
    await reader?.read()
    const next = reader?.read()
    abort.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    expect(replay.report().leftovers).toMatchObject([{ kind: 'abandoned' }])
  })

  it('leaves no listener on a signal that lives on', async () => {
    const replay = await play(tape(hello))
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const response = await replay.fetch(URL_OF_SERVICE, { method: 'POST', body: BODY, signal })
    await response.text()
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length)
  })
})

describe('with the timers of a test', () => {
  it('an answer comes that no time is to pass for', async () => {
    vi.useFakeTimers()
    const replay = await play(tape(hello))
    const response = await replay.fetch(URL_OF_SERVICE, { method: 'POST', body: BODY })
    expect(await response.text()).toBe('hello')
  })

  it('a piece comes when they are moved to its time, and not before', async () => {
    vi.useFakeTimers()
    const replay = await play(
      tape(
        askedExchange(
          `response: { status: 200, events: [{ data: '1' }, { at: 1000, data: '2' }] }\nend: { at: 1000 }\n`,
        ),
      ),
      { pace: { type: 'factor', factor: 1 } },
    )
    const response = await replay.fetch(URL_OF_SERVICE, { method: 'POST', body: BODY })
    const reader = response.body?.getReader()
    const seen: string[] = []
    const reading = (async () => {
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
        seen.push(Buffer.from(piece.value).toString().trim())
      }
    })()
    await vi.advanceTimersByTimeAsync(999)
    expect(seen).toEqual(['data: 1'])
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual(['data: 1', 'data: 2'])
    await reading
  })
})
