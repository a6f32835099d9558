/** What passes through a recorded socket: messages, pings, closes, and cuts, on both sides and in the journal. */
import { once } from 'node:events'
import { WebSocket as UndiciWebSocket } from 'undici'
import { describe, expect, it } from 'vitest'
import {
  BINARY,
  CLOSE,
  closePayload,
  frameBytes,
  MORE,
  openFrames,
  PING,
  PONG,
  startFrameUpstream,
  TEXT,
} from '../peers/frames.ts'
import { clientOf, disposing, joined, only, passed, PATH, recordingOf, served } from './socket-recording.ts'

const SETUP = '{"setup":{"model":"models/m"}}'
const READY = '{\n  "setupComplete": {}\n}\n'

/** A whole frame, as it is seen. */
function frame(opcode: number, payload: string | Uint8Array = '') {
  return { opcode, payload: Buffer.from(payload), fin: true }
}

describe('a message', () => {
  const messages: readonly (readonly [string, boolean, Buffer])[] = [
    ['JSON as text', false, Buffer.from(SETUP)],
    ['JSON as bytes', true, Buffer.from(READY)],
    ['text', false, Buffer.from('süß – 日本')],
    ['a text that is none', false, Buffer.from([0x61, 0xff, 0xfe])],
    ['bytes', true, Buffer.from([0, 1, 2, 0xff])],
    ['nothing, as text', false, Buffer.alloc(0)],
    ['nothing, as bytes', true, Buffer.alloc(0)],
    ['five million bytes', true, Buffer.alloc(5_000_000, 'x')],
  ]

  it.each(messages)('is relayed and recorded as it was, both ways: %s', async (_, isBinary, bytes) => {
    const { recording, url } = await served(socket =>
      socket.on('message', (data, binary) => socket.send(data, { binary })),
    )
    const client = clientOf(url)
    await once(client, 'open')
    client.send(bytes, { binary: isBinary })
    const [data, binary] = (await once(client, 'message')) as [Buffer, boolean]
    expect(binary).toBe(isBinary)
    expect(data.equals(bytes)).toBe(true)
    const recorded = only(recording).socket?.messages ?? []
    expect(recorded.map(({ from, frame: op }) => [from, op])).toEqual([
      ['client', isBinary ? 'binary' : 'text'],
      ['server', isBinary ? 'binary' : 'text'],
    ])
    for (const message of recorded) expect(bytes.equals(message.bytes)).toBe(true)
  })

  it('is in the journal when it comes, and the order is that in which they passed', async () => {
    const { recording, client, service } = await joined()
    for (let turn = 0; turn < 5; turn += 1) {
      client.send(TEXT, `client ${turn}`)
      await service.until(turn + 1)
      expect(only(recording).socket?.messages).toHaveLength(2 * turn + 1)
      service.send(BINARY, `service ${turn}`)
      await client.until(turn + 1)
      expect(only(recording).socket?.messages).toHaveLength(2 * turn + 2)
    }
    expect(passed(recording).slice(0, 3)).toEqual([
      'client text client 0',
      'server binary service 0',
      'client text client 1',
    ])
  })

  it('in fragments is one, and pings between them are answered where they came', async () => {
    const { recording, client, service } = await joined()
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      from.send(TEXT, '{"a', 'unfinished')
      from.send(PING, 'there?')
      expect((await from.until(from === client ? 1 : 2)).at(-1)).toEqual(frame(PONG, 'there?'))
      from.send(MORE, '":', 'unfinished')
      from.send(MORE, '', 'unfinished')
      from.send(PONG, 'unasked')
      from.send(MORE, '1}')
      expect((await to.until(to === service ? 1 : 2)).at(-1)).toEqual(frame(TEXT, '{"a":1}'))
    }
    expect(passed(recording)).toEqual(['client text {"a":1}', 'server text {"a":1}', 'truncated'])
    expect([client.frames.length, service.frames.length]).toEqual([2, 2])
  })

  it('that a client sends before its socket is open is not lost', async () => {
    let answer: () => void = () => {}
    const asked = new Promise<void>(resolve => {
      answer = resolve
    })
    const upstream = disposing(await startFrameUpstream({ before: () => asked }))
    const recording = await recordingOf(upstream.url)
    const behind = Buffer.concat([
      frameBytes(TEXT, SETUP, 'fin', 'client'),
      frameBytes(TEXT, 'more', 'fin', 'client').subarray(0, 5),
    ])
    const opening = openFrames(`${recording.server.url}${PATH}`, {}, behind)
    while (recording.server.progress().open === 0) await new Promise(resolve => setImmediate(resolve))
    answer()
    const client = await opening
    client.connection.write(frameBytes(TEXT, 'more', 'fin', 'client').subarray(5))
    const service = await upstream.opened(1)
    expect(await service.until(2)).toEqual([frame(TEXT, SETUP), frame(TEXT, 'more')])
    client.connection.destroy()
  })

  it('that a service sends with its answer is not lost', async () => {
    const behind = Buffer.concat([frameBytes(BINARY, READY), frameBytes(BINARY, 'more')])
    const { client, recording } = await joined({ behind })
    expect(await client.until(2)).toEqual([frame(BINARY, READY), frame(BINARY, 'more')])
    expect(passed(recording)).toEqual([`server binary ${READY}`, 'server binary more', 'truncated'])
  })

  it('is the same to the WebSocket of undici', async () => {
    const { url, recording } = await served(socket => {
      socket.on('message', () => {
        socket.send(Buffer.from(READY))
        socket.close(1011, 'bye')
      })
    })
    const socket = new UndiciWebSocket(url)
    socket.binaryType = 'arraybuffer'
    await new Promise(resolve => socket.addEventListener('open', resolve))
    socket.send(SETUP)
    const { data } = await new Promise<{ readonly data: unknown }>(resolve =>
      socket.addEventListener('message', resolve),
    )
    expect(data instanceof ArrayBuffer && Buffer.from(data).toString()).toBe(READY)
    const { code, reason } = await new Promise<{ readonly code: number; readonly reason: string }>(resolve =>
      socket.addEventListener('close', resolve),
    )
    expect([code, reason]).toEqual([1011, 'bye'])
    await recording.finished(1)
    expect(passed(recording)).toEqual([
      `client text ${SETUP}`,
      `server binary ${READY}`,
      'server close 1011 bye',
      'complete',
    ])
  })
})

