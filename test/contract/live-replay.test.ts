/** The official SDK has Live sessions with a replay, and can't tell it from the service. */
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { describe, expect, it } from 'vitest'
import { startReplaying } from '../serve/replaying.ts'
import { closedWith, LIVE_CASSETTES } from './live-cassettes.ts'
import { LIVE_SEEN, opened, text } from './live-seen.ts'
import { LIVE_NAMES, LIVE_SCENARIOS, type LiveSdk } from './live-transcripts.ts'

const SDKS: Readonly<Record<string, LiveSdk>> = {
  '@google/genai 3': newest,
  '@google/genai 2': older as unknown as LiveSdk,
}

describe.each(Object.entries(SDKS))('%s', (_, sdk) => {
  it.each(LIVE_NAMES)('has %s, message by message', async name => {
    await using replaying = await startReplaying(LIVE_CASSETTES[name])
    expect(await LIVE_SCENARIOS[name](sdk, replaying.server.url)).toEqual(LIVE_SEEN[name])
    expect(await replaying.server.close()).toMatchObject({ failures: [], leftovers: [], notes: [] })
  })

  it.each([
    { code: 1000, reason: '' },
    { code: 1007, reason: 'Request contains an invalid argument.' },
    { code: 1008, reason: 'models/x is not found for API version v1beta' },
    { code: 1011, reason: 'Internal error encountered.' },
    { code: undefined, reason: '' },
  ])('is told of a close with $code and its reason', async ({ code, reason }) => {
    await using replaying = await startReplaying(closedWith(code, reason))
    const seen = await LIVE_SCENARIOS['a close in mid-turn'](sdk, replaying.server.vertexUrl)
    expect(seen).toEqual([...opened, text('On and'), `close ${code ?? 1005} ${reason}`.trimEnd()])
    expect(await replaying.server.close()).toMatchObject({ failures: [], leftovers: [] })
  })
})
