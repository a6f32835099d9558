/**
 * Reads the journal of one exchange record by record: a socket's may be larger than memory.
 *
 * Room: store.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { readRecord, type JournalRecord } from '../record/journal.ts'

/** How much is read at once, in bytes; more where a record is longer. */
const STRETCH = 262_144

/**
 * The whole records of a journal, in order. The bytes of one are there until the next is asked for.
 *
 * @throws WIRETAPE_JOURNAL_INVALID where something is wrong that a cut can't explain.
 */
export function* readRecords(path: string): Generator<JournalRecord> {
  const descriptor = openSync(path, 'r')
  try {
    let buffer = Buffer.allocUnsafeSlow(STRETCH)
    let length = 0
    let offset = 0
    for (;;) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, null)
      if (read === 0) return
      length += read
      let start = 0
      for (;;) {
        const isFirst = offset + start === 0
        const found = readRecord(buffer.subarray(0, length), start, { file: path, offset, isFirst })
        if (found === undefined) break
        start = found.end
        yield found.record
      }
      // What is left begins a record whose end is to come.
      const rest = buffer.subarray(start, length)
      const next = rest.length > buffer.length / 2 ? Buffer.allocUnsafeSlow(buffer.length * 2) : buffer
      next.set(rest)
      buffer = next
      length = rest.length
      offset += start
    }
  } finally {
    closeSync(descriptor)
  }
}
