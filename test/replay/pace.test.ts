/** The order is the same at every pace: whatever is recorded, the same bytes come, in the same pieces. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange, SocketMessage } from '../../src/cassette/model.ts'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { createHttpReplay } from '../../src/replay/http-replay.ts'
import type { Pace, ReplayCommand } from '../../src/replay/http.ts'
import type { LiveCommand } from '../../src/replay/live.ts'
import { pacedGap } from '../../src/replay/pace.ts'
import { END_KINDS, type EndKind } from '../../src/wire/exchange.ts'
import { decodeUtf8, encodeUtf8 } from '../../src/wire/text.ts'
import { cassette, question, said, stream, STREAM_PATH } from './exchanges.ts'
import {
  client,
  closed,
  connection,
  ready,
  replayOf,
  said as says,
  server,
  setup,
  speech,
  URL,
} from './live-playbook.ts'

const factor = fc.double({ min: 0.01, max: 100, noNaN: true })
const pace: fc.Arbitrary<Pace> = fc.oneof(
  fc.constant<Pace>({ type: 'manual' }),
  fc.record({ type: fc.constant('factor' as const), factor }),
  fc.record({ type: fc.constant('factor' as const), factor, capMs: fc.nat(500) }),
)

const INSTANT: Pace = { type: 'instant' }

/** An answer: the pauses before its events, some of which are held; how it ends, and when. */
interface Answered {
  readonly gaps: readonly (readonly [number, boolean])[]
  readonly how: EndKind | undefined
  readonly rest: number
}

/** A message of a session, and the pause before it. */
interface Said {
  readonly gap: number
  readonly by: 'client' | 'server'
}

describe('answers', () => {
  const exchange: fc.Arbitrary<Answered> = fc.record({
    gaps: fc.array(fc.tuple(fc.nat(3_000), fc.boolean()), { maxLength: 6 }),
    how: fc.option(fc.constantFrom(...END_KINDS), { nil: undefined }),
    rest: fc.nat(3_000),
  })

  function recorded(words: string, { gaps: all, how, rest }: Answered): Exchange {
    let at = 10
    const events = all.map(([gap, hold], index) =>
      said(`${words} ${index}`, (at += gap), hold ? { hold } : {}),
    )
    return stream(words, events, { end: { at: at + rest, how } })
  }

  function transcripts(exchanges: readonly Exchange[], how: Pace): readonly (readonly string[])[] {
    const cassettes = [{ cassette: cassette(...exchanges), blobs: () => undefined }]
    const engine = createHttpReplay({ cassettes, redactor: createRedactor(SECRET_RULES), pace: how })
    const seen: string[][] = exchanges.map(() => [])
    let now = 0
    let wake: number | undefined
    function take(commands: readonly ReplayCommand[]): number {
      for (const command of commands) {
        if (command.type === 'wake') wake = command.at
        else seen[command.id]?.push(lineOf(command))
      }
      return commands.length
    }
    exchanges.forEach((_, id) => {
      const body = encodeUtf8(JSON.stringify(question(`q${id}`)))
      const url = `/v1beta${STREAM_PATH}`
      take(
        engine.handle(
          { type: 'request', id, method: 'POST', url, headers: [], body, origin: 'http://a' },
          now,
        ),
      )
    })
    while (wake !== undefined) {
      now = wake
      wake = undefined
      take(engine.handle({ type: 'wake' }, now))
    }
    while (take(engine.handle({ type: 'step' }, now)) > 0);
    return seen
  }

  it('are the same, each in its order, with the same edges and the same end', () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1, maxLength: 3 }), pace, (all, how) => {
        const exchanges = all.map((one, index) => recorded(`q${index}`, one))
        const atOnce = transcripts(exchanges, INSTANT)
        expect(atOnce.every(lines => lines.at(-1)?.startsWith('done'))).toBe(true)
        expect(transcripts(exchanges, how)).toEqual(atOnce)
      }),
    )
  })
})

describe('sockets', () => {
  const step: fc.Arbitrary<Said> = fc.record({
    gap: fc.nat(3_000),
    by: fc.constantFrom('client' as const, 'server' as const),
  })

  function recorded(steps: readonly Said[]): readonly SocketMessage[] {
    let at = 0
    return [
      client(setup, { at: 0 }),
      server(ready, { at: 0 }),
      ...steps.map(({ gap, by }, index) => {
        at += gap
        return by === 'client' ? client(says(`${index}`), { at }) : server(speech(`${index}`), { at })
      }),
      closed('server', 1011),
    ]
  }

  /** A client that says each thing when it has heard what came before it on the recording. */
  function transcript(messages: readonly SocketMessage[], how: Pace): readonly string[] {
    const replay = replayOf([connection(messages)], { pace: how })
    const seen: string[] = []
    let now = 0
    let wake: number | undefined
    function take(commands: readonly LiveCommand[]): number {
      const others = commands.filter(command => command.type !== 'wake')
      wake = commands.findLast(command => command.type === 'wake')?.at ?? wake
      seen.push(...others.map(lineOf))
      return others.length
    }
    take(replay.handle({ type: 'open', id: 1, url: URL, headers: [] }, now))
    for (const [index, { client: words }] of messages.entries()) {
      if (words?.type !== 'value') continue
      const before = messages.slice(0, index).filter(message => message.server !== undefined).length
      move(() => seen.filter(line => line.startsWith('send')).length < before)
      take(
        replay.handle(
          { type: 'message', id: 1, bytes: encodeUtf8(JSON.stringify(words.value)), frame: 'text' },
          now,
        ),
      )
    }
    move(() => !seen.some(line => line.startsWith('done')))
    return seen

    function move(more: () => boolean): void {
      while (more()) {
        if (take(replay.handle({ type: 'step' }, now)) > 0) continue
        if (wake === undefined) return
        now = wake
        wake = undefined
        take(replay.handle({ type: 'wake' }, now))
      }
    }
  }

  it('are the same', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), pace, (steps, how) => {
        const messages = recorded(steps)
        const atOnce = transcript(messages, INSTANT)
        expect(atOnce.at(-1)).toBe('done complete')
        expect(transcript(messages, how)).toEqual(atOnce)
      }),
    )
  })
})

describe('a recorded pause', () => {
  it('is divided, then capped; nothing waits at once and by hand', () => {
    expect(pacedGap({ type: 'factor', factor: 4 }, 1_000)).toBe(250)
    expect(pacedGap({ type: 'factor', factor: 4, capMs: 100 }, 1_000)).toBe(100)
    expect(pacedGap({ type: 'factor', factor: 4, capMs: 300 }, 1_000)).toBe(250)
    expect(pacedGap({ type: 'factor', factor: 1 }, -5)).toBe(0)
    expect(pacedGap(INSTANT, 1_000)).toBe(0)
    expect(pacedGap({ type: 'manual' }, 1_000)).toBe(0)
  })
})

function lineOf(command: ReplayCommand | LiveCommand): string {
  switch (command.type) {
    case 'chunk':
    case 'send':
      return `${command.type} ${decodeUtf8(command.bytes)}`
    case 'done':
      return `done ${command.exchange.outcome}`
    case 'fail':
    case 'pass':
      return `${command.type} ${command.failure.message}`
    case 'head':
    case 'end':
    case 'destroy':
    case 'wake':
    case 'accept':
    case 'refuse':
    case 'drain':
    case 'close':
    case 'drop':
    case 'received':
      return JSON.stringify(command)
  }
}
