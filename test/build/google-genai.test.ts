/** The official SDK can't tell a cassette that was built from the service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GoogleGenAI, Modality, Type } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import {
  call,
  cassette,
  client,
  end,
  model,
  result,
  server,
  text,
  thought,
  user,
  type CassetteBuilder,
} from '../../src/build/entry.ts'
import { saved } from './saved.ts'

const MODEL = 'gemini-2.5-flash'
const TIDE = {
  name: 'get_tide',
  parameters: { type: Type.OBJECT, properties: { harbour: { type: Type.STRING } } },
}

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiretape-build-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs an app against a cassette, all of which it must ask for. */
async function run<Told>(
  name: string,
  tape: CassetteBuilder,
  app: (ai: GoogleGenAI) => Promise<Told>,
): Promise<Told> {
  await using replay = await createReplayServer({ files: [saved(folder, name, tape)] })
  const ai = new GoogleGenAI({
    apiKey: 'a-key-of-no-account',
    httpOptions: { baseUrl: replay.url, apiVersion: 'v1beta' },
  })
  const told = await app(ai)
  const { failures, leftovers } = await replay.close()
  expect({ failures, leftovers }).toEqual({ failures: [], leftovers: [] })
  return told
}

describe('a stream', () => {
  it('is read in its pieces, thoughts apart', async () => {
    const tape = cassette()
      .on(MODEL, 'Why is the sky blue?')
      .streams(thought('Let me think.'), 'Light', ' is scattered.')
    const told = await run('stream', tape, async ai => {
      const pieces: unknown[] = []
      const stream = await ai.models.generateContentStream({ model: MODEL, contents: 'Why is the sky blue?' })
      for await (const { candidates, usageMetadata } of stream) {
        const [candidate] = candidates ?? []
        pieces.push([candidate?.content?.parts, candidate?.finishReason, usageMetadata !== undefined])
      }
      return pieces
    })
    expect(told).toEqual([
      [[{ text: 'Let me think.', thought: true }], undefined, false],
      [[{ text: 'Light' }], undefined, false],
      [[{ text: ' is scattered.' }], 'STOP', true],
    ])
  })

  it('is an error where it is cut', async () => {
    const tape = cassette()
      .on(MODEL)
      .streams('Light', end({ how: 'upstream-reset' }))
    const told = await run('cut', tape, async ai => {
      const seen: unknown[] = []
      try {
        const stream = await ai.models.generateContentStream({ model: MODEL, contents: 'Anything?' })
        for await (const piece of stream) seen.push(piece.text)
      } catch (error) {
        seen.push(error instanceof Error)
      }
      return seen
    })
    expect(told).toEqual(['Light', true])
  })
})

describe('errors', () => {
  it('are what the SDK makes of them', async () => {
    const tape = cassette().on(MODEL).fails(429, 'No more.').on('GET models/m').fails(404)
    const told = await run('errors', tape, ai =>
      Promise.all([
        ai.models.generateContent({ model: MODEL, contents: 'Hi?' }).catch((error: unknown) => error),
        ai.models.get({ model: 'm' }).catch((error: unknown) => error),
      ]),
    )
    expect(told).toMatchObject([
      { status: 429, message: expect.stringContaining('No more.') },
      { status: 404, message: expect.stringContaining('NOT_FOUND') },
    ])
  })
})

describe('a tool turn', () => {
  it('gives the call with its signature, and takes both back', async () => {
    const question = user('When is high tide?')
    const config = { tools: [{ functionDeclarations: [TIDE] }], generationConfig: {} }
    const asked = call('get_tide', { harbour: 'Whitby' }, { signature: 'c2lnbmVk' })
    const gave = result(asked, { time: '16:42' })
    const tape = cassette()
      .on(MODEL, { contents: [question], ...config })
      .answers(asked)
      .on(MODEL, { contents: [question, model(asked), user(gave)], ...config })
      .answers(text('At 16:42.', { signature: 'c2lnbmVkIHRvbw==' }))
    const told = await run('tool-turn', tape, async ai => {
      const chat = ai.chats.create({ model: MODEL, config: { tools: [{ functionDeclarations: [TIDE] }] } })
      const first = await chat.sendMessage({ message: 'When is high tide?' })
      const [made] = first.functionCalls ?? []
      const functionResponse = {
        id: made?.id ?? '',
        name: made?.name ?? '',
        response: { time: '16:42' },
      }
      return (await chat.sendMessage({ message: [{ functionResponse }] })).text
    })
    expect(told).toBe('At 16:42.')
  })
})

describe('an interaction', () => {
  it('is streamed in steps, and asked for at once', async () => {
    const tape = cassette()
      .interaction('gemini-3-flash-preview', 'When is high tide?')
      .streams(thought('I look it up.', { signature: 'c2lnbmVk' }), call('get_tide', { harbour: 'Whitby' }))
      .interaction('gemini-3-flash-preview', 'And then?')
      .answers('At 16:42.')
    const told = await run('interactions', tape, async ai => {
      const stream = await ai.interactions.create({
        model: 'gemini-3-flash-preview',
        input: 'When is high tide?',
        stream: true,
      })
      const types: string[] = []
      for await (const event of stream) types.push(event.event_type)
      const whole = await ai.interactions.create({ model: 'gemini-3-flash-preview', input: 'And then?' })
      return [types.join(' '), whole.status, whole.output_text]
    })
    expect(told).toEqual([
      'interaction.created interaction.status_update step.start step.delta step.delta step.stop step.start step.delta step.stop interaction.completed',
      'completed',
      'At 16:42.',
    ])
  })
})

describe('a Live session', () => {
  it('is interrupted, heard, and closed', async () => {
    const sound = new Uint8Array(960).fill(3)
    const tape = cassette().live('gemini-live-2.5-flash-preview', [
      client.says('Count to a thousand.'),
      server.says('One,', ' two,'),
      server.audio(sound),
      client.says('Stop.'),
      server.interrupted(),
      server.turnComplete(),
      server.closes(1011, 'Internal error encountered.'),
    ])
    const seen = await run('live', tape, async ai => {
      const heard: unknown[] = []
      let wake = (): void => undefined
      let gone = (): void => undefined
      const turn = new Promise<void>(resolve => (wake = resolve))
      const closed = new Promise<void>(resolve => (gone = resolve))
      const session = await ai.live.connect({
        model: 'gemini-live-2.5-flash-preview',
        config: { responseModalities: [Modality.AUDIO] },
        callbacks: {
          onmessage: message => {
            const parts = message.serverContent?.modelTurn?.parts ?? []
            const data = parts[0]?.inlineData?.data
            heard.push(data === undefined ? message.serverContent : Buffer.from(data, 'base64').length)
            if (data !== undefined) wake()
          },
          onclose: ({ code, reason }) => {
            heard.push([code, reason])
            gone()
          },
        },
      })
      session.sendClientContent({ turns: 'Count to a thousand.' })
      await turn
      session.sendClientContent({ turns: 'Stop.' })
      await closed
      return JSON.parse(JSON.stringify(heard)) as unknown
    })
    expect(seen).toEqual([
      null,
      { modelTurn: { parts: [{ text: 'One,' }] } },
      { modelTurn: { parts: [{ text: ' two,' }] } },
      960,
      { interrupted: true },
      { turnComplete: true },
      [1011, 'Internal error encountered.'],
    ])
  })
})
