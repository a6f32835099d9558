/** Sockets of a recording: their journals become documents and growing files, and play what was recorded. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { playExchange } from '../../src/cassette/play.ts'
import { firstDifference } from '../../src/cassette/verify.ts'
import { liveHandshake } from '../../src/dialect/live.ts'
import type { JournalRecord } from '../../src/record/journal.ts'
import { recover, type RecordSummary } from '../../src/store/finish.ts'
import { createJournal } from '../../src/store/journal.ts'
import { loadCassette } from '../../src/store/load.ts'
import type { WireExchange, WireMessage } from '../../src/wire/exchange.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'
import { base64Of, wireSocket } from '../cassette/arbitrary-sockets.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiretape-sockets-'))
  file = join(folder, 'session.cassette.yaml')
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const URL =
  'wss://generativelanguage.googleapis.com/ws/google.ai.x.v1beta.GenerativeService.BidiGenerateContent'

/** The journal of a socket, with its end or without. */
function recordsOf(wire: WireExchange): JournalRecord[] {
  const { at, request, socket, end } = wire
  const { messages = [], close } = socket ?? {}
  return [
    { line: { journal: 1, at, method: request.method, url: request.url, headers: request.headers } },
    { line: { at: 1, open: true } },
    ...messages.map(({ at: when, from, frame, bytes }) => ({ line: { at: when, from, op: frame }, bytes })),
    ...(close === undefined
      ? []
      : [{ line: { at: close.at, close: { by: close.by, code: close.code, reason: close.reason } } }]),
    ...(end.at === undefined
      ? []
      : [{ line: { at: end.at, end: end.how ?? ('complete' as const), trailers: [] } }]),
  ]
}

function socketOf(messages: readonly WireMessage[], more: Partial<WireExchange> = {}): WireExchange {
  const close = { at: 9000, by: 'server', code: 1000, reason: '' } as const
  const request = { method: 'GET', url: URL, headers: [], body: undefined }
  return {
    at: 0,
    request,
    response: undefined,
    socket: { messages, close },
    end: { at: 9001, how: undefined },
    ...more,
  }
}

function sound(at: number, length: number): WireMessage {
  const inlineData = { mimeType: 'audio/pcm;rate=24000', data: base64Of(length) }
  const value = { serverContent: { modelTurn: { parts: [{ inlineData }] } } }
  const bytes = encodeUtf8(`${JSON.stringify(value, undefined, 2)}\n`)
  return { at, from: 'server', frame: 'binary', bytes }
}

/** Leaves the journals that a recorder leaves, and makes the cassette of them. */
function recovered(...journals: readonly (readonly JournalRecord[])[]): Promise<RecordSummary> {
  const journal = createJournal(file, { recorded: '2026-11-30T10:12:04Z' })
  for (const records of journals) {
    const log = journal.open()
    log.append(records)
    log.close()
  }
  journal.release()
  return recover(file)
}

/** What the cassette plays. */
async function played(): Promise<readonly WireExchange[]> {
  const { cassette, blobs } = await loadCassette(file)
  return cassette.documents.flatMap(document =>
    document.type === 'exchange' ? [playExchange(document.exchange, liveHandshake, blobs)] : [],
  )
}

describe('a recorded socket', () => {
  it('has its media in one file, which plays as a whole', async () => {
    const wire = socketOf([sound(10, 300), sound(20, 240), sound(30, 600)])
    expect(await recovered(recordsOf(wire))).toMatchObject({
      exchanges: 1,
      events: 3,
      blobs: 1,
      truncated: 0,
      lost: 0,
    })
    expect(await readdir(folder)).toEqual(['session.cassette.blobs', 'session.cassette.yaml'])
    const expected = [300, 240, 600].map(length => Buffer.from(base64Of(length), 'base64'))
    expect(await readFile(join(folder, 'session.cassette.blobs/1-server.pcm'))).toEqual(
      Buffer.concat(expected),
    )
    const [back] = await played()
    expect(back && firstDifference(wire, back)).toBeUndefined()
  })

  it('is named by its number among all that was recorded', async () => {
    const refused: JournalRecord[] = [
      { line: { journal: 1, at: 1, method: 'GET', url: URL, headers: [] } },
      { line: { at: 2, status: 403, reason: 'Forbidden', headers: [] } },
      { line: { at: 3, end: 'complete', trailers: [] } },
    ]
    await recovered(
      recordsOf(socketOf([sound(10, 300)])),
      refused,
      recordsOf(socketOf([sound(10, 300)], { at: 5 })),
    )
    expect(await readdir(join(folder, 'session.cassette.blobs'))).toEqual(['1-server.pcm', '3-server.pcm'])
    const [, second] = await played()
    expect(second).toMatchObject({ response: { status: 403 } })
  })

  it('whose recorder was killed has all that was written, and is truncated', async () => {
    const records = recordsOf(socketOf([sound(10, 300), sound(20, 240)])).slice(0, 4)
    expect(await recovered(records)).toMatchObject({ exchanges: 1, events: 2, truncated: 1 })
    const [back] = await played()
    expect(back?.socket?.messages).toHaveLength(2)
    expect(back?.end).toEqual({ at: 20, how: 'truncated' })
  })

  it('that is recorded again has files that the old one did not have', async () => {
    const blobs = (): Promise<string[]> => readdir(join(folder, 'session.cassette.blobs'))
    await recovered(recordsOf(socketOf([sound(10, 300)])))
    expect(await blobs()).toEqual(['1-server.pcm'])
    await recovered(recordsOf(socketOf([sound(10, 600)])))
    expect(await blobs()).toEqual(['1-server-2.pcm'])
    const [back] = await played()
    expect(back?.socket?.messages).toEqual([sound(10, 600)])
  })

  it('may be long: its document is read back in parts', async () => {
    const messages = Array.from({ length: 1200 }, (_, index) => sound(10 + index, 192 + (index % 7)))
    const wire = socketOf(messages)
    await recovered(recordsOf(wire))
    const [back] = await played()
    expect(back && firstDifference(wire, back)).toBeUndefined()
  })

  it('of any messages plays what was recorded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(wireSocket, { minLength: 1, maxLength: 2 }), async wires => {
        await recovered(...wires.map(recordsOf))
        const back = await played()
        expect(back.map((one, index) => firstDifference(wires[index] ?? one, one))).toEqual(
          wires.map(() => undefined),
        )
      }),
      { numRuns: 40 },
    )
  })
})
