/** What is true of one carrier of sockets is true of all. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ReplaySessionOptions } from '../../src/serve/replay-session.ts'
import { asks, closedWith, OVER, READY, refused, says, setup, socket } from '../contract/live-cassettes.ts'
import { MODEL } from '../contract/live-transcripts.ts'
import { cassetteFile, tape } from '../serve/replaying.ts'
import { compact } from '../serve/socket-replaying.ts'
import { SOCKET_CARRIERS, type SocketClient, type SocketReplay } from './socket-carriers.ts'

const SETUP = JSON.stringify({ setup: { model: `models/${MODEL}` } })
const asking = (text: string): string =>
  JSON.stringify({ clientContent: { turns: [{ parts: [{ text }], role: 'user' }], turnComplete: true } })
const ready = '{"setupComplete":{}}'
const saying = (text: string): string => `{"serverContent":{"modelTurn":{"parts":[{"text":"${text}"}]}}}`
const over = '{"serverContent":{"turnComplete":true}}'

/** The spelling is compared where it matters. */
const brief = (seen: readonly string[]): string[] =>
  seen.map(text => {
    const [, kind = '', payload = ''] = /^(text|binary) (.*)$/s.exec(text) ?? []
    return kind === '' ? text : `${kind} ${compact(payload)}`
  })

