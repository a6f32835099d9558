/**
 * Real sockets come back from record-then-replay frame for frame, with their opcodes and their close.
 *
 * The folder is named by `WIRETAPE_CORPUS`; where it is not set, these tests say that they are skipped.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { liveTrip, type CameFrame, type LiveTrip, type PlannedClose } from './live-round-trip.ts'
import { CORPUS } from './recordings.ts'
import { liveLogs, vercelLive, type CorpusSocket } from './sockets.ts'

/** What must be there: a number that shrinks in silence would make these tests say less than they seem to. */
const SETS = [
  { name: 'js-genai/live', read: liveLogs, sockets: 19, client: 37, server: 48 },
  { name: 'vercel/live', read: greeted, sockets: 1, client: 1, server: 15 },
]

/** The connections in which the service says something that is redacted. The corpus holds no session handles. */
const REDACTED: readonly string[] = []

/** How the connections end is not in the sources: each gets one of these. */
const CLOSES: readonly PlannedClose[] = [
  { by: 'client', code: undefined, reason: '' },
  { by: 'server', code: 1000, reason: '' },
  { by: 'client', code: 1000, reason: 'done' },
  { by: 'server', code: 1011, reason: 'Internal error encountered.' },
  { by: 'server', code: 1007, reason: 'Request contains an invalid argument.' },
  { by: 'server', code: undefined, reason: '' },
  { by: 'server', code: 1008, reason: 'süß '.repeat(20) },
]

const GEMINI = '//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=none'
const VERTEX = '//ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent'

/** What the service said, behind a setup of ours: the source has none. */
function greeted(corpus: string): readonly CorpusSocket[] {
  const setup = {
    at: 0,
    from: 'client',
    frame: 'text',
    bytes: Buffer.from('{"setup":{"model":"models/m"}}'),
  } as const
  return vercelLive(corpus).map(({ name, messages }) => ({ name, messages: [setup, ...messages] }))
}

const counted = new Map<string, { sockets: number; client: number; server: number }>()
const altered = new Set<string>()

function saidBy(side: 'client' | 'server', { messages }: CorpusSocket): readonly CameFrame[] {
  return messages
    .filter(({ from }) => from === side)
    .map(({ frame, bytes }) => ({ frame, bytes: Buffer.from(bytes) }))
}

/** As the recording may hold it. */
function redacted(frames: readonly CameFrame[]): readonly CameFrame[] {
  const redactor = createRedactor(SECRET_RULES)
  return frames.map(({ frame, bytes }) => ({ frame, bytes: Buffer.from(redactor.whole(bytes).bytes) }))
}

function same(frames: readonly CameFrame[], expected: readonly CameFrame[]): boolean {
  return (
    frames.length === expected.length &&
    frames.every(({ frame, bytes }, at) => frame === expected[at]?.frame && expected[at].bytes.equals(bytes))
  )
}

function check(socket: CorpusSocket, close: PlannedClose, trip: LiveTrip): void {
  const [asked, served] = [saidBy('client', socket), saidBy('server', socket)]
  const expected = redacted(served)
  if (!same(expected, served)) altered.add(socket.name)
  expect(same(trip.service.frames, asked), 'the proxy relayed what the client sent').toBe(true)
  expect(same(trip.recorded.frames, served), 'the proxy relayed what the upstream sent').toBe(true)
  expect(same(trip.replayed.frames, expected), 'the replay gave the frames that were sent').toBe(true)
  const end = { code: close.code ?? 1005, reason: close.reason }
  for (const seen of [trip.service, trip.recorded, trip.replayed]) expect(seen).toMatchObject(end)
}

function pathOf({ name }: CorpusSocket): string {
  return name.startsWith('live_Vertex_') ? VERTEX : GEMINI
}

describe.skipIf(CORPUS === undefined)('real sockets, replayed (skipped without WIRETAPE_CORPUS)', () => {
  describe.each(CORPUS === undefined ? [] : SETS)('$name', set => {
    const sockets = set.read(CORPUS ?? '').map((socket, index) => ({ socket, index, name: socket.name }))
    const sum = { sockets: 0, client: 0, server: 0 }
    counted.set(set.name, sum)

    it.each(sockets)('brings back $name', async ({ socket, index }) => {
      const close = CLOSES[index % CLOSES.length] ?? { by: 'client', code: 1000, reason: '' }
      check(socket, close, await liveTrip(socket.messages, close, pathOf(socket)))
      sum.sockets += 1
      for (const { from } of socket.messages) sum[from] += 1
    })

    it('is whole', () => {
      const { client, server } = set
      expect({ files: sockets.length, ...sum }).toEqual({
        files: set.sockets,
        sockets: set.sockets,
        client,
        server,
      })
    })
  })

  it('are redacted in the named ones only', () => {
    expect([...altered].toSorted()).toEqual(REDACTED)
  })

  it.each([
    { change: 'byte', altered: ({ bytes, ...rest }: CameFrame) => ({ ...rest, bytes: flipped(bytes) }) },
    { change: 'opcode', altered: ({ bytes }: CameFrame) => ({ bytes, frame: 'text' as const }) },
  ])('fail if one $change is another', async ({ altered: change }) => {
    const [socket] = liveLogs(CORPUS ?? '')
    if (socket === undefined) throw new Error('the corpus is empty')
    const close: PlannedClose = { by: 'server', code: 1000, reason: '' }
    const last = socket.messages.findLastIndex(({ from }) => from === 'server')
    const messages = socket.messages.map((message, index) =>
      index === last ? { ...message, ...change({ ...message, bytes: Buffer.from(message.bytes) }) } : message,
    )
    const trip = await liveTrip(messages, close, pathOf(socket))
    expect(() => check({ ...socket, messages }, close, trip)).not.toThrow()
    expect(() => check(socket, close, trip)).toThrow('the proxy relayed what the upstream sent')
    const hidden = { ...trip, recorded: { ...trip.recorded, frames: saidBy('server', socket) } }
    expect(() => check(socket, close, hidden)).toThrow('the replay gave the frames that were sent')
  })

  it('fail if the close is another', async () => {
    const [socket] = liveLogs(CORPUS ?? '')
    if (socket === undefined) throw new Error('the corpus is empty')
    const close: PlannedClose = { by: 'server', code: 1011, reason: 'a' }
    const trip = await liveTrip(socket.messages, close, pathOf(socket))
    expect(() => check(socket, { ...close, code: 1008 }, trip)).toThrow('1008')
    expect(() => check(socket, { ...close, reason: 'b' }, trip)).toThrow('reason')
  })

  afterAll(() => {
    const lines = [...counted].map(
      ([name, { sockets, client, server }]) =>
        `  ${name}: ${client} + ${server} messages of client and service on ${sockets} sockets`,
    )
    console.log(`corpus, recorded and replayed:\n${lines.join('\n')}`)
  })
})

/** Another letter in the middle of some text, so that it is the same kind of message. */
function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = copy.lastIndexOf('"') - 1
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
