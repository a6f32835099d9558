/** Sockets, by example: how messages and closes are written, and what is sent for them. */
import { describe, expect, it } from 'vitest'
import { blobsIn } from '../../src/cassette/blobs.ts'
import { composeExchange } from '../../src/cassette/compose.ts'
import type { Exchange, SocketMessage } from '../../src/cassette/model.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { playExchange } from '../../src/cassette/play.ts'
import { renderDocument } from '../../src/cassette/render.ts'
import { firstDifference } from '../../src/cassette/verify.ts'
import { liveHandshake } from '../../src/dialect/live.ts'
import type { WireExchange, WireMessage, WireSocket } from '../../src/wire/exchange.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'
import { base64Of } from './arbitrary-sockets.ts'

const url =
  'wss://generativelanguage.googleapis.com/ws/google.ai.x.v1beta.GenerativeService.BidiGenerateContent'

function wireOf(socket: WireSocket, more: Partial<WireExchange> = {}): WireExchange {
  const request = { method: 'GET', url, headers: [['Sec-WebSocket-Key', 'x'] as const], body: undefined }
  return { at: 0, request, response: undefined, socket, end: { at: 1980, how: undefined }, ...more }
}

function client(text: string, at = 0, frame: WireMessage['frame'] = 'text'): WireMessage {
  return { at, from: 'client', frame, bytes: encodeUtf8(text) }
}

function server(value: unknown, at = 0): WireMessage {
  return {
    at,
    from: 'server',
    frame: 'binary',
    bytes: encodeUtf8(`${JSON.stringify(value, undefined, 2)}\n`),
  }
}

function pcm(length: number, rate = 24000): unknown {
  const inlineData = { mimeType: `audio/pcm;rate=${rate}`, data: base64Of(length) }
  return { serverContent: { modelTurn: { parts: [{ inlineData }] } } }
}

function composed(messages: readonly WireMessage[], number = 2): ReturnType<typeof composeExchange> {
  const never = (): string => 'never'
  return composeExchange(wireOf({ messages, close: undefined }), liveHandshake, never, number)
}

function payloads(...messages: readonly WireMessage[]): readonly SocketMessage[] {
  return (composed(messages).exchange.messages ?? []).map(message => ({ ...message, at: undefined }))
}

describe('a socket', () => {
  it('is written as it is read by people', () => {
    const wire = wireOf({
      messages: [
        client(
          '{"setup":{"model":"models/gemini-live","generationConfig":{"responseModalities":["AUDIO"]}}}',
          4.2,
        ),
        server({ setupComplete: {} }, 35),
        server(pcm(11520), 198),
        { at: 204, from: 'server', frame: 'text', bytes: encodeUtf8('{"goAway": {}}') },
      ],
      close: { at: 1977, by: 'server', code: 1011, reason: 'Internal error encountered.' },
    })
    const { exchange } = composeExchange(wire, liveHandshake, () => 'never', 2)
    expect(renderDocument({ type: 'exchange', exchange })).toBe(`exchange: live
at: 0
request:
  url: ${url}
messages:
  - at: 4
    client:
      setup:
        model: models/gemini-live
        generationConfig: { responseModalities: [AUDIO] }
  - at: 35
    server: { setupComplete: {} }
  - at: 198
    server:
      serverContent:
        modelTurn:
          parts:
            - inlineData:
                mimeType: audio/pcm;rate=24000
                data: blob:2-server.pcm@0+11520
  - at: 204
    frame: text
    server: |-
      {"goAway": {}}
  - at: 1977
    close: { by: server, code: 1011, reason: Internal error encountered. }
blobs: { 2-server.pcm: 11520 }
end: { at: 1980 }
`)
  })

  it('that was opened and said nothing has an empty list', () => {
    const { exchange } = composed([])
    expect(renderDocument({ type: 'exchange', exchange })).toContain('messages: []\nend: { at: 1980 }\n')
  })

  it('that was refused has a response', () => {
    const wire: WireExchange = {
      ...wireOf({ messages: [], close: undefined }),
      socket: undefined,
      response: { at: 3, status: 403, reason: undefined, headers: [], chunks: [], trailers: [] },
    }
    const { exchange } = composeExchange(wire, liveHandshake, () => 'never', 1)
    expect(exchange).toMatchObject({ exchange: 'live', response: { status: 403 } })
    expect(exchange.messages).toBeUndefined()
    expect(renderDocument({ type: 'exchange', exchange })).not.toContain('method')
  })
})

