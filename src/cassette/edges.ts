/**
 * Chunk edges, as a document says them: which events begin a chunk, and where one is cut.
 *
 * Room: cassette.
 */
import { encodeBase64 } from '../wire/base64.ts'
import type { WireResponse } from '../wire/exchange.ts'
import type { SseEvent, SsePiece } from '../wire/sse.ts'
import { decodeUtf8 } from '../wire/text.ts'
import type { Cut, Payload, StreamEvent } from './model.ts'

/** A streamed answer in its pieces. */
export interface StreamReading {
  readonly bytes: Uint8Array
  readonly pieces: readonly SsePiece[]
  readonly answer: WireResponse
  /** How the text of an event's data is written: with its media taken out. */
  readonly rewrite: (text: string) => string
}

/** The events of a stream: one chunk each, but where `joined` and `cuts` say otherwise. */
export function streamEvents({ bytes, pieces, answer, rewrite }: StreamReading): readonly StreamEvent[] {
  const edges = edgesOf(answer)
  let next = 0
  return pieces.map(({ start, end, event }) => {
    const first = edges[next]
    const begins = first?.offset === start
    if (begins) next += 1
    const from = next
    while ((edges[next]?.offset ?? end) < end) next += 1
    const cuts = edges.slice(from, next).map(({ offset, at }) => ({ offset: offset - start, at }))
    return {
      ...(begins ? { at: first.at } : { joined: true as const }),
      cuts: cuts.length === 0 ? undefined : cuts,
      ...(event === undefined
        ? { raw: textOrBytes(bytes.subarray(start, end)) }
        : { ...event, data: dataPayload(event.data, rewrite) }),
    }
  })
}

/** The cuts of a body; its first chunk is one of them only where it came after the head. */
export function bodyCuts(answer: WireResponse): readonly Cut[] | undefined {
  const cuts = edgesOf(answer).filter(({ offset, at }) => offset > 0 || at !== undefined)
  return cuts.length === 0 ? undefined : cuts
}

/** Where each chunk begins, and when it came if that was later than what came before it. */
function edgesOf({ at: head, chunks }: WireResponse): readonly Cut[] {
  let offset = 0
  let last = head
  return chunks.map(({ at, bytes }) => {
    const edge = { offset, at: at > last ? at : undefined }
    offset += bytes.length
    last = at
    return edge
  })
}

function dataPayload(data: SseEvent['data'], rewrite: (text: string) => string): Payload | undefined {
  if (data === undefined) return undefined
  return typeof data === 'string' ? { type: 'text', text: rewrite(data) } : textOrBytes(data)
}

function textOrBytes(bytes: Uint8Array): Payload {
  const text = decodeUtf8(bytes)
  return text === undefined ? { type: 'base64', base64: encodeBase64(bytes) } : { type: 'text', text }
}
