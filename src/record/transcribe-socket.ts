/**
 * What single records of a socket's journal tell of. They are read one by one: a journal may be larger than memory.
 *
 * Room: record.
 */
import type { WireClose, WireMessage } from '../wire/exchange.ts'
import type { JournalRecord } from './journal.ts'

/** The message that a record tells of; undefined where it tells of something else. */
export function messageIn({ line, bytes = new Uint8Array() }: JournalRecord): WireMessage | undefined {
  return 'from' in line ? { at: line.at, from: line.from, frame: line.op, bytes } : undefined
}

/** The close that a record tells of; undefined where it tells of something else. */
export function closeIn({ line }: JournalRecord): WireClose | undefined {
  if (!('close' in line)) return undefined
  const { by, code, reason } = line.close
  return { at: line.at, by, code, reason }
}