describe('a message', () => {
  it('of a service is a value where its spelling gives the same bytes, else text', () => {
    expect(payloads(server({ a: 1 }))).toEqual([{ server: { type: 'value', value: { a: 1 } } }])
    const other = { ...server({}), bytes: encodeUtf8('{"a":1}') }
    expect(payloads(other)).toEqual([{ server: { type: 'text', text: '{"a":1}' } }])
  })

  it('of a client is a value where nothing is lost, however it is spelled', () => {
    expect(payloads(client('{ "a" : 1.0 }'))).toEqual([
      { client: { type: 'value', value: { a: 1 }, numbers: ['1.0'] } },
    ])
    expect(payloads(client('{"a":1,"a":2}'))).toEqual([{ client: { type: 'text', text: '{"a":1,"a":2}' } }])
    expect(payloads(client(''))).toEqual([{ client: { type: 'text', text: '' } }])
  })

  it('says its frame where that is not the usual one of its side', () => {
    expect(payloads(client('{}', 0, 'binary'), { ...server({}), frame: 'text' })).toEqual([
      { frame: 'binary', client: { type: 'value', value: {} } },
      { frame: 'text', server: { type: 'value', value: {} } },
    ])
  })

  it('that is not UTF-8 is base64, a long one in a file', () => {
    const short = { at: 0, from: 'server', frame: 'binary', bytes: Uint8Array.of(0xff, 0) } as const
    const long = { ...short, bytes: new Uint8Array(192).fill(0xff) }
    expect(payloads(short, long, long)).toEqual([
      { server: { type: 'base64', base64: '/wA=' } },
      { server: { type: 'base64', base64: 'blob:2-server.bin@0+192' } },
      { server: { type: 'base64', base64: 'blob:2-server.bin@192+192' } },
    ])
  })

  it.each([
    ['in a value', '{"a":"blob:2-server.pcm@0+200"}'],
    ['in a value, escaped', String.raw`{"a":"\u0062lob:2-server.pcm@0+200"}`],
    ['in a text', '"blob:2-server.pcm@0+200", is it?'],
  ])('that reads like a reference to a file of a socket is base64: %s', (_where, text) => {
    const { exchange, blobs } = composed([server(pcm(200)), client(text)])
    expect(exchange.messages?.[1]?.client).toEqual({ type: 'base64', base64: btoa(text) })
    const played = playExchange(
      exchange,
      liveHandshake,
      blobsIn(new Map(blobs.map(one => [one.name, one.bytes]))),
    )
    expect(decodeUtf8(played.socket?.messages[1]?.bytes ?? new Uint8Array())).toBe(text)
  })
})

describe('the media of a socket', () => {
  const microphone = (base64: string): WireMessage =>
    client(JSON.stringify({ realtimeInput: { audio: { mimeType: 'audio/pcm', data: base64 } } }))

  it('is one file for each side, which plays as a whole', () => {
    const { exchange, blobs } = composed([microphone(base64Of(300)), server(pcm(240)), server(pcm(480))], 7)
    expect(blobs.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['7-client.pcm', 300],
      ['7-server.pcm', 720],
    ])
    expect(exchange.blobs).toEqual({ '7-client.pcm': 300, '7-server.pcm': 720 })
    expect(JSON.stringify(exchange.messages?.[2])).toContain('blob:7-server.pcm@240+480')
  })

  it('of another type is another file', () => {
    const { blobs } = composed([server(pcm(240)), server(pcm(240, 16000)), server(pcm(200))])
    expect(blobs.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['2-server.pcm', 440],
      ['2-server-2.pcm', 240],
    ])
  })

  it('of a client counts in any alphabet of base64, and is played in the standard one', () => {
    const data = Uint8Array.from({ length: 200 }, () => 0xfb)
    const standard = btoa(String.fromCharCode(...data))
    const wire = wireOf({
      messages: [microphone(standard.replaceAll('+', '-').replace(/=+$/, ''))],
      close: undefined,
    })
    const { exchange, blobs } = composeExchange(wire, liveHandshake, () => 'never', 1)
    expect(blobs).toEqual([{ name: '1-client.pcm', bytes: data }])
    const played = playExchange(exchange, liveHandshake, blobsIn(new Map([['1-client.pcm', data]])))
    expect(decodeUtf8(played.socket?.messages[0]?.bytes ?? new Uint8Array())).toContain(standard)
    expect(firstDifference(wire, played)).toBeUndefined()
  })
})

