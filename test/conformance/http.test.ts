/** What is true of one carrier of requests is true of all. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { PlayedExchange } from '../../src/replay/http.ts'
import type { ReplaySessionOptions } from '../../src/serve/replay-session.ts'
import { askedExchange, BODY, cassetteFile, PATH, tape } from '../serve/replaying.ts'
import { HTTP_CARRIERS, type Answering, type Asking, type HttpClient } from './http-carriers.ts'

const asked: Asking = { path: PATH, body: BODY, headers: { 'content-type': 'application/json' } }
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** All pieces, and how it ended. */
async function rest(answer: Answering): Promise<{ pieces: string[]; end: 'whole' | 'cut' }> {
  const pieces: string[] = []
  try {
    for (let piece = await answer.read(); piece !== undefined; piece = await answer.read()) {
      pieces.push(text(piece))
    }
    return { pieces, end: 'whole' }
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
    return { pieces, end: 'cut' }
  }
}

describe.each(HTTP_CARRIERS)('$name', ({ open, edges, where }) => {
  async function play(yaml: string, options: ReplaySessionOptions = {}): Promise<HttpClient> {
    const client = await open([await cassetteFile(yaml)], options)
    onTestFinished(async () => void (await client.close(0)))
    return client
  }

  it('gives a stream in its bytes, and in its chunks where the client can see them', async () => {
    const client = await play(
      tape(
        askedExchange(`response:
  status: 200
  headers: { content-type: text/event-stream }
  events:
    - data: '{"a": 1}'
    - cuts: [9]
      data: '{"ö": 2}'
    - joined: true
      data: '{"c": 3}'
    - raw: ": bye\\n"
end: {}
`),
      ),
    )
    const { pieces, end } = await rest(await client.ask(asked))
    const chunks = [
      'data: {"a": 1}\r\n\r\n',
      'data: {"\u00c3',
      '\u00b6": 2}\r\n\r\ndata: {"c": 3}\r\n\r\n',
      ': bye\n',
    ]
    expect(pieces.join('')).toBe(chunks.join(''))
    if (edges === 'kept') expect(pieces).toEqual(chunks)
    expect(end).toBe('whole')
    expect(await client.close()).toMatchObject({ played: 1, failures: [], leftovers: [], notes: [] })
  })

  it('gives status, reason phrase and fields, the repeated ones too', async () => {
    const client = await play(
      tape(
        askedExchange(`response:
  status: 404
  reason: Nothing Here
  headers: { content-type: text/plain, x-twice: [a, b], set-cookie: [a=1, b=2], x-latin: "caf\\u00e9" }
  body: no such model
end: {}
`),
      ),
    )
    const answer = await client.ask(asked)
    expect({ status: answer.status, reason: answer.reason }).toEqual({ status: 404, reason: 'Nothing Here' })
    const joined = (name: string): string =>
      answer.headers
        .filter(([field]) => field === name)
        .map(([, value]) => value)
        .join(', ')
    expect({
      type: joined('content-type'),
      twice: joined('x-twice'),
      cookies: joined('set-cookie'),
      latin: Buffer.from(joined('x-latin'), 'latin1').length,
      names: new Set(answer.headers.map(([name]) => name)),
    }).toEqual({
      type: 'text/plain',
      twice: 'a, b',
      cookies: 'a=1, b=2',
      latin: 4,
      names: new Set(['content-type', 'x-twice', 'set-cookie', 'x-latin']),
    })
    expect((await rest(answer)).pieces.join('')).toBe('no such model')
  })

  it.each([
    ['status: 204', 204, undefined],
    ['status: 304, headers: { etag: \'"a"\' }', 304, undefined],
    ['status: 200', 200, '0'],
    ['status: 700, reason: Odd', 700, '0'],
  ])('gives an empty answer: { %s }', async (response, status, length) => {
    const client = await play(tape(askedExchange(`response: { ${response} }\nend: {}\n`)))
    const answer = await client.ask(asked)
    expect(answer.status).toBe(status)
    expect(new Map(answer.headers).get('content-length')).toBe(length)
    expect(await rest(answer)).toEqual({ pieces: [], end: 'whole' })
    expect(await client.close()).toMatchObject({ leftovers: [], failures: [] })
  })

  it('cuts where it was cut, after all that had come', async () => {
    const client = await play(
      tape(
        askedExchange(`response: { status: 200, events: [{ data: '{"a":1}' }, { raw: 'data: {"b"' }] }
end: { how: upstream-reset }
`),
      ),
    )
    const { pieces, end } = await rest(await client.ask(asked))
    expect({ text: pieces.join(''), end }).toEqual({ text: 'data: {"a":1}\r\n\r\ndata: {"b"', end: 'cut' })
    expect((await client.close()).notes).toEqual([expect.stringContaining('was cut by the service')])
  })

  it('gives no answer where there was none', async () => {
    const client = await play(tape(askedExchange('end: { how: upstream-error }\n')))
    await expect(client.ask(asked)).rejects.toThrow()
    expect((await client.close()).notes).toEqual([expect.stringContaining('got no proper answer')])
  })

  it('gives an error in mid-stream as the event that it was', async () => {
    const client = await play(
      tape(
        askedExchange(
          `response: { status: 200, events: [{ data: '{"a":1}' }, { data: '{"error":{"code":503}}' }] }\nend: {}\n`,
        ),
      ),
    )
    const { pieces, end } = await rest(await client.ask(asked))
    expect({ text: pieces.join(''), end }).toEqual({
      text: 'data: {"a":1}\r\n\r\ndata: {"error":{"code":503}}\r\n\r\n',
      end: 'whole',
    })
  })

  it('refuses what is not on the recording with 400 and its reason, and keeps the failure', async () => {
    const client = await play(tape(askedExchange('response: { status: 200 }\nend: {}\n')))
    const answer = await client.ask({ ...asked, body: '{"contents":[{"parts":[{"text":"other"}]}]}' })
    expect(answer.status).toBe(400)
    const refusal: unknown = JSON.parse((await rest(answer)).pieces.join(''))
    expect(refusal).toMatchObject({
      error: { code: 400, status: 'FAILED_PRECONDITION', details: [{ reason: 'WIRETAPE_NO_MATCH' }] },
    })
    const { failures, leftovers, requests } = await client.close()
    expect({ failures, leftovers, requests }).toMatchObject({
      failures: [{ code: 'WIRETAPE_NO_MATCH' }],
      leftovers: [{ kind: 'never-asked' }],
      requests: 1,
    })
  })

  it('takes a request that is compressed', async () => {
    const client = await play(tape(askedExchange('response: { status: 200 }\nend: {}\n')))
    const body = new Uint8Array(gzipSync(BODY))
    const answer = await client.ask({ ...asked, headers: { 'content-encoding': 'gzip' }, body })
    expect(answer.status).toBe(200)
  })

  it('answers HEAD with a head alone', async () => {
    const client = await play(
      tape(`exchange: generate-content
request: { method: HEAD, url: "https://generativelanguage.googleapis.com/v1beta/models/m" }
response: { status: 200, headers: { x-size: "5" } }
end: {}
`),
    )
    const answer = await client.ask({ method: 'HEAD', path: '/v1beta/models/m' })
    expect(new Map(answer.headers).get('x-size')).toBe('5')
    expect(await rest(answer)).toEqual({ pieces: [], end: 'whole' })
    expect(await client.close()).toMatchObject({ played: 1, leftovers: [], failures: [] })
  })

  it('loses nothing where the client is slow to read', async () => {
    const event = `{ data: '{"a": "${'x'.repeat(100_000)}"}' }`
    const client = await play(
      tape(
        askedExchange(`response: { status: 200, events: [${Array(30).fill(event).join(', ')}] }\nend: {}\n`),
      ),
    )
    const answer = await client.ask(asked)
    const first = await answer.read()
    const { pieces } = await rest(answer)
    const length = pieces.reduce((sum, piece) => sum + piece.length, first?.length ?? 0)
    expect(length).toBe(30 * ('data: {"a": ""}\r\n\r\n'.length + 100_000))
    expect(await client.close()).toMatchObject({ leftovers: [], notes: [] })
  })

  it('reports a client that leaves while more is to come', async () => {
    const played: PlayedExchange[] = []
    const client = await play(
      tape(
        askedExchange(
          `response: { status: 200, events: [{ data: '{"a":1}' }, { at: 60000, data: '{"b":1}' }] }\nend: { at: 60000 }\n`,
        ),
      ),
      { pace: { type: 'factor', factor: 1 }, onExchange: one => played.push(one) },
    )
    const answer = await client.ask(asked)
    expect(text((await answer.read()) ?? new Uint8Array())).toBe('data: {"a":1}\r\n\r\n')
    await answer.leave()
    await vi.waitFor(() => expect(played).toMatchObject([{ outcome: 'abandoned' }]))
    expect(client.report().leftovers).toMatchObject([{ kind: 'abandoned', number: 1 }])
  })

  // Over a socket, a client that is slow to be heard may have missed the 50 ms.
  it.runIf(where === 'process')('shows at once that a client left, where an event is held', async () => {
    const played: PlayedExchange[] = []
    const client = await play(
      tape(
        askedExchange(
          `response: { status: 200, events: [{ data: '{"a":1}' }, { hold: true, data: '{"b":1}' }] }\nend: {}\n`,
        ),
      ),
      { onExchange: one => played.push(one) },
    )
    const answer = await client.ask(asked)
    await answer.read()
    await answer.leave()
    await vi.waitFor(() => expect(played).toMatchObject([{ outcome: 'abandoned' }]))
    expect(client.report().leftovers).toMatchObject([{ kind: 'abandoned' }])
  })

  it('is cut where the replay ends before the answer', async () => {
    const client = await play(
      tape(
        askedExchange(
          `response: { status: 200, events: [{ data: '{"a":1}' }, { at: 60000, data: '{"b":1}' }] }\nend: { at: 60000 }\n`,
        ),
        askedExchange('response: { at: 60000, status: 200 }\nend: { at: 60000 }\n'),
      ),
      { pace: { type: 'factor', factor: 1 } },
    )
    const answer = await client.ask(asked)
    await answer.read()
    const second = client.ask(asked)
    const unanswered = expect(second).rejects.toThrow()
    await vi.waitFor(() => expect(client.report().requests).toBe(2))
    const [report] = await Promise.all([client.close(0), unanswered])
    expect(await rest(answer)).toEqual({ pieces: [], end: 'cut' })
    expect(report.leftovers).toMatchObject([{ kind: 'abandoned', number: 1 }])
  })

  it('has nothing open once an answer has gone out that nobody reads', async () => {
    const client = await play(tape(askedExchange('response: { status: 200, body: hello }\nend: {}\n')))
    await client.ask(asked)
    expect(await client.close()).toMatchObject({ leftovers: [], notes: [] })
  })

  it.each([{ type: 'instant' }, { type: 'factor', factor: 1 }, { type: 'factor', factor: 50 }] as const)(
    'keeps the order at pace %j',
    async pace => {
      const events = Array.from({ length: 8 }, (_, at) => `{ at: ${at * 3}, data: '{"n":${at}}' }`)
      const client = await play(
        tape(askedExchange(`response: { status: 200, events: [${events.join(', ')}] }\nend: { at: 30 }\n`)),
        { pace },
      )
      const { pieces } = await rest(await client.ask(asked))
      expect(pieces.join('').match(/\d+/g)?.map(Number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    },
  )

  it('lets one chunk go for each step', async () => {
    const client = await play(
      tape(askedExchange(`response: { status: 200, events: [{ data: '1' }, { data: '2' }] }\nend: {}\n`)),
      { pace: { type: 'manual' } },
    )
    const asking = client.ask(asked)
    expect((await client.step())?.type).toBe('chunk')
    const answer = await asking
    expect(text((await answer.read()) ?? new Uint8Array())).toBe('data: 1\r\n\r\n')
    expect((await client.step())?.type).toBe('chunk')
    expect(await rest(answer)).toEqual({ pieces: ['data: 2\r\n\r\n'], end: 'whole' })
    expect(await client.step({ withinMs: 1 })).toBeUndefined()
  })

  it('shows many requests at once each its own answer', async () => {
    const exchanges = Array.from(
      { length: 8 },
      (_, n) =>
        `exchange: generate-content
request: { method: POST, url: "https://generativelanguage.googleapis.com${PATH}", body: { n: ${n} } }
response: { status: 200, events: [{ data: '{"a":${n}}' }, { data: '{"b":${n}}' }] }
end: {}
`,
    )
    const client = await play(tape(...exchanges))
    const seen = await Promise.all(
      exchanges.map(async (_, n) =>
        (await rest(await client.ask({ ...asked, body: JSON.stringify({ n }) }))).pieces.join(''),
      ),
    )
    expect(seen).toEqual(exchanges.map((_, n) => `data: {"a":${n}}\r\n\r\ndata: {"b":${n}}\r\n\r\n`))
    expect(await client.close()).toMatchObject({ played: 8, leftovers: [], failures: [], notes: [] })
  })
})

it('has the same report on every carrier: failures, leftovers, remarks, word by word', async () => {
  const file = await cassetteFile(
    tape(
      askedExchange('response: { status: 200, body: hello }\nend: {}\n'),
      askedExchange(`response: { status: 200, events: [{ data: '1' }] }\nend: { how: upstream-reset }\n`),
      askedExchange(
        `response: { status: 200, events: [{ data: '1' }, { at: 60000, data: '2' }] }\nend: { at: 60000 }\n`,
      ),
      askedExchange('response: { status: 200 }\nend: {}\n'),
    ),
  )
  const reports: unknown[] = []
  for (const { open } of HTTP_CARRIERS) {
    const played: PlayedExchange[] = []
    const client = await open([file], {
      pace: { type: 'factor', factor: 1 },
      onExchange: one => played.push(one),
    })
    expect((await rest(await client.ask(asked))).end).toBe('whole')
    expect((await rest(await client.ask(asked))).end).toBe('cut')
    expect((await client.ask({ ...asked, body: '{"contents":[1]}' })).status).toBe(400)
    const answer = await client.ask(asked)
    await answer.read()
    await answer.leave()
    await vi.waitFor(() => expect(played).toHaveLength(3))
    reports.push(await client.close())
  }
  expect(reports[0]).toMatchObject({
    requests: 4,
    failures: [{ code: 'WIRETAPE_NO_MATCH' }],
    leftovers: [{ kind: 'abandoned' }, { kind: 'never-asked' }],
    notes: [expect.stringContaining('was cut by the service')],
  })
  for (const report of reports) expect(report).toEqual(reports[0])
})
