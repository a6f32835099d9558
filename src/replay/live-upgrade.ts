/**
 * Requests for a socket that became none on the recording: refused, or never answered.
 *
 * Room: replay.
 */
import type { RecordedResponse } from '../cassette/model.ts'
import type { ShelfEntry } from './live-shelf.ts'
import type { LiveCommand } from './live.ts'
import { playableHeaders } from './timeline.ts'

/** The answer to a request for a socket that became none on the recording; undefined where it became one. */
export function withoutSocket(id: number, entry: ShelfEntry): readonly LiveCommand[] | undefined {
  const { response, messages, end } = entry.source.exchange
  if (response !== undefined) return refuse(id, entry, response)
  const silent = (messages ?? []).length === 0
  if (messages !== undefined && !(silent && end.how === 'upstream-error')) return undefined
  return [{ type: 'drop', id }, played(id, entry, undefined, 0)]
}

function refuse(id: number, entry: ShelfEntry, response: RecordedResponse): readonly LiveCommand[] {
  const { status, reason, headers, body } = response
  const bytes = body === undefined ? new Uint8Array() : entry.source.bytes(body, 'response')
  return [
    { type: 'refuse', id, status, reason, headers: playableHeaders(headers), body: bytes },
    played(id, entry, status, bytes.length),
  ]
}

function played(id: number, entry: ShelfEntry, status: number | undefined, bytes: number): LiveCommand {
  const { file, number, exchange } = entry.source
  const { operation } = entry
  const outcome = exchange.end.how ?? 'complete'
  return { type: 'done', id, exchange: { file, number, operation, status, bytes, outcome } }
}
