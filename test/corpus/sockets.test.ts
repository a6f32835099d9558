/**
 * Real sockets come back from journal and cassette frame for frame.
 *
 * The folder is named by `WIRETAPE_CORPUS`; where it is not set, these tests say that they are skipped.
 */
import { describe, expect, it } from 'vitest'
import { blobsIn } from '../../src/cassette/blobs.ts'
import { composeExchange } from '../../src/cassette/compose.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { playExchange } from '../../src/cassette/play.ts'
import { renderCassette } from '../../src/cassette/render.ts'
import { liveHandshake } from '../../src/dialect/live.ts'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { encodeRecords, readJournal } from '../../src/record/journal.ts'
import { createObserver, type RecordInput } from '../../src/record/observe.ts'
import { transcribe } from '../../src/record/transcribe.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import type { WireMessage, WireSocket } from '../../src/wire/exchange.ts'
import { CORPUS } from './recordings.ts'
import { liveLogs, vercelLive, type CorpusSocket } from './sockets.ts'

const SETS = [
  { name: 'js-genai/live', read: liveLogs, sockets: 19, client: 37, server: 48, blobs: 8 },
  { name: 'vercel/live', read: vercelLive, sockets: 1, client: 0, server: 15, blobs: 0 },
]

/** Vertex has the project in the model's name. Nothing else in these messages is redacted. */
function namesProject(name: string): boolean {
  return name.startsWith('live_Vertex_')
}

const url =
  'wss://generativelanguage.googleapis.com/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** What a connection becomes on its way through journal and cassette. */
function recordedAndRead({ messages }: CorpusSocket): {
  readonly socket: WireSocket
  readonly blobs: number
} {
  const observer = createObserver(createRedactor(SECRET_RULES))
  const inputs: readonly RecordInput[] = [
    { type: 'request', method: 'GET', url, headers: [] },
    { type: 'open' },
    ...messages.map(message => ({ type: 'message', ...message }) as const),
    { type: 'close', by: 'server', code: 1000, reason: '' },
    { type: 'end', how: undefined, trailers: [] },
  ]
  const records = inputs
    .flatMap((input, now) => observer.observe(input, now))
    .flatMap(command => {
      if (command.type === 'refuse') throw new Error(`refused: ${command.kind}`)
      return command.records
    })
  const journal = Buffer.concat(encodeRecords(records))
  const transcript = transcribe(readJournal(journal, 'journal').records)
  if (transcript === undefined) throw new Error('no transcript')
  const composed = composeExchange(transcript.exchange, liveHandshake, () => 'never', 1)
  const text = renderCassette([
    { type: 'header', header: { cassette: 1 } },
    { type: 'exchange', exchange: composed.exchange },
  ])
  const [, document] = parseCassette(text, { file: 'corpus.cassette.yaml' }).documents
  if (document?.type !== 'exchange') throw new Error('no exchange')
  const blobs = blobsIn(new Map(composed.blobs.map(({ name, bytes }) => [name, bytes])))
  const { socket } = playExchange(document.exchange, liveHandshake, blobs)
  if (socket === undefined) throw new Error('no socket')
  return { socket, blobs: composed.blobs.length }
}

function redacted(messages: readonly WireMessage[]): readonly Buffer[] {
  const redactor = createRedactor(SECRET_RULES)
  return messages.map(({ bytes }) => Buffer.from(redactor.whole(bytes).bytes))
}

/** A client's spelling is not kept, its value is; what is no JSON is kept as it is. */
function meaning({ from, bytes }: WireMessage): unknown {
  const text = Buffer.from(bytes).toString('latin1')
  if (from === 'server') return text
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return text
  }
}

describe.skipIf(CORPUS === undefined)('real sockets (skipped without WIRETAPE_CORPUS)', () => {
  describe.each(CORPUS === undefined ? [] : SETS)('$name', set => {
    const sockets = set.read(CORPUS ?? '')
    const counted = { client: 0, server: 0, blobs: 0 }

    it.each(sockets)('comes back: $name', one => {
      const { socket, blobs } = recordedAndRead(one)
      const expected = redacted(one.messages)
      const isAltered = one.messages.some(({ bytes }, index) => expected[index]?.equals(bytes) !== true)
      expect(isAltered, 'is redacted').toBe(namesProject(one.name))
      expect(socket.messages.map(({ from, frame }) => [from, frame])).toEqual(
        one.messages.map(({ from, frame }) => [from, frame]),
      )
      expect(socket.messages.map(meaning)).toEqual(
        one.messages.map((message, index) => meaning({ ...message, bytes: expected[index] ?? Buffer.of() })),
      )
      expect(socket.close).toMatchObject({ by: 'server', code: 1000 })
      for (const { from } of socket.messages) counted[from] += 1
      counted.blobs += blobs
    })

    it('is whole', () => {
      const { client, server, blobs } = set
      expect({ sockets: sockets.length, ...counted }).toEqual({ sockets: set.sockets, client, server, blobs })
    })
  })
})
