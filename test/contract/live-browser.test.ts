/** A page in Chromium has Live sessions with a replay, by the SDK's build for browsers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReplaying } from '../serve/replaying.ts'
import { hasChromium, openPages, type Pages } from './browser-page.ts'
import { closedWith, LIVE_CASSETTES } from './live-cassettes.ts'
import { LIVE_SEEN } from './live-seen.ts'
import { LIVE_NAMES } from './live-transcripts.ts'

describe.runIf(hasChromium)('a page in a browser', () => {
  let pages: Pages

  beforeAll(async () => {
    pages = await openPages('live-page.ts')
  }, 60_000)
  afterAll(() => pages?.close())

  const seenInPage = (name: (typeof LIVE_NAMES)[number], baseUrl: string): Promise<unknown> =>
    pages.call('run', [name, baseUrl])

  const whole = LIVE_NAMES.filter(name => name !== 'a close in mid-turn')
  it.each(whole)('has %s, message by message', async name => {
    await using replaying = await startReplaying(LIVE_CASSETTES[name])
    expect(await seenInPage(name, replaying.server.url)).toEqual(LIVE_SEEN[name])
    expect(await replaying.server.close()).toMatchObject({ failures: [], leftovers: [], notes: [] })
  })

  // A page decodes a binary message while the next event comes already: what came right before a close may be
  // seen after it, or, before the session has begun, be lost on the SDK's connect call, which rejects then.
  it('is told of a close and of a miss as any client is', async () => {
    await using replaying = await startReplaying(closedWith(1008, 'no such model'))
    const told = () => seenInPage('a close in mid-turn', replaying.server.url).then(String, String)
    expect(await told()).toContain('close 1008 no such model')
    expect(await told()).toContain('WIRETAPE_NO_MATCH: the one that is recorded had their turn')
    expect(replaying.server.failures).toMatchObject([{ code: 'WIRETAPE_NO_MATCH' }])
  })
})

describe.skipIf(hasChromium)('a page in a browser', () => {
  it('is not tested: there is no /usr/bin/chromium, which `apt-get install chromium` brings', () => {})
})
