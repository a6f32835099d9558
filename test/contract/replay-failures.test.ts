/** How a request that is not on the recording, or was cut on it, reaches an app: soon, and as an error. */
import { resolve } from 'node:path'
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { describe, expect, it } from 'vitest'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { startReplaying, tape } from '../serve/replaying.ts'
import type { Sdk } from './transcripts.ts'

const SDKS: Readonly<Record<string, Sdk>> = {
  '@google/genai 3': newest,
  '@google/genai 2': older as unknown as Sdk,
}
const cassettes = ['streamed-answer', 'interactions-tool-turn'].map(name =>
  resolve(import.meta.dirname, '../../cassettes', `${name}.cassette.yaml`),
)

type Ask = (ai: newest.GoogleGenAI) => Promise<unknown>

const ASKS: Readonly<Record<string, { readonly ask: Ask; readonly says: readonly string[] }>> = {
  'a stream': {
    ask: async ai => {
      const config = { temperature: 0.5, maxOutputTokens: 64 }
      const model = 'gemini-2.5-flash'
      for await (const item of await ai.models.generateContentStream({ model, contents: 'Why?', config }))
        void item
    },
    says: ['$.contents[0].parts[0].text', 'Why is the sea salty?', 'Why?', 'exchange 1'],
  },
  'a unary answer': {
    ask: ai => ai.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Why?' }),
    says: ['POST models/gemini-2.5-flash:generateContent', 'streamGenerateContent?alt=sse'],
  },
  'an interaction': {
    ask: ai => ai.interactions.create({ model: 'gemini-2.5-flash', input: 'Why?' }),
    says: ['POST interactions', '$.input'],
  },
  'an Interactions stream': {
    ask: async ai => {
      const asked = { model: 'gemini-2.5-flash', input: 'Why?', stream: true } as const
      for await (const item of await ai.interactions.create(asked)) void item
    },
    says: ['POST interactions', '$.input'],
  },
}

const ENDS = {
  'reached nothing': '',
  'was cut after its head': 'response: { status: 200, headers: { content-type: TYPE } }\n',
  'was cut in mid-answer': 'response: { status: 200, headers: { content-type: TYPE }, ANSWER }\n',
}

/** A cassette on which whatever is asked for ends so. */
function cutOff(response: string, kind: 'stream' | 'unary'): string {
  const [type, answer] =
    kind === 'stream'
      ? ['text/event-stream', `events: [{ raw: 'data: {"a"' }]`]
      : ['application/json', `body: '{"candidates": [{'`]
  const routes = [
    'models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    'models/gemini-2.5-flash:generateContent',
    'interactions',
  ]
  return tape(
    ...routes.map(
      path => `exchange: ${path === 'interactions' ? path : 'generate-content'}
match: route
request: { method: POST, url: 'https://generativelanguage.googleapis.com/v1/${path}' }
${response.replace('TYPE', type ?? '').replace('ANSWER', answer ?? '')}end: { how: ${response === '' ? 'upstream-error' : 'upstream-reset'} }
`,
    ),
  )
}

async function failureOf(ask: Ask, sdk: Sdk, baseUrl: string): Promise<unknown> {
  try {
    await ask(new sdk.GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } }))
    return undefined
  } catch (error) {
    return error
  }
}

describe.each(Object.entries(SDKS))('%s', (_, sdk) => {
  it.each(Object.entries(ASKS))(
    'is told within two seconds, at the first request, why %s is not there',
    { timeout: 2000 },
    async (_name, { ask, says }) => {
      await using server = await createReplayServer({ files: cassettes })
      const error = await failureOf(ask, sdk, server.url)
      expect(error).toBeInstanceOf(Error)
      const shown = error instanceof Error ? error.message : ''
      for (const words of ['This request is not on the recording: ', ...says]) expect(shown).toContain(words)
      expect(error).toMatchObject({ status: 400 })
      expect(server.report()).toMatchObject({ requests: 1, failures: [{ code: 'WIRETAPE_NO_MATCH' }] })
    },
  )

  const cuts = Object.entries(ENDS).flatMap(([end, response]) =>
    Object.entries(ASKS).map(([name, { ask }]) => ({ name, end, response, ask })),
  )
  it.each(cuts)(
    'fails within two seconds where $name $end',
    { timeout: 2000 },
    async ({ name, response, ask }) => {
      await using replaying = await startReplaying(
        cutOff(response, name.includes('stream') ? 'stream' : 'unary'),
      )
      expect(await failureOf(ask, sdk, replaying.server.url)).toBeInstanceOf(Error)
      expect(replaying.server.report().notes).toEqual([
        expect.stringContaining('then the connection was cut'),
      ])
    },
  )
})
