/** What clients of a replayed socket see: frames, closes, cuts, refusals, and what they may do themselves. */
import type { Duplex } from 'node:stream'
import { connect } from 'node:net'
import { WebSocket as UndiciWebSocket } from 'undici'
import { describe, expect, it, vi } from 'vitest'
import type { RecordedResponse } from '../../src/cassette/model.ts'
import {
  client,
  closed,
  connection,
  ready,
  said,
  server,
  setup,
  speech,
  turnComplete,
  URL as RECORDED_URL,
} from '../replay/live-playbook.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { compact, PATH, startSockets, watch } from './socket-replaying.ts'

const binary = (json: unknown): string => `binary ${JSON.stringify(json)}`
const greeted = [client(setup), server(ready)]
const HANDSHAKE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

describe('a message', () => {
  it('comes in the opcode and with the bytes that were recorded, whatever it holds', async () => {
    const text = '{"setupComplete":  {}}'
    await using replaying = await startSockets([
      connection([
        client(setup),
        { server: { type: 'text', text }, frame: 'text' },
        server(speech('hi')),
        { server: { type: 'base64', base64: 'AP8=' } },
        { server: { type: 'text', text: '' }, frame: 'text' },
        closed('server', 1000, 'bye'),
      ]),
    ])
    const { socket, say, over } = watch(replaying.url)
    const raw: string[] = []
    socket.on('message', data => raw.push(Buffer.isBuffer(data) ? data.toString('latin1') : ''))
    say(setup)
    expect(await over()).toEqual([
      'text {"setupComplete":{}}',
      binary(speech('hi')),
      expect.stringContaining('binary'),
      'text ',
      'close 1000 bye',
    ])
    expect([raw[0], raw[2], raw[3]]).toEqual([text, '\0\xff', ''])
    expect(raw[1]).toContain('{\n  "serverContent"')
    expect(replaying.report()).toMatchObject({ failures: [], leftovers: [], notes: [] })
  })

  it('of the client is one, in whatever frames and fragments it comes', async () => {
    await using replaying = await startSockets([
      connection([...greeted, client(said('a')), server(speech('b')), closed('client', 1000)]),
    ])
    const { socket, until, over } = watch(replaying.url)
    await new Promise(resolve => socket.once('open', resolve))
    socket.ping('are you there?')
    const pong = new Promise(resolve => socket.once('pong', data => resolve(String(data))))
    const [first, second] = JSON.stringify(setup).split(/(?<=models)/)
    socket.send(first ?? '', { fin: false, binary: false })
    socket.ping()
    socket.send(second ?? '', { fin: true })
    await until(1)
    socket.send(Buffer.from(JSON.stringify(said('a'))), { binary: true })
    await until(2)
    socket.close(1000)
    expect(await over()).toEqual([binary(ready), binary(speech('b')), 'close 1000'])
    expect(await pong).toBe('are you there?')
    await replaying.idle()
    expect(replaying.report()).toMatchObject({ failures: [], leftovers: [], requests: 1, played: 1 })
  })

  it('that breaks the protocol ends the socket, and is remarked', async () => {
    await using replaying = await startSockets([connection([...greeted, server(speech('b'))])])
    const { socket, over } = watch(replaying.url)
    const under = new Promise<Duplex>(resolve => socket.once('upgrade', answer => resolve(answer.socket)))
    await new Promise(resolve => socket.once('open', resolve))
    // An empty text that is not masked.
    ;(await under).write(Buffer.from([0x81, 0x00]))
    expect(await over()).toEqual(['close 1002'])
    expect(replaying.remarks).toEqual([expect.stringContaining('broke the WebSocket protocol')])
  })
})

