/**
 * What a cassette keeps of a wire exchange: the rest is either a replay's own business, or not the app's.
 *
 * Times become whole milliseconds that never go back, header names lower case with equal names side by
 * side, and fields of transport and identity are left out. Bytes and chunk edges stay as they are.
 *
 * Room: cassette.
 */
import { isDroppedHeader } from '../dialect/headers.ts'
import type { Instant } from '../clock.ts'
import type { WireExchange, WireSocket } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'

/** The exchange as its document will play it. */
export function keptExchange(wire: WireExchange): WireExchange {
  const { request, response, socket, end } = wire
  const time = wholeMilliseconds()
  const body = request.body === undefined || request.body.length === 0 ? undefined : request.body
  return {
    at: Math.max(0, Math.round(wire.at)),
    request: { ...request, headers: keptHeaders('request', request.headers), body },
    // In the order of time: each moment is held against the one before it.
    response: response && {
      at: time(response.at),
      status: response.status,
      reason: response.reason,
      headers: keptHeaders('response', response.headers),
      chunks: response.chunks
        .filter(chunk => chunk.bytes.length > 0)
        .map(({ at, bytes }) => ({ at: time(at), bytes })),
      trailers: keptHeaders('response', response.trailers),
    },
    ...(socket === undefined ? {} : { socket: keptSocket(socket, time) }),
    end: { at: end.at === undefined ? undefined : time(end.at), how: end.how },
  }
}

function keptSocket({ messages, close }: WireSocket, time: (at: Instant) => Instant): WireSocket {
  return {
    messages: messages.map(message => ({ ...message, at: time(message.at) })),
    close: close && { ...close, at: time(close.at) },
  }
}

/** Rounds moments as they come; none is before the one before it. */
export function wholeMilliseconds(): (at: Instant) => Instant {
  let last = 0
  return at => {
    last = Math.max(last, Math.round(at))
    return last
  }
}

/** In the order of each name's first field. */
function keptHeaders(side: 'request' | 'response', headers: HeaderList): HeaderList {
  const fields = new Map<string, string[]>()
  for (const [cased, value] of headers) {
    const name = cased.toLowerCase()
    if (isDroppedHeader(side, name, value)) continue
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return [...fields].flatMap(([name, values]) => values.map(value => [name, value] as const))
}
