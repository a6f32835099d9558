/** What is read by stretches is what is there: blobs, and the records of a journal. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeRecords, readJournal, type JournalRecord } from '../../src/record/journal.ts'
import { blobFiles } from '../../src/store/blob-files.ts'
import { readRecords } from '../../src/store/records.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiretape-stretches-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe('a stretch of a blob', () => {
  const LENGTH = 400_000

  it('is what the file has there, whatever was read before', async () => {
    const whole = Array.from({ length: 20 }, (_, blob) =>
      Buffer.from({ length: LENGTH }).map((_byte, at) => (at * 7 + blob) % 251),
    )
    await Promise.all(whole.map((bytes, blob) => writeFile(join(folder, String(blob)), bytes)))
    const read = blobFiles(name => join(folder, name))
    const offset = fc.oneof(fc.nat({ max: LENGTH - 1 }), fc.nat({ max: 2000 }))
    const length = fc.oneof(fc.nat({ max: 5000 }), fc.nat({ max: LENGTH }))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 19 }), offset, length), { maxLength: 40 }), list => {
        for (const [blob, from, count] of list) {
          const found = Buffer.from(read(String(blob), from, count) ?? [])
          expect(
            found.equals(whole[blob]?.subarray(from, from + count) ?? Buffer.of()),
            `${blob} ${from} ${count}`,
          ).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is shorter where the file ends, and nothing where there is none', async () => {
    await writeFile(join(folder, 'a'), 'abcdef')
    const read = blobFiles(name => (name === 'none' ? undefined : join(folder, name)))
    expect(Buffer.from(read('a', 4, 10) ?? []).toString()).toBe('ef')
    expect(Buffer.from(read('a', 9, 300_000) ?? []).toString()).toBe('')
    expect(read('a', 900, 1)).toHaveLength(0)
    expect(read('b', 0, 1)).toBeUndefined()
    expect(read('none', 0, 1)).toBeUndefined()
    expect(read('a/b', 0, 300_000)).toBeUndefined()
  })
})

describe('the records of a journal', () => {
  const head: JournalRecord = { line: { journal: 1, at: 0, method: 'GET', url: 'wss://h/', headers: [] } }

  it('are those of the whole journal, short and long, up to a torn one', async () => {
    const size = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 700_000 }))
    await fc.assert(
      fc.asyncProperty(fc.array(size, { maxLength: 6 }), fc.nat({ max: 400 }), async (sizes, torn) => {
        const records = [
          head,
          ...sizes.map((length, at): JournalRecord => ({
            line: { at, from: 'server', op: 'binary' },
            bytes: Buffer.alloc(length, at + 1),
          })),
        ]
        const bytes = Buffer.concat(encodeRecords(records))
        const cut = bytes.subarray(0, bytes.length - Math.min(torn, bytes.length))
        const path = join(folder, 'a.log')
        await writeFile(path, cut)
        const streamed = Array.from(readRecords(path), ({ line, bytes: raw = Buffer.of() }) => ({
          line,
          hex: Buffer.from(raw).toString('hex'),
        }))
        const expected = readJournal(cut, path).records.map(({ line, bytes: raw = Buffer.of() }) => ({
          line,
          hex: Buffer.from(raw).toString('hex'),
        }))
        expect(streamed).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it('are refused where one is damaged, at its place in the file', async () => {
    const path = join(folder, 'a.log')
    const long: JournalRecord = {
      line: { at: 1, from: 'server', op: 'binary' },
      bytes: Buffer.alloc(600_000),
    }
    const whole = Buffer.concat(encodeRecords([head, long]))
    await writeFile(path, Buffer.concat([whole, Buffer.from('no JSON\n')]))
    expect(() => [...readRecords(path)]).toThrow(`The journal ${path} is damaged at byte ${whole.length}.`)
  })
})
