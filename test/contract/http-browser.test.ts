/** A page of a dev server calls the recorder and the replay by the SDK's build for browsers, over HTTP. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as node from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecordServer } from '../../src/serve/record-server.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { startScriptedUpstream, type ScriptedUpstream } from '../peers/scripted-upstream.ts'
import { startReplaying } from '../serve/replaying.ts'
import { FOREIGN, hasChromium, openPages, type Pages } from './browser-page.ts'
import { answer } from './service.ts'
import { SCENARIOS } from './transcripts.ts'
import { upload } from './upload-cassette.ts'

describe.runIf(hasChromium)('a page in a browser', () => {
  let pages: Pages
  let upstream: ScriptedUpstream
  let folder: string

  beforeAll(async () => {
    pages = await openPages('http-page.ts')
    upstream = await startScriptedUpstream(answer)
    folder = await mkdtemp(join(tmpdir(), 'wiretape-page-'))
  }, 60_000)
  afterAll(async () => {
    await pages?.close()
    await upstream?.close()
    await rm(folder, { recursive: true })
  })

  const serviceAt = () => ({ upstream: upstream.url, vertexUpstream: upstream.url })
  const urlsOf = ({ url, vertexUrl }: { url: string; vertexUrl: string }) => ({ url, vertexUrl })

  it.each(Object.keys(SCENARIOS))('cannot tell the replay of %s from its recording', async name => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.cassette.yaml`)
    const before = upstream.seen.length
    const proxy = await createRecordServer({ file, ...serviceAt() })
    const recorded = await pages.call('run', [name, urlsOf(proxy)])
    const summary = await proxy.close()
    const asked = upstream.seen.slice(before)
    const replay = await createReplayServer({ files: [file] })
    const replayed = await pages.call('run', [name, urlsOf(replay)])
    const report = await replay.close()

    expect(replayed).toEqual(recorded)
    expect(report).toMatchObject({ failures: [], leftovers: [], notes: [], requests: asked.length })
    expect(summary.exchanges).toBe(asked.length)
    // What the browser asks for itself is no traffic of the app.
    expect(asked.filter(({ method }) => method === 'OPTIONS')).toEqual([])
    expect(await readFile(file, 'utf8')).not.toContain('access-control-allow')
  })

  it('replays what a program has recorded, and is told what is not on the recording', async () => {
    const file = join(folder, 'by-node.cassette.yaml')
    const proxy = await createRecordServer({ file, ...serviceAt() })
    const ai = new node.GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: proxy.url } })
    await ai.models.generateContent({ model: 'gemini-2.5-flash', contents: 'The weather?' })
    await proxy.close()
    const replay = await createReplayServer({ files: [file] })
    expect(await pages.call('ask', [replay.url, 'The weather?'])).toBe('Sunny.')
    expect(await pages.call('ask', [replay.url, 'The time?'])).toContain('WIRETAPE_NO_MATCH')
    expect(await replay.close()).toMatchObject({ requests: 2, failures: [{ code: 'WIRETAPE_NO_MATCH' }] })
  })

  it('reads the address that an upload goes on at, and goes on there', async () => {
    await using replaying = await startReplaying(upload('{"not": "a request"}'))
    expect(await pages.call('upload', [replaying.server.url, '{"not": "a request"}'])).toBe('files/abc')
    expect(await replaying.server.close()).toMatchObject({ requests: 2, failures: [], leftovers: [] })
  })

  it('of a foreign origin gets nothing, whether its browser asks first or not', async () => {
    await using replaying = await startReplaying(upload('{}'))
    const { url } = replaying.server
    expect(await pages.call('ask', [url, 'The weather?'], FOREIGN)).toContain('Failed to fetch')
    expect(await pages.call('post', [`${url}/upload/v1beta/files`], FOREIGN)).toContain('Failed to fetch')
    const { requests, notes } = await replaying.server.close()
    expect(requests).toBe(0)
    expect(notes).toContainEqual(expect.stringMatching(/^A page of http:\/\/foreign\.example:\d+ asks\./))
  })
})

describe.skipIf(hasChromium)('a page in a browser', () => {
  it('is not tested: there is no /usr/bin/chromium, which `apt-get install chromium` brings', () => {})
})
