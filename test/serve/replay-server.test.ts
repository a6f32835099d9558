/** What a client gets from a replay server, byte by byte: heads, edges, ends. */
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { rawRequest, type RawRequest } from '../peers/raw-client.ts'
import { askedExchange, BODY, PATH, startReplaying, tape } from './replaying.ts'

const asked: RawRequest = { method: 'POST', path: PATH, body: Buffer.from(BODY) }
const texts = (pieces: readonly Buffer[]): string[] => pieces.map(piece => piece.toString('utf8'))

describe('a stream', () => {
  it('comes in the chunks in which it was recorded', async () => {
    await using replaying = await startReplaying(
      tape(
        askedExchange(`response:
  at: 1
  status: 200
  headers: { content-type: text/event-stream }
  events:
    - at: 2
      data: '{"a": 1}'
    - at: 3
      cuts: [9@4]
      data: '{"ö": 2}'
    - joined: true
      data: '{"c": 3}'
    - at: 5
      raw: ": bye\\n"
end: { at: 6 }
`),
      ),
    )
    const { pieces, complete, headers } = await rawRequest(replaying.server.url, asked)
    expect(complete).toBe(true)
    expect(pieces.map(piece => piece.toString('latin1'))).toEqual([
      'data: {"a": 1}\r\n\r\n',
      'data: {"\u00c3',
      '\u00b6": 2}\r\n\r\ndata: {"c": 3}\r\n\r\n',
      ': bye\n',
    ])
    expect(headers).toEqual([
      ['content-type', 'text/event-stream'],
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'close'],
    ])
  })

  it('has the same bytes, from the status line on, each time it is replayed', async () => {
    const yaml = tape(
      askedExchange(`repeat: always
response: { status: 200, headers: { x-a: [b, c] }, events: [{ data: '{}' }, { data: '{"b":1}' }] }
end: {}
`),
    )
    const transcripts: string[] = []
    for (const pace of [{ type: 'instant' }, { type: 'instant' }, { type: 'factor', factor: 1 }] as const) {
      await using replaying = await startReplaying(yaml, { pace })
      transcripts.push(await rawBytes(replaying.server.url), await rawBytes(replaying.server.vertexUrl))
    }
    expect(transcripts[0]).toContain('HTTP/1.1 200 OK\r\n')
    expect(new Set(transcripts).size).toBe(1)
  })

  it('is cut where it was cut, after all that had come', async () => {
    await using replaying = await startReplaying(
      tape(
        askedExchange(`response: { status: 200, events: [{ data: '{"a":1}' }, { raw: 'data: {"b"' }] }
end: { how: upstream-reset }
`),
      ),
    )
    const { pieces, complete } = await rawRequest(replaying.server.url, asked)
    expect(texts(pieces)).toEqual(['data: {"a":1}\r\n\r\n', 'data: {"b"'])
    expect(complete).toBe(false)
    expect((await replaying.server.close()).notes).toEqual([
      expect.stringContaining('was cut by the service'),
    ])
  })

  it('waits for a client that is slow to read, and loses nothing', async () => {
    const event = `{ data: '{"a": "${'x'.repeat(100_000)}"}' }`
    await using replaying = await startReplaying(
      tape(
        askedExchange(`response: { status: 200, events: [${Array(60).fill(event).join(', ')}] }\nend: {}\n`),
      ),
    )
    const response = await fetch(replaying.server.url + PATH, { method: 'POST', body: BODY })
    const reader = response.body?.getReader()
    await reader?.read()
    // The socket is full by now; the rest comes when it is read.
    let rest = 0
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read())
      rest += piece.value.length
    expect(rest).toBeGreaterThan(5_000_000)
    expect((await replaying.server.close()).leftovers).toEqual([])
  })
})

