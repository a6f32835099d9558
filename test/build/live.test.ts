/** Live sessions, built: what goes over the socket for what is written, and what is added by itself. */
import { describe, expect, it } from 'vitest'
import {
  at,
  call,
  cassette,
  client,
  end,
  media,
  model,
  refused,
  result,
  server,
  together,
  user,
  type LiveItem,
} from '../../src/build/entry.ts'
import { decodeUtf8 } from '../../src/wire/text.ts'
import { first, wire } from './played.ts'

const live = (...says: readonly LiveItem[]) => cassette().live('gemini-live-2.5-flash-preview', says)

/** What each side said after the setup and the answer to it. */
function said(...says: readonly LiveItem[]): readonly unknown[] {
  const messages = wire(live(...says)).socket?.messages.slice(2) ?? []
  return messages.map(({ from, bytes }) => ({ [from]: JSON.parse(decodeUtf8(bytes) ?? '') as unknown }))
}

describe('a session', () => {
  it('begins with a setup for what is said in it, and is matched by its route', () => {
    const sound = live(
      server.hears('Hi'),
      server.audio(Uint8Array.of(0, 0)),
      server.transcribes('Hello'),
      server.resumption(),
    )
    expect(first(sound)).toMatchObject({
      exchange: 'live',
      match: 'route',
      request: {
        url: 'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
      },
      messages: [
        {
          client: {
            value: {
              setup: {
                model: 'models/gemini-live-2.5-flash-preview',
                generationConfig: { responseModalities: ['AUDIO'] },
                inputAudioTranscription: {},
                outputAudioTranscription: {},
                sessionResumption: {},
              },
            },
          },
        },
        { server: { value: { setupComplete: {} } } },
        {},
        {},
        {},
        {},
      ],
    })
  })

  it('has the setup that it is given, and is compared by it', () => {
    const session = cassette().live({ model: 'models/m', tools: [] }, [server.says('Hi.')])
    expect(first(session).match).toBeUndefined()
    expect(session.render()).toContain('setup: { model: models/m, tools: [] }')
  })

  it('has messages of the client in text frames, of the server in binary ones, spelled as they spell them', () => {
    const messages = wire(live(client.writes('Hi.'), server.interrupted())).socket?.messages ?? []
    expect(messages.map(({ from, frame, bytes }) => [from, frame, decodeUtf8(bytes)])).toEqual([
      ['client', 'text', expect.stringContaining('{"setup":{"model":"models/gemini-live-2.5-flash-preview"')],
      ['server', 'binary', '{\n  "setupComplete": {}\n}\n'],
      ['client', 'text', '{"realtimeInput":{"text":"Hi."}}'],
      ['server', 'binary', '{\n  "serverContent": {\n    "interrupted": true\n  }\n}\n'],
    ])
  })

  it('is of Vertex AI where the cassette is', () => {
    const base = 'https://us-central1-aiplatform.googleapis.com/v1beta1/projects/p/locations/us-central1'
    const session = cassette({ base }).live('gemini-live', [server.says('Hi.')])
    expect(first(session).request.url).toBe(
      'wss://us-central1-aiplatform.googleapis.com/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent',
    )
    expect(session.render()).toContain(
      'model: projects/p/locations/us-central1/publishers/google/models/gemini-live',
    )
  })

  it('may be answered late, or never', () => {
    const late = live(at(90, server.setupComplete({ sessionId: 's' })), server.says('Hi.'))
    expect(first(late).messages?.[1]).toMatchObject({
      at: 90,
      server: { value: { setupComplete: { sessionId: 's' } } },
    })
    const never = cassette().live('m', [server.closes(1008, 'No such model.')], { ready: 'never' })
    expect(first(never).messages).toHaveLength(2)
  })

  it('may be refused', () => {
    const session = cassette().live('m', refused(403, 'Forbidden'))
    expect(wire(session)).toMatchObject({ request: { method: 'GET' }, response: { status: 403 } })
    expect(wire(session).socket).toBeUndefined()
  })

  it('has the moments that it is given, of several messages the first', () => {
    const session = cassette().live(
      'm',
      [at(40, server.says('a', 'b')), at(50, client.closes()), end({ at: 60 })],
      {
        setupAt: 3,
      },
    )
    expect(first(session).messages?.map(message => message.at)).toEqual([3, undefined, 40, undefined, 50])
    expect(first(session).end.at).toBe(60)
  })
})

describe('the client', () => {
  it('says what an SDK says', () => {
    expect(
      said(
        client.says('Hi.', media('image/png', Uint8Array.of(1))),
        client.recalls(user('Hi.'), model('Hello.')),
        client.audio(Uint8Array.of(1, 2)),
        client.video(Uint8Array.of(3)),
        client.activityStarts(),
        client.activityEnds(),
        client.audioEnds(),
        client.responds(result('f', { ok: true }, { id: 'x' })),
        client.sends({ any: 'thing' }),
      ),
    ).toMatchInlineSnapshot(`
      [
        {
          "client": {
            "clientContent": {
              "turnComplete": true,
              "turns": [
                {
                  "parts": [
                    {
                      "text": "Hi.",
                    },
                    {
                      "inlineData": {
                        "data": "AQ==",
                        "mimeType": "image/png",
                      },
                    },
                  ],
                  "role": "user",
                },
              ],
            },
          },
        },
        {
          "client": {
            "clientContent": {
              "turnComplete": false,
              "turns": [
                {
                  "parts": [
                    {
                      "text": "Hi.",
                    },
                  ],
                  "role": "user",
                },
                {
                  "parts": [
                    {
                      "text": "Hello.",
                    },
                  ],
                  "role": "model",
                },
              ],
            },
          },
        },
        {
          "client": {
            "realtimeInput": {
              "audio": {
                "data": "AQI=",
                "mimeType": "audio/pcm;rate=16000",
              },
            },
          },
        },
        {
          "client": {
            "realtimeInput": {
              "video": {
                "data": "Aw==",
                "mimeType": "image/jpeg",
              },
            },
          },
        },
        {
          "client": {
            "realtimeInput": {
              "activityStart": {},
            },
          },
        },
        {
          "client": {
            "realtimeInput": {
              "activityEnd": {},
            },
          },
        },
        {
          "client": {
            "realtimeInput": {
              "audioStreamEnd": true,
            },
          },
        },
        {
          "client": {
            "toolResponse": {
              "functionResponses": [
                {
                  "id": "x",
                  "name": "f",
                  "response": {
                    "ok": true,
                  },
                },
              ],
            },
          },
        },
        {
          "client": {
            "any": "thing",
          },
        },
      ]
    `)
  })
})

