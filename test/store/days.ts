/** A cassette of one day, and the journal of another that is to be appended to it. */
import type { JournalRecord } from '../../src/record/journal.ts'
import { blobsBeside } from '../../src/store/episodes.ts'
import { createJournal } from '../../src/store/journal.ts'
import { encodeUtf8 } from '../../src/wire/text.ts'

const URL = 'https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse'

/** The first day, as somebody has edited it since. */
export const OLD: string = `cassette: 1
note:   by hand
---
# The only question so far.
exchange: unknown
request: { method: GET, url: "https://a.example/b" }
response:
    status: 204
end: {}
# The end of the first day.
`

function recordsOf(event: string): readonly JournalRecord[] {
  return [
    { line: { journal: 1, at: 0, method: 'POST', url: URL, headers: [] } },
    { line: { at: 1, sent: 2 }, bytes: encodeUtf8('{}') },
    { line: { at: 1, sent: 'end' } },
    { line: { at: 2, status: 200, reason: 'OK', headers: [['content-type', 'text/event-stream']] } },
    { line: { at: 3, chunk: encodeUtf8(event).length }, bytes: encodeUtf8(event) },
    { line: { at: 9, end: 'complete', trailers: [] } },
  ]
}

export const EVENT: string = 'data: {"text": "one"}\r\n\r\n'
/** An event with this much sound in it. */
export const sound = (fill: string): string =>
  `data: {"inlineData": {"mimeType": "audio/pcm;rate=24000","data": "${Buffer.alloc(300, fill).toString('base64')}"}}\r\n\r\n`

/** Leaves the journal of another day, as a recorder that is killed. */
export function leave(file: string, event: string): void {
  const append = blobsBeside(file)
  const journal = createJournal(file, { recorded: '2026-12-01T08:00:00Z', by: 'wiretape/1', append })
  const log = journal.open()
  log.append(recordsOf(event))
  log.close()
  journal.release()
}