describe('the end of a socket', () => {
  it.each([
    { code: 1000, reason: '', seen: 'close 1000' },
    {
      code: 1007,
      reason: 'Invalid JSON payload received.',
      seen: 'close 1007 Invalid JSON payload received.',
    },
    { code: 1011, reason: 'ü'.repeat(61), seen: `close 1011 ${'ü'.repeat(61)}` },
    { code: 4404, reason: 'x', seen: 'close 4404 x' },
    { code: undefined, reason: undefined, seen: 'close 1005' },
    { code: 1006, reason: undefined, seen: 'close 1006' },
  ])('by the service is as it was: $seen', async ({ code, reason, seen }) => {
    await using replaying = await startSockets([
      connection([...greeted, server(speech('x'.repeat(500_000))), closed('server', code, reason)]),
    ])
    const { say, over } = watch(replaying.url)
    say(setup)
    expect((await over()).slice(2)).toEqual([seen])
    await replaying.idle()
    expect(replaying.report()).toMatchObject({ failures: [], leftovers: [] })
    expect(replaying.played).toMatchObject([{ status: 101, outcome: 'complete' }])
  })

  it('that no WebSocket can send is a cut, and is remarked', async () => {
    await using replaying = await startSockets([connection([...greeted, closed('server', 999, 'odd')])])
    const { say, over } = watch(replaying.url)
    say(setup)
    expect(await over()).toEqual([binary(ready), 'close 1006'])
    expect(replaying.remarks).toEqual([expect.stringContaining("close can't be sent")])
  })

  it('by the client is answered in kind, and compared', async () => {
    const talk = connection([...greeted, closed('client', 4000, 'enough')])
    await using replaying = await startSockets([talk, talk])
    for (const code of [4000, 4001]) {
      const { socket, say, until, over } = watch(replaying.url)
      say(setup)
      await until(1)
      socket.close(code, 'enough')
      expect((await over()).slice(1)).toEqual([`close ${code} enough`])
    }
    await replaying.idle()
    expect(replaying.report().failures).toMatchObject([{ code: 'WIRETAPE_NO_MATCH' }])
    expect(replaying.report().failures[0]?.message).toContain('closed with 4001')
  })

  it('by a client that vanishes leaves what it had not seen', async () => {
    await using replaying = await startSockets([
      connection([...greeted, client(said('a')), server(speech('b')), server(turnComplete)]),
    ])
    const { socket, say, until } = watch(replaying.url)
    say(setup)
    await until(1)
    socket.terminate()
    await replaying.idle()
    expect(replaying.report().leftovers).toMatchObject([{ kind: 'never-reached' }])
  })

  it('that was never opened on the recording is a connection without an answer', async () => {
    await using replaying = await startSockets([
      connection(undefined, { end: { at: 1, how: 'upstream-error' } }),
    ])
    await expect(
      rawRequest(replaying.origin, { method: 'GET', path: PATH, headers: HANDSHAKE }),
    ).rejects.toThrow('before a response head')
  })
})

describe('a refused upgrade', () => {
  const response: RecordedResponse = {
    status: 403,
    reason: 'Not Today',
    headers: [
      ['content-type', 'application/json'],
      ['x-twice', 'a'],
      ['x-twice', 'b'],
      ['content-length', '3'],
      ['transfer-encoding', 'chunked'],
    ],
    body: { type: 'text', text: '{"error": {"code": 403}}' },
    trailers: [],
  }

  it('is refused with the recorded answer', async () => {
    await using replaying = await startSockets([connection(undefined, { response })])
    const { status, reason, headers, body, complete } = await rawRequest(replaying.origin, {
      method: 'GET',
      path: PATH,
      headers: HANDSHAKE,
    })
    expect({ status, reason, body: body.toString(), complete }).toEqual({
      status: 403,
      reason: 'Not Today',
      body: '{"error": {"code": 403}}',
      complete: true,
    })
    expect(headers).toEqual([
      ['content-type', 'application/json'],
      ['x-twice', 'a'],
      ['x-twice', 'b'],
      ['content-length', '24'],
      ['Connection', 'close'],
    ])
    await replaying.idle()
    expect(replaying.report()).toMatchObject({ played: 1, failures: [], leftovers: [] })
    expect(replaying.played).toMatchObject([{ status: 403, bytes: 24 }])
  })

  it('is seen as such by a WebSocket client', async () => {
    await using replaying = await startSockets([connection(undefined, { response })])
    expect(await watch(replaying.url).over()).toEqual(['refused 403', 'close 1006'])
  })

  it('that HTTP can not say is a cut, and is remarked', async () => {
    const odd: RecordedResponse = { ...response, reason: 'line\nend' }
    await using replaying = await startSockets([connection(undefined, { response: odd })])
    expect(await watch(replaying.url).over()).toEqual(['close 1006'])
    expect(replaying.remarks).toEqual([expect.stringContaining("refusal can't be sent")])
  })
})

