import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeRecords, readJournal, type JournalRecord } from '../../src/record/journal.ts'
import type { JournalLine } from '../../src/record/journal-line.ts'
import { transcribe } from '../../src/record/transcribe.ts'
import { concatBytes, encodeUtf8 } from '../../src/wire/text.ts'

const HEAD =
  '{"journal":1,"at":5.125,"method":"POST","url":"https://h/v1/models/m:x","headers":[["A","b"],["a","c"]]}\n'
const WHOLE = `${HEAD}{"at":0,"sent":2,"bytes":2}\n{}\n{"at":0.01,"sent":"end"}
{"at":412,"status":200,"reason":"OK","headers":[["content-type","text/event-stream"]]}
{"at":418,"chunk":11,"bytes":11}\ndata: 1\r\n\r\n
{"at":419,"chunk":3,"replaced":[[11,3,20]]}
{"at":420,"end":"complete","trailers":[],"bytes":20}\nredacted-api-key-1..\n`

/** What a journal of these bytes says, as data. */
function reading(text: string): unknown {
  const { records, torn } = readJournal(encodeUtf8(text), 'j')
  return {
    records: records.map(({ line, bytes }) => ({ line, text: bytes && String(Buffer.from(bytes)) })),
    torn,
  }
}

describe('a journal', () => {
  it('is lines of JSON, and raw bytes where they say so', () => {
    const { records, torn } = readJournal(encodeUtf8(WHOLE), 'j')
    expect(torn).toBe(0)
    expect(records.map(record => record.line)).toHaveLength(7)
    expect(Buffer.from(concatBytes(encodeRecords(records))).toString()).toBe(WHOLE)
  })

  it('holds bytes of any kind, line feeds and journal lines among them', () => {
    const bytes = encodeUtf8(`\n{"at":1,"chunk":0}\n\0\xff`)
    const records: JournalRecord[] = [
      { line: { journal: 1, at: 0, method: 'GET', url: 'https://h/', headers: [] } },
      { line: { at: 1, chunk: bytes.length }, bytes },
    ]
    expect(readJournal(concatBytes(encodeRecords(records)), 'j')).toEqual({ records, torn: 0 })
  })

  it('that was cut ends with its last whole record', () => {
    const cut = WHOLE.slice(0, WHOLE.indexOf('data: 1') + 5)
    expect(reading(cut)).toMatchObject({ torn: '{"at":418,"chunk":11,"bytes":11}\ndata:'.length })
  })

  it('whose bytes lack the line feed behind them is cut', () => {
    expect(reading(`${HEAD}{"at":0,"sent":2,"bytes":2}\n{}`)).toMatchObject({ records: [{}], torn: 30 })
  })

  it.each([
    ['no JSON', `${HEAD}{"at":1,"chunk":oops}\n`],
    ['a record of no kind', `${HEAD}{"at":1,"what":1}\n`],
    ['a negative size', `${HEAD}{"at":1,"chunk":1,"bytes":-1}\nx\n`],
    ['another line where the bytes should end', `${HEAD}{"at":1,"chunk":1,"bytes":1}\nxx{"at":2}\n`],
    ['a second head', `${HEAD}${HEAD}`],
    ['no head', '{"at":1,"chunk":0}\n'],
    ['a journal of another version', HEAD.replace('"journal":1', '"journal":2')],
    ['an unknown end', `${HEAD}{"at":1,"end":"perhaps","trailers":[]}\n`],
    ['headers that are none', `${HEAD}{"at":1,"status":200,"reason":"","headers":[["a"]]}\n`],
    ['bytes that are no text', `${HEAD}\0\xff\n`],
    ['a number', `${HEAD}1\n`],
    ['stretches that are none', `${HEAD}{"at":1,"chunk":1,"replaced":[[1]]}\n`],
    ['no time', `${HEAD}{"chunk":1}\n`],
  ])('with %s was changed by someone, and is refused', (_, text) => {
    expect(() => readJournal(encodeUtf8(text), 'x.journal/0001.log')).toThrow(
      expect.objectContaining({
        code: 'WIRETAPE_JOURNAL_INVALID',
        message: expect.stringContaining('x.journal/0001.log'),
      }),
    )
  })

  it('cut anywhere gives what was committed, and nothing else', () => {
    const bytes = encodeUtf8(WHOLE)
    const all = readJournal(bytes, 'j').records
    for (let length = 0; length <= bytes.length; length += 1) {
      const { records, torn } = readJournal(bytes.subarray(0, length), 'j')
      expect(records).toEqual(all.slice(0, records.length))
      const read = concatBytes(encodeRecords(records)).length
      expect(read + torn).toBe(length)
    }
  })
})

const line: fc.Arbitrary<JournalLine> = fc.oneof(
  fc.record({ at: fc.nat(), sent: fc.oneof(fc.nat(), fc.constant('end' as const)) }),
  fc.record({ at: fc.nat(), chunk: fc.nat() }),
)
const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({ line }),
  fc.record({ line, bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
)

describe('any journal', () => {
  const head: JournalRecord = { line: { journal: 1, at: 0, method: 'GET', url: '/', headers: [] } }

  it('reads back as it was written, and any prefix of it as what was committed', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), fc.nat(), (rest, cut) => {
        const records = [head, ...rest]
        const bytes = concatBytes(encodeRecords(records))
        expect(readJournal(bytes, 'j')).toEqual({ records, torn: 0 })
        const prefix = readJournal(bytes.subarray(0, cut % (bytes.length + 1)), 'j').records
        expect(prefix).toEqual(records.slice(0, prefix.length))
        expect(transcribe(prefix) === undefined).toBe(prefix.length === 0)
      }),
    )
  })
})
