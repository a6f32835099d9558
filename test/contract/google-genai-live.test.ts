/**
 * The official SDK's Live sessions go through the recording proxy to a plain service, and then against the
 * cassette: an app can't tell one from the other, nor from the service itself.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecordServer } from '../../src/serve/record-server.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { HANDLE, startLiveService, startRefusingService, type LiveService } from './live-service.ts'
import { LIVE_SCENARIOS, startLive, type LiveScenario, type LiveSdk } from './live-transcripts.ts'

const SDKS: Readonly<Record<string, LiveSdk>> = {
  '@google/genai 3': newest,
  '@google/genai 2': older as unknown as LiveSdk,
}

/** What an app sees of a session until it is closed, whatever becomes of its connect call. */
async function untilClosed(...[sdk, url]: Parameters<LiveScenario>): Promise<readonly string[]> {
  const { seen, session, until } = startLive(sdk, url, {})
  session.catch(() => {})
  await until('close ')
  return seen
}

async function interrupted(...[sdk, url]: Parameters<LiveScenario>): Promise<readonly string[]> {
  const { seen, session, until } = startLive(sdk, url, {})
  const live = await session
  live.sendClientContent({ turns: 'Count to a thousand.' })
  await until('One, two')
  live.sendClientContent({ turns: 'Stop.' })
  await until('turnComplete')
  live.close()
  await until('close ')
  return seen
}

async function hungUp(...[sdk, url]: Parameters<LiveScenario>): Promise<readonly string[]> {
  const { seen, session, until } = startLive(sdk, url, {})
  const live = await session
  live.sendClientContent({ turns: 'Hang up.' })
  await until('close ')
  return seen
}

async function unknownModel(...[sdk, url]: Parameters<LiveScenario>): Promise<readonly string[]> {
  const { seen, session, until } = startLive(sdk, url, { systemInstruction: 'invalid-model' })
  session.catch(() => {})
  await until('close ')
  return seen
}

interface Story {
  readonly run: LiveScenario
  readonly sockets: number
  /** The last thing that the app sees. */
  readonly last: string
}

const STORIES: Readonly<Record<string, Story>> = {
  ...Object.fromEntries(
    Object.entries(LIVE_SCENARIOS).map(([name, run]) => [
      name,
      {
        run,
        sockets: name === 'a session that is resumed' ? 2 : 1,
        last: name === 'a close in mid-turn' ? 'close 1011 Internal error encountered.' : 'close 1005',
      },
    ]),
  ),
  'a turn that is interrupted': { run: interrupted, sockets: 1, last: 'close 1005' },
  'a setup that is closed': {
    run: unknownModel,
    sockets: 1,
    last: 'close 1008 models/invalid-model is not found for API version v1beta',
  },
  'a connection that is lost': { run: hungUp, sockets: 1, last: 'close 1006' },
}

describe.each(Object.entries(SDKS))('%s', (_, sdk) => {
  let folder: string
  let service: LiveService
  let refusing: LiveService

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wiretape-contract-'))
    service = await startLiveService()
    refusing = await startRefusingService()
  })
  afterAll(async () => {
    await service.close()
    await refusing.close()
    await rm(folder, { recursive: true })
  })

  /** The story with the service itself, through the proxy, and with the replay. */
  async function told(name: string, run: LiveScenario, { url }: LiveService) {
    const file = join(folder, `${name.replaceAll(' ', '-')}.cassette.yaml`)
    const direct = await run(sdk, url)
    const proxy = await createRecordServer({ file, upstream: url, vertexUpstream: url })
    const recorded = await run(sdk, proxy.url)
    const summary = await proxy.close()
    const replay = await createReplayServer({ files: [file] })
    const replayed = await run(sdk, replay.url)
    const report = await replay.close()
    expect(report).toMatchObject({ failures: [], leftovers: [], notes: [] })
    expect(report.requests).toBe(summary.exchanges)
    return { direct, recorded, replayed, sockets: summary.exchanges }
  }

  it.each(Object.entries(STORIES))('cannot tell the replay of %s from its recording', async (name, story) => {
    const { direct, recorded, replayed, sockets } = await told(name, story.run, service)
    expect(recorded).toEqual(direct)
    // The one thing that a recording does not give away.
    expect(replayed).toEqual(recorded.map(seen => seen.replaceAll(HANDLE, 'redacted-session-handle-1')))
    expect([sockets, recorded.at(-1)]).toEqual([story.sockets, story.last])
  })

  it('cannot tell the replay of a session that is refused from its recording', async () => {
    const { direct, recorded, replayed } = await told('refused', untilClosed, refusing)
    expect(recorded).toEqual(direct)
    expect(replayed).toEqual(recorded)
    expect(recorded).toEqual(['error Unexpected server response: 403', 'close 1006'])
  })
})