describe('what is sent for a document', () => {
  const text = `cassette: 1
---
exchange: live
request: { url: "${url}" }
messages:
  - client: { setup: {} }
  - at: 5
    server: { setupComplete: {} }
  - frame: text
    server: '{"a": 1}'
  - server-base64: /wA=
  - at: 9
    close: { by: client }
end: { at: 9 }
`

  it('has the frames of each side, and the time of the one before where it says none', () => {
    const [, document] = parseCassette(text, { file: 'a' }).documents
    if (document?.type !== 'exchange') throw new Error('no exchange')
    const { socket, request } = playExchange(document.exchange, liveHandshake, () => undefined)
    expect(request).toEqual({ method: 'GET', url, headers: [], body: undefined })
    expect(socket).toEqual({
      messages: [
        { at: 0, from: 'client', frame: 'text', bytes: encodeUtf8('{"setup":{}}') },
        { at: 5, from: 'server', frame: 'binary', bytes: encodeUtf8('{\n  "setupComplete": {}\n}\n') },
        { at: 5, from: 'server', frame: 'text', bytes: encodeUtf8('{"a": 1}') },
        { at: 5, from: 'server', frame: 'binary', bytes: Uint8Array.of(0xff, 0) },
      ],
      close: { at: 9, by: 'client', code: undefined, reason: '' },
    })
  })
})

describe('a document that plays something else than was recorded', () => {
  const wire = wireOf({
    messages: [client('{"a":[1,2.0]}', 3), server({ b: 1 }, 5)],
    close: { at: 7, by: 'server', code: 1000, reason: 'Done.' },
  })
  const { exchange } = composeExchange(wire, liveHandshake, () => 'never', 1)
  const [first, second, close] = exchange.messages ?? []

  function difference(messages: Exchange['messages']): string | undefined {
    return firstDifference(
      wire,
      playExchange({ ...exchange, messages }, liveHandshake, () => undefined),
    )
  }

  it.each([
    ['nothing', [first, second, close], undefined],
    ['no socket', undefined, 'the socket is there on one side only'],
    ['a message less', [first, close], 'the number of messages differs'],
    ['another side', [first, { at: 5, client: second?.server }, close], 'the side of message 2 differs'],
    ['another frame', [first, { ...second, frame: 'text' }, close], 'the frame of message 2 differs'],
    ['another time', [first, { ...second, at: 6 }, close], 'the time of message 2 differs'],
    ['other bytes', [first, { at: 5, server: { type: 'text', text: '{}' } }, close], 'message 2 differs'],
    ['another value', [{ at: 3, client: { type: 'value', value: {} } }, second, close], 'message 1 differs'],
    [
      'other numbers',
      [{ at: 3, client: { type: 'value', value: { a: [1, 2] } } }, second, close],
      'message 1 differs',
    ],
    ['no close', [first, second], 'the close is there on one side only'],
    [
      'another code',
      [first, second, { at: 7, close: { by: 'server', code: 1001, reason: 'Done.' } }],
      'the close differs',
    ],
  ])('is found: %s', (_what, messages, expected) => {
    expect(difference(messages as Exchange['messages'])).toBe(expected)
  })
})