describe('a close', () => {
  const closes = [
    { code: 1000, reason: '' },
    { code: 1000, reason: 'done' },
    { code: 1001, reason: '' },
    { code: 1007, reason: 'Request contains an invalid argument.' },
    { code: 1008, reason: 'ü'.repeat(61) },
    { code: 1011, reason: 'Internal error encountered.' },
    { code: 4321, reason: 'ours' },
    { code: undefined, reason: '' },
  ]

  it.each(closes)('by the service has its code and reason: $code $reason', async ({ code, reason }) => {
    const { recording, url } = await served(socket => {
      socket.send('last words')
      socket.close(code, reason)
    })
    const client = clientOf(url)
    const [seen, words] = (await once(client, 'close')) as [number, Buffer]
    expect([seen, String(words)]).toEqual([code ?? 1005, reason])
    await recording.finished(1)
    const { socket } = only(recording)
    expect(socket?.close).toMatchObject({ by: 'server', reason })
    expect(socket?.close?.code).toBe(code)
    expect(recording.exchanges).toMatchObject([
      { status: 101, outcome: 'complete', bytes: 10, dialect: 'live' },
    ])
  })

  it.each(closes)('by the client has its code and reason: $code $reason', async ({ code, reason }) => {
    const { recording, url, upstream } = await served()
    const client = clientOf(url)
    await once(client, 'open')
    client.send('last words')
    client.close(code, reason)
    const [seen, words] = (await once(await upstream.opened(1), 'close')) as [number, Buffer]
    expect([seen, String(words)]).toEqual([code ?? 1005, reason])
    await recording.finished(1)
    expect(only(recording).socket?.close).toMatchObject({ by: 'client', reason })
    expect(only(recording).socket?.close?.code).toBe(code)
    expect(recording.exchanges).toMatchObject([{ outcome: 'complete' }])
  })

  it.each(['client', 'server'] as const)(
    'with a reason that is no text is relayed as it is, by the %s',
    async by => {
      const { recording, client, service } = await joined()
      const [from, to] = by === 'client' ? [client, service] : [service, client]
      const payload = closePayload(1011, Buffer.from([0x61, 0xff]))
      from.send(CLOSE, payload)
      expect(await to.until(1)).toEqual([{ opcode: CLOSE, payload, fin: true }])
      expect(only(recording).socket?.close).toMatchObject({ by, code: 1011, reason: 'a\ufffd' })
    },
  )

  it.each(['client', 'server'] as const)(
    'is relayed and answered at once, although the %s keeps its connection',
    async by => {
      const { recording, client, service } = await joined()
      const [from, to] = by === 'client' ? [client, service] : [service, client]
      from.send(CLOSE, closePayload(1000, 'bye'))
      expect(await to.until(1)).toEqual([frame(CLOSE, closePayload(1000, 'bye'))])
      expect(await from.until(1)).toEqual([frame(CLOSE, closePayload(1000, 'bye'))])
      expect(passed(recording)[0]).toBe(`${by} close 1000 bye`)
    },
  )

  it('is the first of two that cross, and nothing is recorded behind it', async () => {
    const { recording, client, service } = await joined()
    service.send(CLOSE, closePayload(1011))
    await client.until(1)
    client.send(TEXT, 'too late')
    client.send(CLOSE, closePayload(1000))
    client.connection.end()
    service.connection.end()
    await recording.finished(1)
    expect(passed(recording)).toEqual(['server close 1011', 'complete'])
    expect(service.frames.map(({ opcode }) => opcode)).toEqual([CLOSE])
  })
})