describe('an answer in one body', () => {
  it('has its status, reason phrase, headers and edges', async () => {
    await using replaying = await startReplaying(
      tape(
        askedExchange(`response:
  status: 404
  reason: Nothing Here
  headers: { content-type: text/event-stream, x-twice: [a, b], x-latin: "caf\\u00e9" }
  cuts: [3]
  body: 'no such model'
end: {}
`),
      ),
    )
    const { status, reason, headers, pieces } = await rawRequest(replaying.server.url, asked)
    expect({ status, reason, pieces: texts(pieces) }).toEqual({
      status: 404,
      reason: 'Nothing Here',
      pieces: ['no ', 'such model'],
    })
    expect(headers.slice(0, -2)).toEqual([
      ['content-type', 'text/event-stream'],
      ['x-twice', 'a'],
      ['x-twice', 'b'],
      ['x-latin', 'caf\u00e9'],
    ])
  })

  it.each([
    ['status: 204', [['Connection', 'close']]],
    [
      'status: 304, headers: { etag: \'"a"\' }',
      [
        ['etag', '"a"'],
        ['Connection', 'close'],
      ],
    ],
    [
      'status: 200',
      [
        ['content-length', '0'],
        ['Connection', 'close'],
      ],
    ],
  ])('may be empty: { %s }', async (response, headers) => {
    await using replaying = await startReplaying(tape(askedExchange(`response: { ${response} }\nend: {}\n`)))
    const answer = await rawRequest(replaying.server.url, asked)
    expect({ headers: answer.headers, length: answer.body.length, complete: answer.complete }).toEqual({
      headers,
      length: 0,
      complete: true,
    })
  })

  it('has its trailers', async () => {
    await using replaying = await startReplaying(
      tape(askedExchange(`response: { status: 200, body: hi, trailers: { x-sum: abc } }\nend: {}\n`)),
    )
    expect(await rawBytes(replaying.server.url)).toMatch(/\r\n2\r\nhi\r\n0\r\nx-sum: abc\r\n\r\n$/)
  })
})

describe('a request that is compressed', () => {
  it('matches what was recorded of it, and nothing where it is not what it says', async () => {
    await using replaying = await startReplaying(tape(askedExchange('response: { status: 200 }\nend: {}\n')))
    const send = (body: Uint8Array): Promise<number> =>
      rawRequest(replaying.server.url, { ...asked, headers: { 'content-encoding': 'gzip' }, body }).then(
        ({ status }) => status,
      )
    expect(await send(Buffer.from('no gzip'))).toBe(400)
    expect(await send(gzipSync(BODY))).toBe(200)
  })
})

describe('a request to upgrade', () => {
  it('is a miss like any other: no socket is played', async () => {
    await using replaying = await startReplaying(tape())
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
    const { status } = await rawRequest(replaying.server.url, {
      method: 'GET',
      path: '/ws/x',
      headers: upgrade,
    })
    expect(status).toBe(400)
    expect(replaying.server.failures).toMatchObject([{ details: { operation: 'GET ws/x' } }])
  })
})

describe('a connection that failed on the recording', () => {
  it('is closed without an answer', async () => {
    await using replaying = await startReplaying(tape(askedExchange('end: { how: upstream-error }\n')))
    await expect(rawRequest(replaying.server.url, asked)).rejects.toThrow('before a response head')
    expect((await replaying.server.close()).notes).toEqual([expect.stringContaining('got no proper answer')])
  })
})

