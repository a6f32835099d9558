/** What the stand-in service says on its sockets in the contract tests, in the service's own spelling. */
import { startByteUpstream } from '../peers/byte-upstream.ts'
import { startSocketUpstream, type SocketScript } from '../peers/socket-upstream.ts'

/** Where a stand-in is, until it is closed. */
export interface LiveService {
  readonly url: string
  close(): Promise<void>
}

/** In the length and the alphabet of real ones, so that it is redacted. */
export const HANDLE = 'CihwbGFudGVkaGFuZGxlMDEyMzQ1Njc4OWFiY2RlZg'

const READY = { setupComplete: {} }
const OVER = { serverContent: { turnComplete: true } }
const SOUND = { mimeType: 'audio/pcm;rate=24000', data: Buffer.alloc(960, 7).toString('base64') }

function turn(...parts: readonly object[]): object {
  return { serverContent: { modelTurn: { parts } } }
}

/** What is answered to a client message that holds these words. */
const ANSWERS: readonly (readonly [words: string, answer: readonly object[]])[] = [
  ['"setup"', [READY]],
  ['Why is the sky blue?', [turn({ text: 'Ray' }), turn({ text: 'leigh – süß.' }), OVER]],
  [
    'audioStreamEnd',
    [
      turn({ inlineData: SOUND }),
      { serverContent: { outputTranscription: { text: 'Hello to you.' } } },
      { ...OVER, usageMetadata: { totalTokenCount: 9 } },
    ],
  ],
  [
    'Is it warmer',
    [
      {
        toolCall: {
          functionCalls: ['Paris', 'Rome'].map((city, index) => ({
            name: 'get_weather',
            args: { city },
            id: `call-${index + 1}`,
          })),
        },
      },
    ],
  ],
  ['functionResponses', [turn({ text: 'In Rome.' }), OVER]],
  [
    'My name is Ada.',
    [
      turn({ text: 'Hello Ada.' }),
      OVER,
      { sessionResumptionUpdate: { newHandle: HANDLE, resumable: true } },
      { goAway: { timeLeft: '10s' } },
    ],
  ],
  ['What is my name?', [turn({ text: 'Ada.' }), OVER]],
  ['Count to a thousand.', [turn({ text: 'One, two' })]],
  ['Stop.', [{ serverContent: { interrupted: true } }, OVER]],
]

/** The sound comes in five pieces, and is heard once. */
const PIECES = 5

const talk: SocketScript = socket => {
  const say = (message: object): void =>
    socket.send(Buffer.from(`${JSON.stringify(message, undefined, 2)}\n`), { binary: true })
  let pieces = 0
  socket.on('message', data => {
    const text = (data as Buffer).toString()
    if (text.includes('"audio"') && (pieces += 1) === PIECES)
      say({ serverContent: { inputTranscription: { text: 'Hello' } } })
    if (text.includes('invalid-model')) {
      socket.close(1008, 'models/invalid-model is not found for API version v1beta')
      return
    }
    for (const [words, answer] of ANSWERS) if (text.includes(words)) answer.forEach(say)
    if (text.includes('Go on for ever.')) {
      say(turn({ text: 'On and' }))
      socket.close(1011, 'Internal error encountered.')
    }
    if (text.includes('Hang up.')) {
      say(turn({ text: 'Good' }))
      setImmediate(() => socket.terminate())
    }
  })
}

const REFUSAL = '{\n  "error": {\n    "code": 403,\n    "status": "PERMISSION_DENIED"\n  }\n}\n'

/** Opens every socket and talks. */
export function startLiveService(): Promise<LiveService> {
  return startSocketUpstream(talk)
}

/** Opens no socket. */
export function startRefusingService(): Promise<LiveService> {
  return startByteUpstream((_, socket) => {
    socket.write(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${REFUSAL.length}\r\n\r\n${REFUSAL}`,
    )
  })
}
