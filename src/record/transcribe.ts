/**
 * From the records of a log to the exchange that they tell of.
 *
 * Chunk edges are counted in the bytes that came, the journal holds the redacted ones: each edge is moved
 * by what was replaced before it, and an edge inside a secret goes to the end of its placeholder.
 *
 * Room: record.
 */
import type { Instant } from '../clock.ts'
import { usualReason } from '../wire/status.ts'
import type { Chunk, End, WireExchange, WireResponse } from '../wire/exchange.ts'
import { concatBytes } from '../wire/text.ts'
import type { ChunkLine, EndLine, HeadLine, JournalRecord, ReplacedStretch, ResponseLine } from './journal.ts'

/** An exchange as far as its log goes. */
export interface Transcript {
  readonly exchange: WireExchange
  /** Bytes of both bodies that had been relayed but were still held back by the redactor when the recorder was killed. */
  readonly lost: number
}

/** The exchange that these records tell of; undefined where not even the request's head was written. */
export function transcribe(records: readonly JournalRecord[]): Transcript | undefined {
  const head = records[0]?.line
  if (head === undefined || !('journal' in head)) return undefined
  const sent = readRequest(records)
  const answer = readResponse(records)
  const request = requestOf(head, sent.body)
  return {
    exchange: { at: head.at, request, response: answer.response, end: endOf(records) },
    lost: sent.lost + answer.lost,
  }
}

function readRequest(records: readonly JournalRecord[]): { body: Uint8Array | undefined; lost: number } {
  const parts: Uint8Array[] = []
  const replaced: ReplacedStretch[] = []
  let came = 0
  for (const { line, bytes } of records) {
    if (!('sent' in line)) continue
    if (line.sent !== 'end') came += line.sent
    if (line.replaced !== undefined) replaced.push(...line.replaced)
    if (bytes !== undefined) parts.push(bytes)
  }
  const body = concatBytes(parts)
  return { body: came === 0 ? undefined : body, lost: came - originalLength(body.length, replaced) }
}

function requestOf(head: HeadLine, body: Uint8Array | undefined): WireExchange['request'] {
  return { method: head.method, url: head.url, headers: head.headers, body }
}

/** Without an end record the recorder was stopped: the last record is all that is known of when. */
function endOf(records: readonly JournalRecord[]): End {
  const last = records.at(-1)?.line
  if (last === undefined || 'journal' in last) return { at: 0, how: 'truncated' }
  if (!('end' in last)) return { at: last.at, how: 'truncated' }
  return { at: last.at, how: last.end === 'complete' ? undefined : last.end }
}

function readResponse(records: readonly JournalRecord[]): {
  response: WireResponse | undefined
  lost: number
} {
  let head: ResponseLine | undefined
  let end: EndLine | undefined
  const chunks: ChunkLine[] = []
  const parts: Uint8Array[] = []
  for (const { line, bytes } of records) {
    if ('status' in line) head = line
    else if ('chunk' in line) chunks.push(line)
    else if ('end' in line) end = line
    else continue
    if (bytes !== undefined) parts.push(bytes)
  }
  if (head === undefined) return { response: undefined, lost: 0 }
  const written = concatBytes(parts)
  const replaced = [...chunks, ...(end === undefined ? [] : [end])].flatMap(line => line.replaced ?? [])
  const came = chunks.reduce((sum, line) => sum + line.chunk, 0)
  const response = {
    at: head.at,
    status: head.status,
    reason: head.reason === usualReason(head.status) ? undefined : head.reason,
    headers: head.headers,
    chunks: cutChunks(chunks, written, replaced),
    trailers: end?.trailers ?? [],
  }
  return { response, lost: came - originalLength(written.length, replaced) }
}

function originalLength(written: number, replaced: readonly ReplacedStretch[]): number {
  return replaced.reduce((sum, [, was, is]) => sum + was - is, written)
}

/** Cuts the written bytes where the chunks that came ended. A chunk that lies inside a secret has none left. */
function cutChunks(
  lines: readonly ChunkLine[],
  written: Uint8Array,
  replaced: readonly ReplacedStretch[],
): readonly Chunk[] {
  const chunks: Chunk[] = []
  let came = 0
  let start = 0
  let shift = 0
  let next = 0
  for (const line of lines) {
    came += line.chunk
    let inside: number | undefined
    for (let stretch = replaced[next]; stretch !== undefined; stretch = replaced[next]) {
      const [at, was, is] = stretch
      if (at >= came) break
      if (at + was > came) inside = at + shift + is
      if (inside !== undefined) break
      shift += is - was
      next += 1
    }
    const end = Math.min(inside ?? came + shift, written.length)
    if (end > start) chunks.push({ at: line.at, bytes: written.subarray(start, end) })
    start = Math.max(start, end)
  }
  return withRest(chunks, lines.at(-1)?.at, written.subarray(start))
}

/** A placeholder at the very end may be longer than its secret: it belongs to the last chunk. */
function withRest(chunks: readonly Chunk[], at: Instant | undefined, rest: Uint8Array): readonly Chunk[] {
  if (rest.length === 0 || at === undefined) return chunks
  const last = chunks.at(-1)
  if (last === undefined) return [{ at, bytes: rest }]
  return [...chunks.slice(0, -1), { at: last.at, bytes: concatBytes([last.bytes, rest]) }]
}
