/** The Live dialect: its routes, its spelling, what differs and what doesn't between two client messages. */
import { describe, expect, it } from 'vitest'
import { live } from '../../src/dialect/live.ts'
import type { JsonValue } from '../../src/wire/json.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'

const read = (value: JsonValue) => live.readClient(encodeUtf8(JSON.stringify(value)))
const media = (mimeType: string) => ({ data: btoa('\0'.repeat(100)), mimeType })
const GEMINI = 'google.ai.generativelanguage'

describe('a Live route', () => {
  it.each([
    [`/ws/${GEMINI}.v1beta.GenerativeService.BidiGenerateContent`, 'GenerativeService.BidiGenerateContent'],
    [`//ws/${GEMINI}.v1alpha.GenerativeService.BidiGenerateContent`, 'GenerativeService.BidiGenerateContent'],
    [
      `/ws/${GEMINI}.v1alpha.GenerativeService.BidiGenerateContentConstrained`,
      'GenerativeService.BidiGenerateContentConstrained',
    ],
    [`/t/name/ws/${GEMINI}.v9.GenerativeService.BidiGenerateMusic`, 'GenerativeService.BidiGenerateMusic'],
    [
      '/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent',
      'GenerativeService.BidiGenerateContent',
    ],
    [
      '/ws/google.cloud.aiplatform.v1beta1.LlmBidiService%2FBidiGenerateContent',
      'GenerativeService.BidiGenerateContent',
    ],
    ['/', 'GenerativeService.BidiGenerateContent'],
  ])('%s is %s', (path, operation) => {
    expect(live.owns(path)).toBe(true)
    expect(live.operation(`wss://host.example:443${path}`)).toBe(operation)
  })

  it.each([
    '/v1beta/models/m:generateContent',
    '/ws/other.v1.Service.BidiGenerateContent',
    '/ws',
    `/ws/${GEMINI}.v1beta.GenerativeService.BidiGenerateContentX`,
  ])('is not %s', path => {
    expect(live.owns(path)).toBe(false)
  })

  it('is the same operation with any host, version and credentials, and another with another query', () => {
    const plain = live.operation(
      `wss://a.example/ws/${GEMINI}.v1beta.GenerativeService.BidiGenerateContent?key=1`,
    )
    expect(
      live.operation(
        `http://127.0.0.1:8//ws/${GEMINI}.v1alpha.GenerativeService.BidiGenerateContent?access_token=x`,
      ),
    ).toBe(plain)
    expect(live.operation(`/ws/${GEMINI}.v1.GenerativeService.BidiGenerateContent`)).toBe(plain)
    expect(live.operation(`/ws/${GEMINI}.v1.GenerativeService.BidiGenerateContent?alt=json&key=1`)).toBe(
      `${plain}?alt=json`,
    )
  })

  it('is its path where a custom address stands for the whole socket', () => {
    expect(live.operation('ws://127.0.0.1:8080/my/socket')).toBe('/my/socket')
  })
})

describe('the spelling of Live messages', () => {
  it('is pretty with a line end from the service and compact from the client', () => {
    expect(live.spell('server', { setupComplete: {} })).toBe('{\n  "setupComplete": {}\n}\n')
    expect(live.spell('client', { setup: { model: 'm' } })).toBe('{"setup":{"model":"m"}}')
    expect(live.greeting).toBe('{\n  "setupComplete": {}\n}\n')
  })

  it('is text frames from the client and binary ones from the service', () => {
    expect(live.frames).toEqual({ client: 'text', server: 'binary' })
  })
})

