/**
 * Holds what a cassette plays against what was recorded, before the cassette is kept.
 *
 * Both are already redacted. What a cassette knowingly leaves out (`keep.ts`) is left out of the recorded
 * side too, and a request's JSON counts by its value: how a client spells it is not kept.
 *
 * Room: cassette.
 */
import type { Chunk, End, WireExchange, WireResponse } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'
import { readJsonLossless } from '../wire/json.ts'
import { concatBytes, decodeUtf8, equalBytes } from '../wire/text.ts'
import { keptExchange } from './keep.ts'
import { socketDiffers } from './verify-socket.ts'

/**
 * What differs first between an exchange as it was recorded and as its document plays.
 *
 * @param recorded - As the journal has it.
 * @param played - `playExchange` of the document as it was read back from the text.
 * @returns Undefined where nothing differs, else a description without any of the exchange's content.
 */
export function firstDifference(recorded: WireExchange, played: WireExchange): string | undefined {
  const kept = keptExchange(recorded)
  return (
    startDiffers(kept, played) ??
    responseDiffers(kept.response, played.response) ??
    socketDiffers(kept.socket, played.socket) ??
    endDiffers(kept.end, played.end)
  )
}

/** The same for what comes before the answer. */
export function startDiffers(
  kept: Pick<WireExchange, 'at' | 'request'>,
  played: Pick<WireExchange, 'at' | 'request'>,
): string | undefined {
  return (
    unequal('the time of the exchange', kept.at, played.at) ??
    unequal('the method of the request', kept.request.method, played.request.method) ??
    unequal('the URL of the request', kept.request.url, played.request.url) ??
    headersDiffer('the headers of the request', kept.request.headers, played.request.headers) ??
    requestBodyDiffers(kept.request.body, played.request.body)
  )
}

/** The same for the end. */
export function endDiffers(kept: End, played: End): string | undefined {
  return (
    unequal('the time of the end', kept.at, played.at) ?? unequal('the kind of the end', kept.how, played.how)
  )
}

function responseDiffers(
  kept: WireResponse | undefined,
  played: WireResponse | undefined,
): string | undefined {
  if (kept === undefined || played === undefined) {
    return kept === played ? undefined : 'the response is there on one side only'
  }
  return (
    unequal('the time of the response', kept.at, played.at) ??
    unequal('the status', kept.status, played.status) ??
    unequal('the reason phrase', kept.reason, played.reason) ??
    headersDiffer('the headers of the response', kept.headers, played.headers) ??
    chunksDiffer(kept.chunks, played.chunks) ??
    headersDiffer('the trailers of the response', kept.trailers, played.trailers)
  )
}

function unequal<T>(what: string, kept: T, played: T): string | undefined {
  return kept === played ? undefined : `${what} differs`
}

function headersDiffer(what: string, kept: HeaderList, played: HeaderList): string | undefined {
  const index = kept.findIndex(([name, value], at) => name !== played[at]?.[0] || value !== played[at]?.[1])
  if (index === -1 && kept.length === played.length) return undefined
  const name = (kept[index === -1 ? kept.length : index] ?? played[kept.length])?.[0]
  return `${what} differ: \`${name ?? ''}\``
}

function requestBodyDiffers(
  kept: Uint8Array | undefined,
  played: Uint8Array | undefined,
): string | undefined {
  if (kept === undefined || played === undefined) return unequal('the body of the request', kept, played)
  if (equalBytes(kept, played)) return undefined
  const json = jsonOf(kept)
  return json !== undefined && json === jsonOf(played) ? undefined : 'the body of the request differs'
}

/** JSON in one spelling, its numbers as the text has them; undefined where a value can't say it whole. */
function jsonOf(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes)
  const reading = text === undefined ? undefined : readJsonLossless(text)
  return reading && JSON.stringify([reading.value, reading.numbers])
}

function chunksDiffer(kept: readonly Chunk[], played: readonly Chunk[]): string | undefined {
  const left = concatBytes(kept.map(chunk => chunk.bytes))
  const right = concatBytes(played.map(chunk => chunk.bytes))
  if (!equalBytes(left, right)) {
    const at = left.findIndex((byte, index) => byte !== right[index])
    return `the body of the response differs at byte ${at === -1 ? left.length : at}`
  }
  const index = kept.findIndex((chunk, at) => chunk.bytes.length !== played[at]?.bytes.length)
  if (index !== -1) return `chunk ${index + 1} of the response has another length`
  const late = kept.findIndex((chunk, at) => chunk.at !== played[at]?.at)
  return late === -1 ? undefined : `the time of chunk ${late + 1} of the response differs`
}
