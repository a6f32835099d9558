/** How a Live session that can't be had, or is left, reaches an app: soon, by its connect call or its callbacks. */
import * as newest from '@google/genai'
import * as older from 'genai-2'
import { describe, expect, it } from 'vitest'
import { startReplaying, tape } from '../serve/replaying.ts'
import { asks, OVER, READY, refused, says, setup, socket } from './live-cassettes.ts'
import { startLive, type LiveApp, type LiveSdk } from './live-transcripts.ts'

const SDKS: Readonly<Record<string, LiveSdk>> = {
  '@google/genai 3': newest,
  '@google/genai 2': older as unknown as LiveSdk,
}

/** Longer than any of these takes, and the most that an app may wait. */
const SOON = { timeout: 2_000 }

/** What becomes of the connect call, unless a close comes first, as with SDKs that forget the call then. */
function settled({ session, until }: LiveApp): Promise<string> {
  const call = session.then(
    () => 'connected',
    (error: unknown) => `rejected: ${error instanceof Error ? error.message : String(error)}`,
  )
  return Promise.race([call, until('close ').then(() => 'closed')])
}

const turn = tape(
  socket([
    setup(),
    READY,
    asks('Hello'),
    says('Hi.'),
    OVER,
    asks('More'),
    says('No.'),
    'close: { by: client }',
  ]),
)

describe.each(Object.entries(SDKS))('%s', (_, sdk) => {
  it('is connected and then told, where no recorded session begins so', SOON, async () => {
    await using replaying = await startReplaying(turn)
    const { seen, session, until } = startLive(sdk, replaying.server.url, { temperature: 0.5 })
    await session
    await until('close ')
    expect(seen).toEqual([
      'open',
      '{"setupComplete":{}}',
      expect.stringMatching(/^close 4404 WIRETAPE_NO_MATCH: \$\.setup\.generationConfig/),
    ])
    expect(replaying.server.failures).toMatchObject([{ code: 'WIRETAPE_NO_MATCH' }])
  })

  it('is told at once, where a message is not the recorded one', SOON, async () => {
    await using replaying = await startReplaying(turn)
    const { seen, session, until } = startLive(sdk, replaying.server.url)
    const live = await session
    live.sendClientContent({ turns: 'Good night' })
    await until('close ')
    expect(seen.at(-1)).toContain(
      'close 4404 WIRETAPE_NO_MATCH: message 3, $.clientContent.turns[0].parts[0].text',
    )
    expect(replaying.server.failures).toMatchObject([{ code: 'WIRETAPE_NO_MATCH' }])
  })

  it('is told after the stall time, where it does not send what is waited for', SOON, async () => {
    await using replaying = await startReplaying(turn, { stallMs: 200 })
    const { seen, session, until } = startLive(sdk, replaying.server.url)
    const live = await session
    live.sendClientContent({ turns: 'Hello' })
    await until('close ')
    expect(seen.at(-1)).toBe(
      'close 4408 WIRETAPE_STALL: serverContent.modelTurn waits for message 6, clientContent',
    )
    const [failure] = (await replaying.server.close()).failures
    expect(failure).toMatchObject({ code: 'WIRETAPE_STALL', details: { missing: [6] } })
    expect(failure?.message).toContain('came so far: setup, clientContent')
  })

  it.each([
    { what: 'nothing was answered', cassette: tape(refused('end: { how: upstream-error }\n')) },
    {
      what: 'it was refused',
      cassette: tape(
        refused('response: { status: 403, reason: Forbidden, body: { error: { code: 403 } } }\nend: {}\n'),
      ),
    },
    {
      what: 'it was dropped before anything came',
      cassette: tape(socket([setup()], 'end: { how: upstream-reset }')),
    },
    {
      what: 'it was closed before anything came',
      cassette: tape(socket([setup(), 'close: { by: server, code: 1008, reason: no such model }'])),
    },
  ])(
    'is told by its call or its callbacks that there is no session, where $what',
    SOON,
    async ({ cassette }) => {
      await using replaying = await startReplaying(cassette)
      const app = startLive(sdk, replaying.server.url)
      expect(await settled(app)).not.toBe('connected')
      await app.until('close ')
      expect(replaying.server.failures).toEqual([])
    },
  )

  it.each(['upstream-reset', 'truncated'])('sees a session drop that ended with %s', SOON, async how => {
    await using replaying = await startReplaying(
      tape(socket([setup(), READY, asks('Hello'), says('Hi')], `end: { how: ${how} }`)),
    )
    const { seen, session, until } = startLive(sdk, replaying.server.url)
    const live = await session
    live.sendClientContent({ turns: 'Hello' })
    await until('close ')
    expect(seen.slice(-2)).toEqual([expect.stringContaining('"Hi"'), 'close 1006'])
    expect((await replaying.server.close()).leftovers).toEqual([])
  })
})

describe('a cassette that is torn in a session', () => {
  it('is refused before any client can reach it', async () => {
    const torn = turn.slice(0, turn.indexOf('end:'))
    await expect(startReplaying(torn)).rejects.toMatchObject({ code: 'WIRETAPE_CASSETTE_INVALID' })
  })
})