describe('a request to upgrade that is no socket of the recording', () => {
  it.each([
    { what: 'for a WebSocket elsewhere', path: '/chat', wish: { ...HANDSHAKE } },
    {
      what: 'for another protocol',
      path: PATH,
      wish: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' },
    },
  ])('is answered as HTTP, body included: $what', async ({ path, wish }) => {
    await using replaying = await startSockets([])
    const answer = await rawRequest(replaying.origin, {
      method: 'POST',
      path,
      headers: { ...wish, 'http2-settings': 'AAMAAABkAAQ' },
      body: Buffer.from('a body'),
    })
    expect({ status: answer.status, body: answer.body.toString() }).toEqual({ status: 418, body: 'a body' })
    expect(replaying.report().requests).toBe(0)
  })

  it('keeps its connection', async () => {
    await using replaying = await startSockets([])
    const socket = connect(Number(new URL(replaying.origin).port), '127.0.0.1')
    let answers = ''
    socket.setEncoding('latin1').on('data', (text: string) => (answers += text))
    const head = 'GET /x HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'
    socket.write(head)
    await vi.waitFor(() => expect(answers.match(/418/g)).toHaveLength(1))
    socket.write(head)
    await vi.waitFor(() => expect(answers.match(/418/g)).toHaveLength(2))
    socket.destroy()
  })

  it('but has no proper handshake is told so', async () => {
    await using replaying = await startSockets([connection([...greeted])])
    const { 'sec-websocket-key': _, ...keyless } = HANDSHAKE
    const { status } = await rawRequest(replaying.origin, { method: 'GET', path: PATH, headers: keyless })
    expect(status).toBe(400)
    await replaying.idle()
    expect(replaying.report()).toMatchObject({ played: 0 })
  })
})

describe('a path that only the recording knows', () => {
  it('is a socket too', async () => {
    const url = 'wss://gateway.example.com/custom/live'
    const request = { method: 'GET', url, headers: [], body: undefined }
    await using replaying = await startSockets([
      connection([...greeted, closed('server', 1000)], { request }),
    ])
    const { say, over } = watch(`${replaying.origin.replace('http', 'ws')}/custom/live?key=none`)
    say(setup)
    expect(await over()).toEqual([binary(ready), 'close 1000'])
    expect(RECORDED_URL).not.toContain('/custom/live')
  })
})

describe('the WebSocket of undici', () => {
  it('sees the same', async () => {
    await using replaying = await startSockets([
      connection([...greeted, server(speech('hi'), { frame: 'text' }), closed('server', 1011, 'bye')]),
    ])
    const socket = new UndiciWebSocket(replaying.url)
    const seen: string[] = []
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => socket.send(JSON.stringify(setup)))
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
      seen.push(
        typeof data === 'string'
          ? `text ${compact(data)}`
          : `binary ${compact(data instanceof ArrayBuffer ? Buffer.from(data).toString() : '')}`,
      )
    })
    const { code, reason } = await new Promise<{ readonly code: number; readonly reason: string }>(resolve =>
      socket.addEventListener('close', resolve),
    )
    expect(seen).toEqual([binary(ready), `text ${JSON.stringify(speech('hi'))}`])
    expect([code, reason]).toEqual([1011, 'bye'])
  })
})

describe('a client that reads slowly', () => {
  it('gets all of it in order, and is not sent what it has no room for', async () => {
    const words = 'x'.repeat(500_000)
    const messages = Array.from({ length: 60 }, (_, index) => server(speech(`${index} ${words}`)))
    await using replaying = await startSockets([
      connection([...greeted, ...messages, closed('server', 1000)], { name: 'long' }),
      connection([...greeted, closed('server', 1000)]),
    ])
    const slow = watch(replaying.url)
    slow.say(setup)
    await slow.until(1)
    slow.socket.pause()
    // Another client has a whole session meanwhile.
    const quick = watch(replaying.url)
    quick.say(setup)
    expect(await quick.over()).toEqual([binary(ready), 'close 1000'])
    expect(replaying.played.map(({ number }) => number)).toEqual([2])
    slow.socket.resume()
    const seen = await slow.over()
    expect(seen.slice(1, -1).map(text => Number(/"text":"(\d+)/.exec(text)?.[1]))).toEqual(
      messages.map((_, index) => index),
    )
    expect(seen.at(-1)).toBe('close 1000')
    expect(replaying.played.map(({ number }) => number)).toEqual([2, 1])
  })
})
