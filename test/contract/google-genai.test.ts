/**
 * The promise that matters most: the official SDK can't tell a replay from what was recorded.
 *
 * Each way of calling goes through the recording proxy to a plain upstream, and then against the cassette.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecordServer } from '../../src/serve/record-server.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { startScriptedUpstream, type ScriptedUpstream } from '../peers/scripted-upstream.ts'
import { answer } from './service.ts'
import { SCENARIOS, type Sdk } from './transcripts.ts'

const SDKS: Readonly<Record<string, Sdk>> = {
  '@google/genai 3': newest,
  '@google/genai 2': older as unknown as Sdk,
}

describe.each(Object.entries(SDKS))('%s', (_, sdk) => {
  let folder: string
  let upstream: ScriptedUpstream

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wiretape-contract-'))
    upstream = await startScriptedUpstream(answer)
  })
  afterAll(async () => {
    await upstream.close()
    await rm(folder, { recursive: true })
  })

  it.each(Object.entries(SCENARIOS))('cannot tell the replay of %s from its recording', async (name, run) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.cassette.yaml`)
    const before = upstream.seen.length
    const proxy = await createRecordServer({ file, upstream: upstream.url, vertexUpstream: upstream.url })
    const recorded = await run(sdk, proxy)
    const summary = await proxy.close()
    const requests = upstream.seen.length - before

    const replay = await createReplayServer({ files: [file] })
    const replayed = await run(sdk, replay)
    const report = await replay.close()

    expect(replayed).toEqual(recorded)
    expect(report.failures).toEqual([])
    expect(report.leftovers).toEqual([])
    expect({ recorded: summary.exchanges, replayed: report.requests }).toEqual({
      recorded: requests,
      replayed: requests,
    })
  })

  it('sees the same with the service as through the proxy', async () => {
    const proxy = await createRecordServer({
      file: join(folder, 'direct.cassette.yaml'),
      upstream: upstream.url,
      vertexUpstream: upstream.url,
    })
    for (const [name, run] of Object.entries(SCENARIOS)) {
      const service = { url: upstream.url, vertexUrl: upstream.url }
      expect(await run(sdk, proxy), name).toEqual(await run(sdk, service))
    }
    await proxy.close()
  })
})
