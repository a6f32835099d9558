/** A folder of cassettes behind one port: what its clients get, and what each replay's verdict says. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { GoogleGenAI, Modality } from '@google/genai'
import { describe, expect, it } from 'vitest'
import { createReplayFolder } from '../../src/serve/replay-folder.ts'
import { emptyFolder } from '../cli/spawned.ts'
import { asks, OVER, READY, says, setup, socket } from '../contract/live-cassettes.ts'
import { MODEL } from '../contract/live-transcripts.ts'
import { rawRequest } from '../peers/raw-client.ts'
import { answering, startFolder, verdict } from './folder-replaying.ts'
import { askedExchange, BODY, PATH, tape } from './replaying.ts'
import { PATH as SOCKET_PATH, watch } from './socket-replaying.ts'

const SHIPPED = resolve(import.meta.dirname, '../../cassettes')

async function ask(url: string, name: string, body = BODY): Promise<string> {
  return (await fetch(`${url}/t/${name}${PATH}`, { method: 'POST', body })).text()
}

describe('each cassette', () => {
  it('answers at a base URL of its own, on both ports', async () => {
    await using server = await startFolder({ sea: answering('salt'), 'deep/sea bed': answering('sand') })
    expect(await ask(server.url, 'sea')).toBe('salt')
    expect(await ask(server.vertexUrl, 'deep/sea%20bed')).toBe('sand')
    expect(await verdict(server.url, 'sea')).toMatchObject({
      ok: true,
      message: '',
      failures: [],
      leftovers: [],
    })
    expect(await verdict(server.url, 'deep/sea%20bed')).toMatchObject({ ok: true, name: 'deep/sea bed' })
    expect(await server.close()).toMatchObject({
      cassettes: 2,
      exchanges: 2,
      played: 2,
      failures: [],
      leftovers: [],
    })
  })

  it('lets the official SDK stream from it, and talk on a socket', async () => {
    await using server = await createReplayFolder({ folder: SHIPPED })
    const client = (name: string) =>
      new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: `${server.url}/t/${name}` } })
    const stream = await client('streamed-answer').models.generateContentStream({
      model: 'gemini-2.5-flash',
      contents: 'Why is the sea salty?',
      config: { temperature: 0.5, maxOutputTokens: 64 },
    })
    let text = ''
    for await (const chunk of stream) text += chunk.text
    expect(text).toContain('leaves the salt behind.')

    const code = await new Promise<number>((closed, failed) => {
      const callbacks = { onmessage: () => {}, onclose: (event: { code: number }) => closed(event.code) }
      client('live-close-1000@mine')
        .live.connect({
          model: 'gemini-live-2.5-flash-preview',
          config: { responseModalities: [Modality.TEXT] },
          callbacks,
        })
        .then(connected => {
          connected.sendClientContent({ turns: 'Read me the shipping forecast.', turnComplete: true })
        })
        .catch(failed)
    })
    expect(code).toBe(1000)
    expect(await verdict(server.url, 'streamed-answer')).toMatchObject({ ok: true })
    expect(await verdict(server.url, 'live-close-1000@mine')).toMatchObject({
      ok: true,
      name: 'live-close-1000@mine',
    })
  })

  it('gives its client upload addresses that lead back to it', async () => {
    const exchange = askedExchange(
      `response: { status: 200, headers: { x-goog-upload-url: 'https://upload.wiretape.invalid/upload/v1/f?id=1' } }\nend: {}\n`,
    )
    await using server = await startFolder({ up: tape(exchange) })
    const { headers } = await fetch(`${server.url}/t/up@a%20b${PATH}`, { method: 'POST', body: BODY })
    expect(headers.get('x-goog-upload-url')).toBe(`${server.url}/t/up@a%20b/upload/v1/f?id=1`)
  })

  it('is read when it is first asked for, also one that was recorded since', async () => {
    const folder = emptyFolder()
    const record = (name: string) => writeFileSync(join(folder, `${name}.cassette.yaml`), answering(name))
    record('early')
    await using server = await createReplayFolder({ folder })
    record('late')
    expect(await ask(server.url, 'late')).toBe('late')
  })

  it('answers a request for a socket that is none of the API as HTTP', async () => {
    await using server = await startFolder({
      sea: tape(askedExchange('response: { status: 200 }\nend: {}\n')),
    })
    const response = await rawRequest(server.url, {
      method: 'GET',
      path: '/t/sea/v1beta/files',
      headers: {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
    })
    expect(response.status).toBe(400)
    expect(response.body.toString()).toContain('WIRETAPE_NO_MATCH')
  })
})

describe('a replay', () => {
  it('is begun anew by POST, and the one before is reported all the same', async () => {
    await using server = await startFolder({ sea: answering('salt') })
    expect(await ask(server.url, 'sea')).toBe('salt')
    expect(await ask(server.url, 'sea')).toContain('WIRETAPE_NO_MATCH')
    await fetch(`${server.url}/__wiretape__/sea`, { method: 'POST' })
    expect(await ask(server.url, 'sea')).toBe('salt')
    expect(await verdict(server.url, 'sea')).toMatchObject({ ok: true })
    expect(await server.close()).toMatchObject({
      replays: [
        { name: 'sea', failures: [{ code: 'WIRETAPE_NO_MATCH' }] },
        { name: 'sea', failures: [] },
      ],
    })
  })

  it('is its own for each run, however many go on at once', async () => {
    await using server = await startFolder({ sea: answering('salt') })
    const runs = ['sea', 'sea@1', 'sea@tests%2Fa%5B1%5D', 'sea@4']
    expect(await Promise.all(runs.map(run => ask(server.url, run)))).toEqual(runs.map(() => 'salt'))
    const verdicts = await Promise.all(runs.map(run => verdict(server.url, run)))
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, true, true, true])
  })

  it('fails by what its own client did, with the text that a person needs', async () => {
    await using server = await startFolder({ sea: answering('salt'), land: answering('sand') })
    await ask(server.url, 'sea', '{"contents":[1]}')
    await ask(server.url, 'land')
    const { ok, code, message } = await verdict(server.url, 'sea')
    expect({ ok, code }).toEqual({ ok: false, code: 'WIRETAPE_NO_MATCH' })
    expect(message).toContain('This request is not on the recording:')
    expect(message).toContain('was never asked for')
    expect(await verdict(server.url, 'land')).toMatchObject({ ok: true })
  })

  it('tells its verdict as text to languages that have no JSON: nothing where all went well', async () => {
    await using server = await startFolder({ sea: answering('salt') })
    const told = async (name: string) =>
      (await fetch(`${server.url}/__wiretape__/${name}`, { headers: { accept: 'text/plain' } })).text()
    await ask(server.url, 'sea@1')
    expect(await told('sea@1')).toBe('')
    expect(await told('sea@2')).toMatch(/^The recording was not used up/)
    expect(await told('see')).toMatch(/^There is no cassette at /)
  })

  it('fails where its verdict is asked for and nothing else was', async () => {
    await using server = await startFolder({ sea: answering('salt') })
    const { ok, message } = await verdict(server.url, 'sea')
    expect(ok).toBe(false)
    expect(message).toContain('Did the app use what it was given, e.g. the base URL?')
  })

  it('waits for a request whose body is still on its way', async () => {
    await using server = await startFolder({ sea: answering('salt'), land: answering('sand') })
    const headers = { expect: '100-continue', 'content-length': BODY.length }
    const asking = request(`${server.url}/t/sea${PATH}`, { method: 'POST', headers })
    const answered = once(asking, 'response')
    asking.flushHeaders()
    await once(asking, 'continue')
    const told = verdict(server.url, 'sea')
    await verdict(server.url, 'land')
    asking.end(BODY)
    await answered
    expect(await told).toMatchObject({ ok: true, played: 1, requests: 1 })
  })

  it('is over when its verdict is told: a socket that is still open is cut', async () => {
    const talk = socket([setup(), READY, asks('Hello'), says('Hi.'), OVER, 'close: { by: client }'])
    await using server = await startFolder({ talk: tape(talk) })
    const client = watch(`${server.url.replace('http', 'ws')}/t/talk${SOCKET_PATH}`)
    client.say({ setup: { model: `models/${MODEL}` } })
    await client.until(1)
    const { ok, message } = await verdict(server.url, 'talk')
    expect(ok).toBe(false)
    expect(message).toContain('never sent by the client: message 3')
    await client.over()
  })
})

describe('a cassette with a mistake', () => {
  it('fails those who use it with its own error, and nobody else', async () => {
    const failures: unknown[] = []
    await using server = await startFolder(
      { bad: answering('salt').replace('status', 'statsu'), good: answering('sand') },
      { onFailure: (name, { code }) => failures.push([name, code]) },
    )
    expect(await ask(server.url, 'good')).toBe('sand')
    const response = await fetch(`${server.url}/t/bad${PATH}`, { method: 'POST', body: BODY })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Did you mean `status`?')
    const refused = watch(`${server.url.replace('http', 'ws')}/t/bad${SOCKET_PATH}`)
    expect(await refused.over()).toEqual(['refused 400', 'close 1006'])
    const { ok, code, message } = await verdict(server.url, 'bad')
    expect({ ok, code }).toEqual({ ok: false, code: 'WIRETAPE_CASSETTE_INVALID' })
    expect(message).toContain('bad.cassette.yaml:8:13')
    expect(failures).toEqual([['bad', 'WIRETAPE_CASSETTE_INVALID']])
    expect(await server.close()).toMatchObject({ replays: [{ name: 'good' }, { name: 'bad', requests: 2 }] })
  })
})

describe('a folder without cassettes', () => {
  it('is refused at once', async () => {
    await expect(createReplayFolder({ folder: emptyFolder() })).rejects.toMatchObject({
      code: 'WIRETAPE_USAGE',
    })
  })
})
