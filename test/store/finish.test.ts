/** What a recording leaves behind: one cassette and its blobs, or what was there before. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseCassette } from '../../src/cassette/parse.ts'
import type { CassetteDocument } from '../../src/cassette/model.ts'
import { playExchange } from '../../src/cassette/play.ts'
import { operationOf } from '../../src/dialect/operation.ts'
import { encodeRecords, type JournalRecord } from '../../src/record/journal.ts'
import { recover } from '../../src/store/finish.ts'
import { loadCassette } from '../../src/store/load.ts'
import { createJournal, type Session } from '../../src/store/journal.ts'
import { concatBytes, encodeUtf8 } from '../../src/wire/text.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiretape-finish-'))
  file = join(folder, 'session.cassette.yaml')
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const SESSION: Session = { recorded: '2026-11-30T10:12:04Z', by: 'wiretape/1', note: 'What it is.' }
const URL = 'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse'

interface Told {
  readonly at?: number
  readonly headers?: readonly (readonly [string, string])[]
  readonly chunks?: readonly string[]
  readonly type?: string
  readonly end?: 'complete' | 'client-abort' | undefined
}

function recordsOf({
  at = 0,
  headers = [],
  chunks = [],
  type = 'text/event-stream',
  end,
}: Told): JournalRecord[] {
  return [
    { line: { journal: 1, at, method: 'POST', url: URL, headers } },
    { line: { at: 1, sent: 2 }, bytes: encodeUtf8('{}') },
    { line: { at: 1, sent: 'end' } },
    { line: { at: 2, status: 200, reason: 'OK', headers: [['content-type', type]] } },
    ...chunks.map((text, index) => ({
      line: { at: 3 + index, chunk: encodeUtf8(text).length },
      bytes: encodeUtf8(text),
    })),
    ...(end === undefined ? [] : [{ line: { at: 9, end, trailers: [] } }]),
  ]
}

/** Leaves the journal that a recorder leaves that is killed. */
async function leave(journals: readonly (readonly JournalRecord[])[]): Promise<void> {
  const journal = createJournal(file, SESSION)
  for (const records of journals) {
    const log = journal.open()
    log.append(records)
    log.close()
  }
  journal.release()
}

async function documents(): Promise<readonly CassetteDocument[]> {
  return parseCassette(await readFile(file, 'utf8'), { file }).documents
}

const EVENT = 'data: {"text": "one"}\r\n\r\n'
/** An event with this much sound in it. */
const sound = (fill: string): string =>
  `data: {"inlineData": {"mimeType": "audio/pcm;rate=24000","data": "${Buffer.alloc(300, fill).toString('base64')}"}}\r\n\r\n`

describe('a recording that is recovered', () => {
  it('says when and by what it was recorded, and which client it was', async () => {
    const headers = [['X-Goog-Api-Client', 'google-genai-sdk/3.3.0 gl-node/v22']] as const
    await leave([recordsOf({ headers, chunks: [EVENT], end: 'complete' })])
    expect(await recover(file, { by: 'wiretape/2' })).toEqual({
      file,
      exchanges: 1,
      events: 1,
      bytes: EVENT.length,
      blobs: 0,
      truncated: 0,
      lost: 0,
    })
    const client = 'google-genai-sdk/3.3.0 gl-node/v22'
    const header = { cassette: 1, recorded: SESSION.recorded, by: 'wiretape/1', client, note: 'What it is.' }
    expect((await documents())[0]).toMatchObject({ type: 'header', header })
    expect(await readdir(folder)).toEqual(['session.cassette.yaml'])
  })

  it('has its exchanges in order of start, the tenth after the ninth', async () => {
    const count = 12
    await leave(Array.from({ length: count }, (_, index) => recordsOf({ at: index, end: 'complete' })))
    await recover(file)
    const at = (await documents()).flatMap(document =>
      document.type === 'exchange' ? [document.exchange.at] : [],
    )
    expect(at).toEqual(Array.from({ length: count }, (_, index) => index))
  })

  it('has what was cut short as truncated', async () => {
    await leave([
      recordsOf({ chunks: [EVENT], end: 'complete' }),
      recordsOf({ at: 5, chunks: [EVENT, 'data: {"te'] }),
    ])
    expect(await recover(file)).toMatchObject({ exchanges: 2, truncated: 1 })
    expect((await documents())[2]).toMatchObject({ exchange: { end: { how: 'truncated' } } })
  })

  it('leaves out an exchange of which not even the head was written', async () => {
    await leave([recordsOf({ end: 'complete' }), []])
    expect(await recover(file)).toMatchObject({ exchanges: 1 })
  })

  it('takes a client that left after the end mark for one that had read it all', async () => {
    const last = 'data: {"candidates": [{"finishReason": "STOP"}]}\r\n\r\n'
    await leave([
      recordsOf({ chunks: [EVENT, last], end: 'client-abort' }),
      recordsOf({ chunks: [EVENT], end: 'client-abort' }),
    ])
    await recover(file)
    const ends = (await documents()).map(
      document => document.type === 'exchange' && document.exchange.end.how,
    )
    expect(ends.slice(1)).toEqual([undefined, 'client-abort'])
  })

  it('is refused where its journal was damaged, and nothing is lost by that', async () => {
    await leave([recordsOf({ end: 'complete' })])
    const log = join(folder, 'session.cassette.journal', '0001.log')
    const bytes = concatBytes(encodeRecords(recordsOf({ end: 'complete' })))
    await writeFile(log, Buffer.from(bytes).toString().replace('"status":200', '"status":oops'))
    await expect(recover(file)).rejects.toMatchObject({
      code: 'WIRETAPE_JOURNAL_INVALID',
      message: expect.stringContaining(log),
    })
    expect(await readdir(folder)).toEqual(['session.cassette.journal'])
  })

  it('can be recovered once', async () => {
    await leave([recordsOf({ end: 'complete' })])
    await recover(file)
    await expect(recover(file)).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
  })

  it('is not recovered while it is recorded', async () => {
    const journal = createJournal(file, SESSION)
    await expect(recover(file)).rejects.toMatchObject({
      code: 'WIRETAPE_CASSETTE_LOCKED',
      details: { pid: process.pid },
    })
    journal.discard()
  })

  it('whose recorder is gone is no longer locked', async () => {
    await leave([recordsOf({ end: 'complete' })])
    await writeFile(join(folder, 'session.cassette.journal', 'lock'), '4194303999\n')
    expect(await recover(file)).toMatchObject({ exchanges: 1 })
  })
})