describe.each(SOCKET_CARRIERS)('$name', ({ open, errors, speaks }) => {
  async function play(yaml: string, options: ReplaySessionOptions = {}): Promise<SocketReplay> {
    const replay = await open([await cassetteFile(yaml)], options)
    onTestFinished(async () => void (await replay.close(0)))
    return replay
  }

  /** Opens a socket and sets it up. */
  async function begin(replay: SocketReplay): Promise<SocketClient> {
    const client = replay.connect()
    await client.until(1)
    client.say(SETUP)
    return client
  }

  const lost = errors === 'whatwg' ? ['error', 'close 1006'] : ['close 1006']

  it('gives a session message by message, in the recorded frames, when the client has said its part', async () => {
    const replay = await play(
      tape(
        socket([
          setup(),
          READY,
          asks('Hello'),
          `${says('Hi.')}\n    frame: text`,
          OVER,
          'close: { by: client }',
        ]),
      ),
    )
    const client = await begin(replay)
    expect(brief(await client.until(2))).toEqual(['open', `binary ${ready}`])
    client.say(asking('Hello'))
    await client.until(4)
    client.close()
    expect(brief(await client.over())).toEqual([
      'open',
      `binary ${ready}`,
      `text ${saying('Hi.')}`,
      `binary ${over}`,
      'close 1005',
    ])
    expect(await replay.close()).toMatchObject({
      played: 1,
      requests: 1,
      failures: [],
      leftovers: [],
      notes: [],
    })
  })

  it('gives the bytes that were recorded, whatever they are', async () => {
    const replay = await play(
      tape(
        socket([
          setup(),
          READY,
          `server: '{"odd":   "ö"}'\n    frame: text`,
          'server-base64: AP8=',
          'close: { by: server, code: 1000, reason: bye }',
        ]),
      ),
    )
    const client = await begin(replay)
    expect((await client.over()).slice(2)).toEqual([
      'text {"odd":   "ö"}',
      'binary \0\u00ff',
      'close 1000 bye',
    ])
  })

  it.runIf(speaks === 'all')('takes text and binary messages alike', async () => {
    const replay = await play(tape(socket([setup(), READY, asks('Hello'), OVER, 'close: { by: client }'])))
    const client = replay.connect()
    await client.until(1)
    client.say(new Uint8Array(Buffer.from(SETUP)))
    await client.until(2)
    client.say(asking('Hello'))
    await client.until(3)
    client.close()
    await client.over()
    expect(await replay.close()).toMatchObject({ failures: [], leftovers: [] })
  })

  it.each([
    [1000, ''],
    [1007, 'Request contains an invalid argument.'],
    [1008, 'models/x is not found'],
    [1011, 'Internal error encountered.'],
    [undefined, ''],
  ] as const)('tells of a close by the service with code %s', async (code, reason) => {
    const replay = await play(closedWith(code, reason))
    const client = await begin(replay)
    await client.until(2)
    client.say(asking('Go on for ever.'))
    expect(brief(await client.over()).slice(2)).toEqual([
      `binary ${saying('On and')}`,
      `close ${code ?? 1005} ${reason}`.trimEnd(),
    ])
    expect(await replay.close()).toMatchObject({ failures: [], leftovers: [] })
  })

  it('is cut where it was cut', async () => {
    const replay = await play(
      tape(socket([setup(), READY, asks('Hello'), says('H')], 'end: { how: upstream-reset }')),
    )
    const client = await begin(replay)
    await client.until(2)
    client.say(asking('Hello'))
    expect(brief(await client.over()).slice(2)).toEqual([`binary ${saying('H')}`, ...lost])
  })

  it('closes with 4404 on what is not on the recording, after a message that settles the client', async () => {
    const replay = await play(tape(socket([setup(), READY, asks('Hello'), OVER, 'close: { by: client }'])))
    const client = await begin(replay)
    await client.until(2)
    client.say(asking('Good night'))
    const seen = brief(await client.over())
    expect(seen.slice(0, 2)).toEqual(['open', `binary ${ready}`])
    expect(seen.at(-1)).toMatch(/^close 4404 WIRETAPE_NO_MATCH/)
    expect((await replay.close()).failures).toMatchObject([{ code: 'WIRETAPE_NO_MATCH' }])
  })

  it('greets and refuses a client whose first message is not on the recording', async () => {
    const replay = await play(tape(socket([setup(), READY, 'close: { by: client }'])))
    const client = replay.connect()
    await client.until(1)
    client.say('{"setup":{"model":"models/other"}}')
    const seen = brief(await client.over())
    expect(seen[1]).toBe(`binary ${ready}`)
    expect(seen.at(-1)).toMatch(/^close 4404 /)
    const { failures, leftovers } = await replay.close()
    expect({ failures, leftovers }).toMatchObject({
      failures: [{ code: 'WIRETAPE_NO_MATCH' }],
      leftovers: [{ kind: 'never-asked' }],
    })
  })

  it('closes with 4408 where what the recording waits for never comes', async () => {
    const replay = await play(
      tape(socket([setup(), READY, asks('Hello'), says('Hi.'), OVER, 'close: { by: client }'])),
      {
        stallMs: 50,
      },
    )
    const client = await begin(replay)
    expect(brief(await client.over()).at(-1)).toMatch(/^close 4408 WIRETAPE_STALL/)
    expect((await replay.close()).failures).toMatchObject([{ code: 'WIRETAPE_STALL' }])
  })

  it('is refused as it was refused', async () => {
    const replay = await play(tape(refused('response: { status: 429, body: slow down }\nend: {}\n')))
    expect(await replay.connect().over()).toEqual(['error', 'close 1006'])
    expect(await replay.close()).toMatchObject({ played: 1, failures: [], leftovers: [] })
  })

  it('is refused at an address that no recording and no API has, as any other request', async () => {
    const replay = await play(tape())
    expect(await replay.connect('/ws/elsewhere').over()).toEqual(['error', 'close 1006'])
    expect((await replay.close()).failures).toMatchObject([
      { code: 'WIRETAPE_NO_MATCH', details: { operation: 'GET ws/elsewhere' } },
    ])
  })

  it('reports a client that leaves while more is to come', async () => {
    const replay = await play(
      tape(socket([setup(), READY, asks('Hello'), says('a'), OVER, 'close: { by: client }'])),
    )
    const client = await begin(replay)
    await client.until(2)
    client.close()
    expect((await client.over()).at(-1)).toBe('close 1005')
    expect((await replay.close()).leftovers).toMatchObject([{ number: 1 }])
  })

  it.runIf(speaks === 'all')('closes with the code and the reason that the client gives', async () => {
    const replay = await play(
      tape(socket([setup(), READY, 'close: { by: client, code: 4001, reason: enough }'])),
    )
    const client = await begin(replay)
    await client.until(2)
    client.close(4001, 'enough')
    expect((await client.over()).at(-1)).toBe('close 4001 enough')
    expect(await replay.close()).toMatchObject({ failures: [], leftovers: [] })
  })

  it('is lost, and says so, where the replay ends before it', async () => {
    const replay = await play(tape(socket([setup(), READY, asks('Hello'), OVER, 'close: { by: client }'])))
    const client = await begin(replay)
    await client.until(2)
    const [report] = await Promise.all([replay.close(0), client.over()])
    expect(client.seen.slice(2)).toEqual(lost)
    expect(report.leftovers).toMatchObject([{ number: 1 }])
  })

  it('loses nothing of a long answer', async () => {
    const words = 'x'.repeat(60_000)
    const replay = await play(
      tape(
        socket([
          setup(),
          READY,
          asks('Hello'),
          ...Array.from({ length: 60 }, () => says(words)),
          OVER,
          'close: { by: client }',
        ]),
      ),
    )
    const client = await begin(replay)
    await client.until(2)
    client.say(asking('Hello'))
    const seen = brief(await client.until(63))
    expect(seen.slice(2, -1)).toEqual(Array(60).fill(`binary ${saying(words)}`))
    expect(seen.at(-1)).toBe(`binary ${over}`)
    client.close()
    await client.over()
    expect(await replay.close()).toMatchObject({ failures: [], leftovers: [] })
  })

  it.each([{ type: 'instant' }, { type: 'factor', factor: 1 }, { type: 'factor', factor: 20 }] as const)(
    'keeps the order at pace %j',
    async pace => {
      const late = [10, 15, 15, 25].map((at, n) => `{ at: ${at}, ${says(`n${n}`)} }`)
      const replay = await play(
        tape(
          socket([
            `{ at: 0, ${setup()} }`,
            `{ at: 5, ${READY} }`,
            ...late,
            'close: { by: server, code: 1000 }',
          ]),
        ),
        { pace },
      )
      const client = await begin(replay)
      expect(brief(await client.over())).toEqual([
        'open',
        `binary ${ready}`,
        ...late.map((_, n) => `binary ${saying(`n${n}`)}`),
        'close 1000',
      ])
    },
  )

  it('lets one message go for each step', async () => {
    const replay = await play(
      tape(
        socket([setup(), READY, asks('Hello'), says('a'), says('b'), 'close: { by: server, code: 1000 }']),
      ),
      { pace: { type: 'manual' } },
    )
    const client = await begin(replay)
    expect((await replay.step())?.type).toBe('message')
    expect(brief(await client.until(2))).toEqual(['open', `binary ${ready}`])
    client.say(asking('Hello'))
    expect((await replay.step())?.type).toBe('message')
    expect(brief(await client.until(3)).at(-1)).toBe(`binary ${saying('a')}`)
    await replay.step()
    await replay.step()
    expect(brief(await client.over()).slice(3)).toEqual([`binary ${saying('b')}`, 'close 1000'])
  })

  it('has nothing happen inside a call of the client', async () => {
    const replay = await play(tape(socket([setup(), READY, 'close: { by: server, code: 1000 }'])))
    const client = replay.connect()
    expect(client.seen).toEqual([])
    await client.until(1)
    client.say(SETUP)
    expect(client.seen).toEqual(['open'])
    await vi.waitFor(() => expect(client.seen).toHaveLength(3))
  })
})

it('has the same report on every carrier: failures, leftovers, word by word', async () => {
  const talk = socket([setup(), READY, asks('Hello'), says('Hi.'), OVER, 'close: { by: client }'])
  const file = await cassetteFile(tape(talk, talk, talk))
  const reports: unknown[] = []
  for (const { open } of SOCKET_CARRIERS) {
    const replay = await open([file])
    for (const said of ['Good night', undefined]) {
      const client = replay.connect()
      await client.until(1)
      client.say(SETUP)
      await client.until(2)
      if (said === undefined) client.close()
      else client.say(asking(said))
      await client.over()
    }
    reports.push(await replay.close())
  }
  expect(reports[0]).toMatchObject({
    requests: 2,
    failures: [{ code: 'WIRETAPE_NO_MATCH' }],
    leftovers: [{ number: 2 }, { number: 3, kind: 'never-asked' }],
  })
  for (const report of reports) expect(report).toEqual(reports[0])
})