describe('two client messages that mean the same', () => {
  it.each<[string, JsonValue, JsonValue]>([
    [
      'an envelope in snake_case and in camelCase',
      { client_content: { turns: [{ role: 'user', parts: [{ text: 'Hi' }] }], turn_complete: true } },
      { clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hi' }] }], turnComplete: true } },
    ],
    [
      'a setup for one model in any spelling of its name',
      { setup: { model: 'projects/p/locations/l/publishers/google/models/m', generation_config: {} } },
      { setup: { generationConfig: {}, model: 'models/m' } },
    ],
    [
      'sound as mediaChunks, as media and as audio',
      { realtime_input: { media_chunks: [{ data: 'AAAA', mime_type: 'audio/pcm' }] } },
      { realtimeInput: { audio: { mimeType: 'audio/pcm', data: 'AAAA' } } },
    ],
    [
      'a picture as media and as video',
      { realtimeInput: { media: { data: 'AAAA', mimeType: 'image/jpeg' } } },
      { realtimeInput: { video: { data: 'BBBB', mimeType: 'image/png' } } },
    ],
    [
      'bytes in either base64 alphabet',
      {
        clientContent: {
          turns: [{ parts: [{ inlineData: { data: '_-8=', mimeType: 'application/pdf' } }] }],
        },
      },
      {
        clientContent: { turns: [{ parts: [{ inlineData: { data: '/+8', mimeType: 'application/pdf' } }] }] },
      },
    ],
    [
      'the marks of one message in any order',
      { realtimeInput: { activityEnd: {}, text: 'Hi', activityStart: {} } },
      { realtimeInput: { activityStart: {}, text: 'Hi', activityEnd: {} } },
    ],
  ])('%s', (_, left, right) => {
    expect(read(left)).toEqual(read(right))
  })

  it('are so in a text and in a binary frame, with and without a byte of white space', () => {
    expect(live.readClient(encodeUtf8('{"setup": {} }\n'))).toEqual(read({ setup: {} }))
  })
})

describe('two client messages that do not mean the same', () => {
  it.each<[string, JsonValue, JsonValue]>([
    [
      'keys inside a function result',
      { toolResponse: { functionResponses: [{ id: '1', name: 'f', response: { a_b: 1 } }] } },
      { toolResponse: { functionResponses: [{ id: '1', name: 'f', response: { aB: 1 } }] } },
    ],
    [
      'keys inside arguments',
      { clientContent: { turns: [{ parts: [{ functionCall: { name: 'f', args: { a_b: 1 } } }] }] } },
      { clientContent: { turns: [{ parts: [{ functionCall: { name: 'f', args: { aB: 1 } } }] }] } },
    ],
    [
      'keys inside a schema',
      { setup: { tools: [{ functionDeclarations: [{ parameters: { properties: { a_b: {} } } }] }] } },
      { setup: { tools: [{ functionDeclarations: [{ parameters: { properties: { aB: {} } } }] }] } },
    ],
    ['a model', { setup: { model: 'models/a' } }, { setup: { model: 'models/b' } }],
    ['asking for handles or not', { setup: {} }, { setup: { sessionResumption: {} } }],
    ['a text', { realtimeInput: { text: 'a' } }, { realtimeInput: { text: 'b' } }],
  ])('differ in %s', (_, left, right) => {
    expect(read(left)).not.toEqual(read(right))
  })
})

describe('what a client message says', () => {
  it('is everything in it, media between the marks that surround it', () => {
    const says = read({
      realtimeInput: { activityEnd: {}, audio: { data: 'AAAA', mimeType: 'audio/pcm' }, activityStart: {} },
    })
    expect(says.map(input => (input.type === 'media' ? input.lane : input.type))).toEqual([
      'discrete',
      'audio',
      'discrete',
    ])
  })

  it('is one answer for each function response, by the id of its call', () => {
    const says = read({
      tool_response: { function_responses: [{ id: 'a', response: {} }, { name: 'g' }] },
    })
    const place = ['toolResponse', 'functionResponses', '*']
    expect(says).toEqual([
      { type: 'response', label: 'function response a', key: 'a', value: { id: 'a', response: {} }, place },
      { type: 'response', label: 'function response name g', key: 'name g', value: { name: 'g' }, place },
    ])
  })

  it('keeps the handle of a resumed session apart from its setup', () => {
    expect(read({ setup: { model: 'm', sessionResumption: { handle: 'h-1' } } })).toEqual([
      {
        type: 'discrete',
        label: 'setup',
        value: { setup: { model: 'm', sessionResumption: {} } },
        place: [],
        resumes: 'h-1',
      },
    ])
  })

  it.each<[string, number, string]>([
    ['audio/pcm;rate=16000', 32, 'audio'],
    ['audio/pcm; rate=24000', 48, 'audio'],
    ['audio/pcm', 32, 'audio'],
    ['audio/l16;rate=8000', 16, 'audio'],
  ])('is a millisecond of %s for every %i bytes', (mimeType, bytes, lane) => {
    const data = btoa('\0'.repeat(bytes * 20))
    expect(read({ realtimeInput: { audio: { mimeType, data } } })).toEqual([
      { type: 'media', lane, amount: 20, unit: 'ms of audio' },
    ])
  })

  it('counts other sound in bytes and pictures in frames', () => {
    expect(
      read({
        realtimeInput: { mediaChunks: [media('audio/opus'), media('image/jpeg'), media('video/mp4')] },
      }),
    ).toEqual([
      { type: 'media', lane: 'audio bytes', amount: 100, unit: 'bytes of audio' },
      { type: 'media', lane: 'video', amount: 1, unit: 'frames of video' },
      { type: 'media', lane: 'video', amount: 1, unit: 'frames of video' },
    ])
  })

  it.each<[string, Uint8Array]>([
    ['no JSON', encodeUtf8('hello')],
    ['a number', encodeUtf8('1')],
    ['nothing', new Uint8Array()],
    ['an empty object', encodeUtf8('{}')],
    ['no UTF-8', Uint8Array.of(0xff, 0xfe)],
    ['an unknown key', encodeUtf8('{"playbackControl":"PLAY"}')],
    ['an empty envelope', encodeUtf8('{"realtimeInput":{}}')],
    ['no responses', encodeUtf8('{"toolResponse":{}}')],
  ])('is one discrete input where it holds %s', (_, bytes) => {
    expect(live.readClient(bytes).map(input => input.type)).toEqual(['discrete'])
  })
})