describe('a client that leaves', () => {
  it('is reported where more was to come', async () => {
    const exchange = askedExchange(`response:
  status: 200
  events: [{ data: '{"a":1}' }, { at: 60000, data: '{"b":1}' }]
end: {}
`)
    const played: string[] = []
    await using replaying = await startReplaying(tape(exchange), {
      pace: { type: 'factor', factor: 1 },
      onExchange: ({ outcome }) => played.push(outcome),
    })
    const response = await fetch(replaying.server.url + PATH, { method: 'POST', body: BODY })
    for await (const chunk of response.body ?? []) {
      expect(Buffer.from(chunk).toString()).toBe('data: {"a":1}\r\n\r\n')
      break
    }
    await vi.waitFor(() => expect(played).toEqual(['abandoned']))
    expect(replaying.server.report().leftovers).toMatchObject([{ kind: 'abandoned', number: 1 }])
  })

  it('in mid-request is remarked, and asks for nothing', async () => {
    await using replaying = await startReplaying(tape(askedExchange('response: { status: 200 }\nend: {}\n')))
    const { port } = new URL(replaying.server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`POST ${PATH}&key=AIzaSecret HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf`)
    socket.end()
    await everything(socket)
    const report = await replaying.server.close()
    expect(report).toMatchObject({ requests: 0, leftovers: [{ kind: 'never-asked' }] })
    expect(report.notes).toEqual([
      'a client left before it had sent the whole of POST /v1beta/models/m:streamGenerateContent',
    ])
  })

  it('in no HTTP gets 400, and a remark', async () => {
    await using replaying = await startReplaying(tape())
    const { port } = new URL(replaying.server.url)
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('\x16\x03\x01 hello\r\n\r\n'))
    const answer = await everything(socket)
    expect(answer).toContain('HTTP/1.1 400 Bad Request')
    expect((await replaying.server.close()).notes).toEqual([expect.stringContaining('what is not HTTP')])
  })
})

describe('closing', () => {
  it('lets an answer that is being played end, and cuts it when the grace is over', async () => {
    const slow = askedExchange(`repeat: 2
response: { at: 0, status: 200, events: [{ at: 0, data: '{}' }, { at: 60000, data: '{}' }] }
end: { at: 60000 }
`)
    const pace = { type: 'factor', factor: 1 } as const
    await using patient = await startReplaying(tape(slow), { pace: { ...pace, factor: 2000 } })
    const whole = await fetch(patient.server.url + PATH, { method: 'POST', body: BODY })
    const [report, body] = await Promise.all([patient.server.close(), whole.text()])
    expect(body).toBe('data: {}\r\n\r\n'.repeat(2))
    expect(report.leftovers.map(({ kind }) => kind)).toEqual(['never-asked'])

    await using hasty = await startReplaying(tape(slow), { pace })
    const half = await fetch(hasty.server.url + PATH, { method: 'POST', body: BODY })
    const [cut] = await Promise.all([hasty.server.close({ graceMs: 0 }), half.text().catch(() => undefined)])
    expect(cut.leftovers.map(({ kind }) => kind)).toEqual(['never-asked', 'abandoned'])
  })

  it('closes connections that are kept alive, and can be asked for twice', async () => {
    await using replaying = await startReplaying(tape(askedExchange('response: { status: 200 }\nend: {}\n')))
    const { port } = new URL(replaying.server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`)
    await new Promise(resolve => socket.once('data', resolve))
    const [first, second] = await Promise.all([replaying.server.close(), replaying.server.close()])
    await everything(socket)
    expect(first).toEqual(second)
    expect(first).toMatchObject({ exchanges: 1, played: 1, requests: 1, leftovers: [], notes: [] })
  })

  it('says which port is taken', async () => {
    await using replaying = await startReplaying(tape())
    const port = Number(new URL(replaying.server.vertexUrl).port)
    await expect(startReplaying(tape(), { vertexPort: port })).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
    })
  })
})

/** Everything that one request gets over a connection of its own. */
function rawBytes(url: string): Promise<string> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  const head = `POST ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: ${BODY.length}\r\n\r\n`
  socket.write(head + BODY)
  return everything(socket)
}

function everything(socket: ReturnType<typeof connect>): Promise<string> {
  let all = ''
  socket.setEncoding('latin1').on('data', (text: string) => (all += text))
  return new Promise((resolve, reject) => socket.once('close', () => resolve(all)).once('error', reject))
}