describe('a connection that is lost', () => {
  it('by the service is lost to the client, when it has all that came before', async () => {
    const { recording, url } = await served(socket => {
      socket.send(Buffer.alloc(3_000_000, 'x'), () => socket.terminate())
    })
    const client = clientOf(url)
    const got: number[] = []
    client.on('message', data => got.push((data as Buffer).length))
    const [code] = await once(client, 'close')
    expect([code, got]).toEqual([1006, [3_000_000]])
    await recording.finished(1)
    const { socket, end } = only(recording)
    expect([socket?.messages.length, socket?.close, end.how]).toEqual([1, undefined, 'upstream-reset'])
    expect(recording.exchanges).toMatchObject([{ status: 101, outcome: 'upstream-reset' }])
  })

  it('by the client is lost to the service', async () => {
    const { recording, client, service } = await joined()
    client.send(TEXT, SETUP)
    await service.until(1)
    client.connection.resetAndDestroy()
    await service.ended()
    service.connection.end()
    await recording.finished(1)
    expect(passed(recording)).toEqual([`client text ${SETUP}`, 'client-abort'])
    expect(service.frames.length).toBe(1)
  })

  it('by the client takes with it nothing that it had sent', async () => {
    const { recording, client, service } = await joined()
    client.send(TEXT, SETUP)
    client.connection.end()
    await service.ended()
    expect(service.frames).toEqual([frame(TEXT, SETUP)])
    service.connection.end()
    await recording.finished(1)
    expect(passed(recording)).toEqual([`client text ${SETUP}`, 'client-abort'])
  })
})

describe('a frame that breaks the protocol', () => {
  it('of the service ends the socket, which is recorded up to it', async () => {
    const { recording, client, service } = await joined()
    service.send(BINARY, READY)
    service.send(3, 'no such opcode')
    await client.ended()
    expect(client.frames).toEqual([frame(BINARY, READY)])
    expect(await service.until(1)).toEqual([frame(CLOSE, closePayload(1002))])
    service.connection.end()
    client.connection.end()
    await recording.finished(1)
    expect(passed(recording)).toEqual([`server binary ${READY}`, 'upstream-error'])
    expect(recording.exchanges[0]?.cause).toMatch(/broke the WebSocket protocol: .*invalid opcode 3/)
  })

  it('of the client ends the socket', async () => {
    const { recording, client, service } = await joined()
    client.connection.write(frameBytes(TEXT, 'not masked'))
    await service.ended()
    expect(service.frames).toEqual([])
    expect(await client.until(1)).toEqual([frame(CLOSE, closePayload(1002))])
    service.connection.end()
    await recording.finished(1)
    expect(passed(recording)).toEqual(['client-abort'])
  })
})

describe('a side that reads slowly', () => {
  it.each(['client', 'service'] as const)(
    'slows the other down, and gets all of it in order: the %s',
    async who => {
      const { recording, url, upstream } = await served()
      const client = clientOf(url)
      await once(client, 'open')
      const service = await upstream.opened(1)
      const [slow, quick] = who === 'client' ? [client, service] : [service, client]
      const got: number[] = []
      slow.on('message', data => got.push(Number.parseInt((data as Buffer).toString(), 10)))
      slow.pause()
      const total = 50
      const quickly = { sent: 0 }
      const sending = (async () => {
        for (; quickly.sent < total; quickly.sent += 1) {
          const message = Buffer.alloc(500_000, 'x')
          message.write(`${quickly.sent} `)
          await new Promise<void>(resolve => quick.send(message, () => resolve()))
        }
      })()
      // Until nothing moves any more: all that lies between the two is full.
      for (let before = -1; quickly.sent === 0 || before !== quickly.sent;) {
        before = quickly.sent
        for (let turn = 0; turn < 300; turn += 1) await new Promise(resolve => setImmediate(resolve))
      }
      expect(quickly.sent).toBeLessThan(total)
      const journalled = only(recording).socket?.messages.length ?? 0
      expect(journalled).toBeLessThan(total)
      slow.resume()
      await sending
      quick.close(1000)
      await once(slow, 'close')
      expect(got).toEqual(Array.from({ length: total }, (_, index) => index))
      await recording.finished(1)
      expect(only(recording).socket?.messages).toHaveLength(total)
    },
  )
})