describe('the server', () => {
  it('says what the service says', () => {
    expect(
      said(
        server.says('Hel', ['lo', call('f')]),
        server.thinks('Hm.'),
        server.calls(call('f', { a: 1 }), call('g', {}, { id: 'x' })),
        server.cancels('function-call-1'),
        server.completes({ totalTokenCount: 3 }),
        server.usage({ totalTokenCount: 4 }),
        server.goesAway('50s'),
        server.resumption('redacted-session-handle-1'),
        together(server.says('Hel'), server.says('lo'), server.turnComplete()),
        server.content({ waitingForInput: true }),
      ),
    ).toMatchInlineSnapshot(`
      [
        {
          "server": {
            "serverContent": {
              "modelTurn": {
                "parts": [
                  {
                    "text": "Hel",
                  },
                ],
              },
            },
          },
        },
        {
          "server": {
            "serverContent": {
              "modelTurn": {
                "parts": [
                  {
                    "text": "lo",
                  },
                  {
                    "functionCall": {
                      "args": {},
                      "name": "f",
                    },
                  },
                ],
              },
            },
          },
        },
        {
          "server": {
            "serverContent": {
              "modelTurn": {
                "parts": [
                  {
                    "text": "Hm.",
                    "thought": true,
                  },
                ],
              },
            },
          },
        },
        {
          "server": {
            "toolCall": {
              "functionCalls": [
                {
                  "args": {
                    "a": 1,
                  },
                  "id": "function-call-1",
                  "name": "f",
                },
                {
                  "args": {},
                  "id": "x",
                  "name": "g",
                },
              ],
            },
          },
        },
        {
          "server": {
            "toolCallCancellation": {
              "ids": [
                "function-call-1",
              ],
            },
          },
        },
        {
          "server": {
            "serverContent": {
              "generationComplete": true,
            },
          },
        },
        {
          "server": {
            "serverContent": {
              "turnComplete": true,
            },
            "usageMetadata": {
              "totalTokenCount": 3,
            },
          },
        },
        {
          "server": {
            "usageMetadata": {
              "totalTokenCount": 4,
            },
          },
        },
        {
          "server": {
            "goAway": {
              "timeLeft": "50s",
            },
          },
        },
        {
          "server": {
            "sessionResumptionUpdate": {
              "newHandle": "redacted-session-handle-1",
              "resumable": true,
            },
          },
        },
        {
          "server": {
            "serverContent": {
              "modelTurn": {
                "parts": [
                  {
                    "text": "Hel",
                  },
                  {
                    "text": "lo",
                  },
                ],
              },
              "turnComplete": true,
            },
          },
        },
        {
          "server": {
            "serverContent": {
              "waitingForInput": true,
            },
          },
        },
      ]
    `)
  })

  it('hears the response to a call by the number that the call got', () => {
    const [one, other] = [call('f'), call('g')]
    const [, answered] = said(server.calls(one, other), client.responds(result(other, {}), result(one, {})))
    expect(answered).toEqual({
      client: {
        toolResponse: {
          functionResponses: [
            { id: 'function-call-2', name: 'g', response: {} },
            { id: 'function-call-1', name: 'f', response: {} },
          ],
        },
      },
    })
  })

  it('can say anything, in any frame', () => {
    const session = live(server.sends('not even JSON', { frame: 'text' }), server.sends(Uint8Array.of(0xff)))
    expect(first(session).messages?.slice(2)).toMatchObject([
      { frame: 'text', server: { type: 'text', text: 'not even JSON' } },
      { server: { type: 'base64', base64: '/w==' } },
    ])
  })
})

describe('a close', () => {
  it.each([
    ['by the server', server.closes(1011, 'Oh.'), { by: 'server', code: 1011, reason: 'Oh.' }],
    ['by the client', client.closes(), { by: 'client', code: undefined, reason: '' }],
  ])('comes %s', (_who, close, expected) => {
    expect(wire(live(server.says('Hi.'), close)).socket?.close).toMatchObject(expected)
  })

  it('may not come at all, where the connection is lost', () => {
    const { socket, end: ended } = wire(live(server.says('Hi.'), end({ how: 'upstream-reset' })))
    expect([socket?.close, ended.how]).toEqual([undefined, 'upstream-reset'])
  })
})

describe('sound', () => {
  it('goes into one file for each side, as it is recorded', () => {
    const piece = (value: number) => new Uint8Array(400).fill(value)
    const session = live(client.audio(piece(1)), server.audio(piece(2)), server.audio(piece(3)))
    expect(first(session).blobs).toEqual({ '1-client.pcm': 400, '1-server.pcm': 800 })
    expect(session.build().blobs.get('1-server.pcm')?.slice(399, 401)).toEqual(Uint8Array.of(2, 3))
  })
})
