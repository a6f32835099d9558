/** An app that strays from its recording in each of the ways there are, and the recordings. */
import { tape } from '../serve/replaying.ts'
import { asks, OVER, READY, says, socket } from '../contract/live-cassettes.ts'

const MODEL = 'gemini-2.5-flash'

function asked(route: string, response: string, config = ''): string {
  return `exchange: generate-content
request:
  method: POST
  url: https://generativelanguage.googleapis.com/v1beta/models/${MODEL}:${route}
  body: { contents: [{ parts: [{ text: Hello }], role: user }]${config} }
response:
  status: 200
${response}end: {}
`
}

const HELLO = tape(
  asked(
    'generateContent',
    `  headers: { content-type: application/json }
  body: { candidates: [{ content: { parts: [{ text: Hi. }], role: model } }] }
`,
  ),
)
/** Each is held back a moment: that an app has left is seen before all of them are gone, however slow the machine. */
const HELD = `    - hold: true
      data: { candidates: [{ content: { parts: [{ text: More }], role: model } }] }
`
const STREAM = tape(
  asked(
    'streamGenerateContent?alt=sse',
    `  headers: { content-type: text/event-stream }
  events:
    - data: { candidates: [{ content: { parts: [{ text: One }], role: model } }] }
${HELD.repeat(100)}`,
    ', generationConfig: {}',
  ),
)
const LIVE = tape(
  socket([
    'client: { setup: { model: models/gemini-live } }',
    READY,
    asks('Hello'),
    says('Hi.'),
    OVER,
    'close: { by: client }',
  ]),
)

/** The app. Each function gets a tape. */
export const APP: string = `
import { GoogleGenAI } from '@google/genai'

const ask = (tape, contents) => new GoogleGenAI(tape.client).models.generateContent({ model: '${MODEL}', contents })

export const apps = {
  'a faithful app': tape => ask(tape, 'Hello'),
  'a changed request': tape => ask(tape, 'Bye'),
  async 'a swallowed error'(tape) {
    await ask(tape, 'Hello')
    await ask(tape, 'Bye').catch(() => {})
  },
  async 'a request too many'(tape) {
    await ask(tape, 'Hello')
    await ask(tape, 'Hello').catch(() => {})
  },
  async 'an abandoned stream'(tape) {
    const leaving = new AbortController()
    const config = { abortSignal: leaving.signal }
    const ai = new GoogleGenAI(tape.client)
    const stream = await ai.models.generateContentStream({ model: '${MODEL}', contents: 'Hello', config })
    try {
      for await (const chunk of stream) leaving.abort()
    } catch {}
  },
  async 'a dropped message'(tape) {
    let left
    const gone = new Promise(resolve => (left = resolve))
    const session = await new GoogleGenAI(tape.client).live.connect({
      model: 'gemini-live',
      callbacks: { onmessage() {}, onclose: () => left() },
    })
    session.close()
    await gone
  },
  async 'an error of its own'(tape) {
    throw new Error('own reason ' + tape.failures.length)
  },
}
`

/** What each app's failure says; undefined for the one that does not fail. Its own error comes first. */
export const REASONS: Readonly<Record<string, readonly RegExp[] | undefined>> = {
  'a faithful app': undefined,
  'a changed request': [/This request is not on the recording/, /"Bye"/],
  'a swallowed error': [/not on the recording/, /"Bye"/],
  'a request too many': [/has no further answer to this request/, /was already asked for/],
  'an abandoned stream': [/was abandoned with \d+ chunks to come/],
  'a dropped message': [/never reached: message 4/, /never sent by the client: message 3/],
  'an error of its own': [/own reason 0[^]*The recording was not used up/],
}

/** The cassettes by the names of the tests. */
const CASSETTES: Readonly<Record<string, string>> = {
  'a faithful app': HELLO,
  'a changed request': HELLO,
  'a swallowed error': HELLO,
  'a request too many': HELLO,
  'an abandoned stream': STREAM,
  'a dropped message': LIVE,
  'an error of its own': HELLO,
}

/** The cassettes as files of a project, named after the tests of this file. */
export function cassetteFiles(testFile: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(CASSETTES).map(([name, text]) => [
      `__cassettes__/${testFile}/${name.replaceAll(' ', '-')}.cassette.yaml`,
      text,
    ]),
  )
}
