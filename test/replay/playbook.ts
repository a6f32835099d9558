/** Plays the carrier for a replay engine, turn by turn, with a clock that only the test moves. */
import { expect } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { createHttpReplay, type HttpReplayOptions } from '../../src/replay/http-replay.ts'
import type { Failure, ReplayCommand, ReplayInput } from '../../src/replay/http.ts'
import type { ReplayReport } from '../../src/replay/report.ts'
import { cassette, question, STREAM_PATH, UNARY_PATH } from './exchanges.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export interface Playbook {
  /** A request comes in. */
  asks(id: number, request?: Partial<Extract<ReplayInput, { type: 'request' }>>): Playbook
  /** A request comes in for a stream, or for a whole answer, with these words. */
  asksFor(kind: 'stream' | 'unary', words: string, id?: number): Playbook
  leaves(id: number): Playbook
  has(id: number): Playbook
  /** Time passes, and the timer goes off. */
  after(ms: number): Playbook
  /** The test lets the next thing go. */
  steps(): Playbook
  /** What the engine commanded in this turn, in short. */
  does(...lines: readonly string[]): Playbook
  /** The head that was sent in this turn. */
  head(): Extract<ReplayCommand, { type: 'head' }>
  /** The body that was sent in this turn. */
  body(): string
  /** The only failure of this turn. */
  failure(): Failure
  report(): ReplayReport
}

export interface PlaybookOptions extends Pick<
  HttpReplayOptions,
  'pace' | 'match' | 'ignore' | 'allow' | 'onMiss'
> {
  readonly file?: string
}

export function playbook(exchanges: readonly Exchange[], options: PlaybookOptions = {}): Playbook {
  const redactor = createRedactor(SECRET_RULES)
  const { file = 'test.cassette.yaml', ...how } = options
  const cassettes = [{ cassette: { ...cassette(...exchanges), file }, blobs: () => undefined }]
  const engine = createHttpReplay({ cassettes, redactor, ...how })
  const log: string[] = []
  let now = 1000
  let turn: readonly ReplayCommand[] = []

  function feed(input: ReplayInput): Playbook {
    turn = engine.handle(input, now)
    log.push(`>> ${input.type} @${now}`, ...turn.map(command => `<< ${short(command)}`))
    return play
  }

  const play: Playbook = {
    asks: (id, request = {}) =>
      feed({
        type: 'request',
        id,
        method: 'POST',
        url: `/v1beta${STREAM_PATH}`,
        headers: [],
        body: new Uint8Array(),
        origin: 'http://127.0.0.1:1',
        ...request,
      }),
    asksFor: (kind, words, id = 1) =>
      play.asks(id, {
        url: `/v1beta${kind === 'stream' ? STREAM_PATH : UNARY_PATH}`,
        body: encoder.encode(JSON.stringify(question(words))),
      }),
    leaves: id => feed({ type: 'gone', id }),
    has: id => feed({ type: 'sent', id }),
    after(ms) {
      now += ms
      return feed({ type: 'wake' })
    },
    steps: () => feed({ type: 'step' }),
    does(...lines) {
      expect(turn.map(short), `\n${log.join('\n')}\n`).toEqual(lines)
      return play
    },
    head() {
      const heads = turn.flatMap(command => (command.type === 'head' ? [command] : []))
      expect(heads).toHaveLength(1)
      return heads[0] as Extract<ReplayCommand, { type: 'head' }>
    },
    body: () => turn.map(command => (command.type === 'chunk' ? decoder.decode(command.bytes) : '')).join(''),
    failure() {
      const failures = turn.flatMap(command => (command.type === 'fail' ? [command.failure] : []))
      expect(failures).toHaveLength(1)
      return failures[0] as Failure
    },
    report: () => engine.report(),
  }
  return play
}

/** One command in one line. Events are known by the words in them. */
function short(command: ReplayCommand): string {
  switch (command.type) {
    case 'head':
      return `head ${command.id}: ${command.status}`
    case 'chunk': {
      const body = decoder.decode(command.bytes)
      return `chunk ${command.id}: ${/"text": "([^"]*)"/.exec(body)?.[1] ?? body.trim()}`
    }
    case 'end':
    case 'destroy':
      return `${command.type} ${command.id}`
    case 'wake':
      return `wake @${command.at}`
    case 'fail':
    case 'pass':
      return `${command.type} ${command.id}`
    case 'done':
      return `done ${command.id}: ${command.exchange.outcome}`
    case 'received':
      return `received ${command.id}: ${command.received.exchange}`
  }
}
