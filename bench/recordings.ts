/** What is replayed, and the bytes that a service without a recording would send for it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The events of a stream. */
const EVENTS = 40

export const SSE_PATH = '/v1beta/models/m:streamGenerateContent?alt=sse'
export const SSE_BODY = '{"contents":[{"parts":[{"text":"Say why the sky is blue."}],"role":"user"}]}'

const SERVICE = 'generativelanguage.googleapis.com'
const SOCKET = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** Where a client opens its socket. */
export const LIVE_PATH: string = `${SOCKET}?key=none`

/** The data of an event, as the service spells it. */
function eventData(number: number): string {
  const text = `This is piece ${number} of an answer, and it is as long as such a piece often is. `
  return `{"candidates": [{"content": {"parts": [{"text": "${text}"}],"role": "model"},"index": 0}],"modelVersion": "m"}`
}

/** The pieces that make up the body of the answer, in the order in which they are written. */
export const SSE_PIECES: readonly string[] = Array.from(
  { length: EVENTS },
  (_, number) => `data: ${eventData(number)}\r\n\r\n`,
)

/** A stream that is asked for again and again; `gap`: milliseconds between its events. */
export function writeStreams(folder: string, name: string, options: StreamsOptions): string {
  const { exchanges, events, gap, repeat } = options
  const documents = Array.from({ length: exchanges }, () => [
    'exchange: generate-content',
    ...(repeat ? ['repeat: always'] : []),
    'request:',
    '  method: POST',
    `  url: https://${SERVICE}${SSE_PATH}`,
    '  body: { contents: [{ parts: [{ text: Say why the sky is blue. }], role: user }] }',
    'response:',
    '  at: 0',
    '  status: 200',
    '  headers: { content-type: text/event-stream }',
    '  events:',
    ...Array.from({ length: events }, (_, number) => [
      `    - at: ${number * gap}`,
      '      data: |-',
      `        ${eventData(number)}`,
    ]).flat(),
    `end: { at: ${events * gap} }`,
    '',
  ])
  return write(folder, name, documents)
}

/** How many streams there are, and what is in each. */
export interface StreamsOptions {
  readonly exchanges: number
  readonly events: number
  /** Milliseconds between events. */
  readonly gap: number
  readonly repeat: boolean
}

/** What the service says on a socket after each message of the client: 41 messages, and the setup that they answer. */
export const LIVE_ANSWERS: readonly (readonly object[])[] = [
  [{ setupComplete: {} }],
  ...Array.from({ length: 4 }, (_, turn) => [
    ...Array.from({ length: 8 }, (__, number) => ({
      serverContent: {
        modelTurn: {
          parts: [{ text: `Piece ${number} of turn ${turn}, and it is as long as such a piece is.` }],
        },
      },
    })),
    { serverContent: { turnComplete: true } },
  ]),
]

/** What the client says, in order; it closes when it has heard all that answers the last. */
export const LIVE_QUESTIONS: readonly object[] = LIVE_ANSWERS.map((_, number) =>
  number === 0
    ? { setup: { model: 'models/m', generationConfig: { responseModalities: ['TEXT'] } } }
    : {
        clientContent: {
          turns: [{ role: 'user', parts: [{ text: `Question ${number}` }] }],
          turnComplete: true,
        },
      },
)

/** A message as the service spells it. */
export function spelled(message: object): string {
  return `${JSON.stringify(message, undefined, 2)}\n`
}

/** A session that is asked for again and again. */
export function writeLive(folder: string): string {
  const messages = LIVE_QUESTIONS.flatMap((question, number) => [
    `  - client: ${JSON.stringify(question)}`,
    ...(LIVE_ANSWERS[number] ?? []).map(answer => `  - server: ${JSON.stringify(answer)}`),
  ])
  return write(folder, 'live', [
    [
      'exchange: live',
      'repeat: always',
      'request:',
      `  url: wss://${SERVICE}${SOCKET}`,
      'messages:',
      ...messages,
      '  - close: { by: client, code: 1000 }',
      'end: {}',
      '',
    ],
  ])
}

function write(folder: string, name: string, documents: readonly (readonly string[])[]): string {
  const file = join(folder, `${name}.cassette.yaml`)
  writeFileSync(file, ['cassette: 1\n', ...documents.map(lines => lines.join('\n'))].join('---\n'))
  return file
}
