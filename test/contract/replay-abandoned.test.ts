/**
 * A stream that the app abandons: a held event shows it, and at once nobody can see it.
 *
 * Breaking out of a stream of Interactions ends its connection. Breaking out of one of models does not: the SDK
 * lets go of the reader (`reader.releaseLock()`, no `cancel`), and the rest still comes. Only a signal ends that.
 */
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startReplaying, tape } from '../serve/replaying.ts'
import type { Sdk } from './transcripts.ts'

const SDKS: Readonly<Record<string, Sdk>> = {
  '@google/genai 3': newest,
  '@google/genai 2': older as unknown as Sdk,
}

/** An app that has enough after the first event. */
type Leaves = (ai: newest.GoogleGenAI) => Promise<unknown>

const model = 'gemini-2.5-flash'
const LEAVES: Readonly<Record<string, Leaves>> = {
  'a models stream by its signal': async ai => {
    const leaving = new AbortController()
    const config = { abortSignal: leaving.signal }
    const stream = await ai.models.generateContentStream({ model, contents: 'Why?', config })
    const first = await stream.next()
    leaving.abort()
    return first.done
  },
  'an Interactions stream by a break': async ai => {
    for await (const event of await ai.interactions.create({ model, input: 'Why?', stream: true }))
      return !event
    return undefined
  },
}

/** Whatever is asked for is answered with three events, the second maybe held. */
function recorded(more: string): string {
  const events = ['one', 'two', 'three'].map((word, index) => {
    const data = `{"candidates": [{"content": {"parts": [{"text": "${word}"}],"role": "model"}}]}`
    return `    - data: '${data}'${index === 1 ? more : ''}\n`
  })
  return tape(
    ...['models/gemini-2.5-flash:streamGenerateContent?alt=sse', 'interactions'].map(
      path => `exchange: ${path === 'interactions' ? path : 'generate-content'}
match: route
request: { method: POST, url: 'https://generativelanguage.googleapis.com/v1beta/${path}' }
response:
  status: 200
  headers: { content-type: text/event-stream }
  events:
${events.join('')}end: {}
`,
    ),
  )
}

const cases = Object.entries(SDKS).flatMap(([name, sdk]) =>
  Object.entries(LEAVES).map(([way, leaves]) => ({ name, sdk, way, leaves })),
)

afterEach(() => void vi.useRealTimers())

describe.each(cases)('$name leaving $way', ({ sdk, leaves }) => {
  /** What the report says of an exchange that was asked for. */
  async function reported(yaml: string) {
    await using replaying = await startReplaying(yaml)
    const { server } = replaying
    const ai = new sdk.GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } })
    expect(await leaves(ai)).toBe(false)
    const { leftovers } = await server.close()
    return leftovers.filter(({ kind }) => kind !== 'never-asked')
  }

  it('is reported with what it left where an event is held', async () => {
    // So the time for which it is held can't be over before a slow client has left.
    vi.useFakeTimers()
    expect(await reported(recorded('\n      hold: true'))).toMatchObject([
      { kind: 'abandoned', message: expect.stringContaining('2 chunks to come') },
    ])
  })

  it('is not reported where all was sent at once', async () => {
    expect(await reported(recorded(''))).toEqual([])
  })
})