describe('a recording over an older one', () => {
  const blobs = (): string => join(folder, 'session.cassette.blobs')

  async function recorded(fill: string): Promise<readonly string[]> {
    await leave([recordsOf({ chunks: [sound(fill)], end: 'complete' })])
    expect(await recover(file)).toMatchObject({ blobs: 1 })
    return readdir(blobs())
  }

  it('has the media of the new one only, under names that the old one did not have', async () => {
    const before = await recorded('a')
    const after = await recorded('b')
    expect(before[0]).toMatch(/^[0-9a-f]{16}\.pcm$/)
    expect(after).toHaveLength(1)
    expect(after).not.toEqual(before)
    expect(await readFile(join(blobs(), after[0] ?? ''), 'latin1')).toBe('b'.repeat(300))
  })

  it('has the same files where it is the same', async () => {
    const before = [await recorded('a'), await readFile(file, 'utf8')]
    expect([await recorded('a'), await readFile(file, 'utf8')]).toEqual(before)
  })

  it('leaves no folder behind where there is no more media', async () => {
    await recorded('a')
    await leave([recordsOf({ chunks: [EVENT], end: 'complete' })])
    await recover(file)
    expect(await readdir(folder)).toEqual(['session.cassette.yaml'])
  })

  it('that can not be written leaves the old one as it was, and the journal', async () => {
    const [name = ''] = await recorded('a')
    const before = await readFile(file, 'utf8')
    await leave([recordsOf({ chunks: [sound('b')], end: 'complete' })])
    // A folder where the cassette is written before it is renamed.
    await mkdir(join(dirname(file), '.session.cassette.yaml.tmp'))
    await expect(recover(file)).rejects.toMatchObject({ code: 'WIRETAPE_WRITE' })
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await readdir(blobs())).toContain(name)
    await rm(join(dirname(file), '.session.cassette.yaml.tmp'), { recursive: true })
    expect(await recover(file)).toMatchObject({ blobs: 1 })
    expect(await readdir(blobs())).not.toContain(name)
  })

  it('in which nothing happened leaves the old one as it was', async () => {
    await recorded('a')
    const before = await readFile(file, 'utf8')
    await leave([])
    expect(await recover(file)).toMatchObject({ exchanges: 0 })
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await readdir(blobs())).toHaveLength(1)
  })
})

describe('any answer, in any chunks', () => {
  const text = fc.constantFrom(
    'data: ',
    '{"a": 1}',
    '\r\n\r\n',
    '\n\n',
    '\r',
    'event: x\n',
    'é',
    '---\n',
    ' ',
    '"blob:x@0+1"',
  )
  const bytes = fc.oneof(text.map(encodeUtf8), fc.uint8Array({ minLength: 1, maxLength: 6 }))
  const chunks = fc.array(bytes, { maxLength: 14 })

  it('becomes a cassette that plays the same bytes with the same edges', async () => {
    const type = fc.constantFrom('text/event-stream', 'application/json', 'audio/pcm')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(type, chunks), { minLength: 1, maxLength: 3 }), async answers => {
        await leave(
          answers.map(([mime, pieces]) => [
            ...recordsOf({ type: mime }),
            ...pieces.map((piece, index) => ({ line: { at: 3 + index, chunk: piece.length }, bytes: piece })),
            { line: { at: 99, end: 'complete' as const, trailers: [] } },
          ]),
        )
        await recover(file)
        const { cassette, blobs } = await loadCassette(file)
        const played = cassette.documents.flatMap(document => {
          if (document.type === 'header') return []
          const { dialect } = operationOf(document.exchange.request)
          const answer = playExchange(document.exchange, dialect, blobs).response
          return [answer?.chunks.map(chunk => [chunk.at, Buffer.from(chunk.bytes).toString('latin1')])]
        })
        expect(played).toEqual(
          answers.map(([, pieces]) =>
            pieces.map((piece, index) => [3 + index, Buffer.from(piece).toString('latin1')]),
          ),
        )
      }),
      { numRuns: 60 },
    )
  })
})

describe('a recording in which nothing happened', () => {
  it('writes no cassette', async () => {
    await leave([])
    expect(await recover(file)).toMatchObject({ exchanges: 0 })
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
