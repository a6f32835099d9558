/**
 * From a document to the conversation that it records, for those who read it and not its bytes.
 *
 * Blobs are not needed: where one stands in for base64, its length is in the reference.
 *
 * Room: cassette.
 */
import type { Instant } from '../clock.ts'
import type { Carrier, Content, Said, Trace, TraceClose, Weigh } from '../dialect/trace.ts'
import { decodeBase64 } from '../wire/base64.ts'
import { parseStructure } from '../wire/json.ts'
import { referredStretch } from './blobs.ts'
import type { Exchange, Payload, RecordedResponse, SocketMessage, StreamEvent } from './model.ts'

/** The conversation of an exchange. */
export function traceOf(exchange: Exchange): Trace {
  const { request, response, messages, end } = exchange
  const asked: readonly Said[] =
    request.body === undefined ? [] : [said('client', 0, 'request', contentOf(request.body, exchange))]
  return {
    dialect: exchange.exchange,
    method: request.method,
    url: request.url,
    requestHeaders: request.headers,
    head: response && {
      at: response.at,
      status: response.status,
      reason: response.reason,
      headers: response.headers,
    },
    answer: answerKind(exchange),
    eol: exchange.eol,
    said: [
      ...asked,
      ...(response === undefined ? [] : answered(response, exchange)),
      ...(messages === undefined ? [] : spoken(messages, exchange)),
    ],
    close: messages === undefined ? undefined : closeOf(messages),
    endedAt: end.at,
    ended: end.how,
  }
}

/** How many bytes stand behind a `data` field: of the blob that it refers to, else of its base64. */
export function weighIn(exchange: Exchange): Weigh {
  return data => referredIn(exchange, data) ?? base64Length(data)
}

function referredIn({ blobs = {} }: Exchange, text: string): number | undefined {
  const stretch = referredStretch(text)
  return stretch !== undefined && Object.hasOwn(blobs, stretch.name) ? stretch.length : undefined
}

function base64Length(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.floor(((data.length - padding) * 3) / 4)
}

function answerKind({ response, messages }: Exchange): Trace['answer'] {
  if (messages !== undefined) return 'socket'
  if (response === undefined) return 'none'
  return response.events === undefined ? 'body' : 'stream'
}

function answered({ at, body, events = [] }: RecordedResponse, exchange: Exchange): readonly Said[] {
  if (body !== undefined) return [said('server', at, 'body', contentOf(body, exchange))]
  let last = at
  return events.map((event, index) => {
    last = event.at ?? last
    return eventSaid(event, index + 1, last, exchange)
  })
}

function eventSaid(event: StreamEvent, number: number, at: Instant | undefined, exchange: Exchange): Said {
  const { data, raw, event: name, id, retry } = event
  const payload = data ?? raw
  const lines = Object.entries({ event: name, id, retry }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return {
    ...said('server', at, raw === undefined ? 'event' : 'raw', payload && contentOf(payload, exchange)),
    number,
    lines: Object.fromEntries(lines),
  }
}

function spoken(messages: readonly SocketMessage[], exchange: Exchange): readonly Said[] {
  let last: Instant | undefined
  return messages.flatMap((message, index) => {
    last = message.at ?? last
    const payload = message.client ?? message.server
    if (payload === undefined) return []
    const from = message.client === undefined ? 'server' : 'client'
    const content = contentOf(payload, exchange)
    return [{ ...said(from, last, 'message', content), number: index + 1, frame: message.frame }]
  })
}

function closeOf(messages: readonly SocketMessage[]): TraceClose | undefined {
  const message = messages.find(({ close }) => close !== undefined)
  if (message?.close === undefined) return undefined
  const { by, code, reason = '' } = message.close
  return { at: message.at, by, code, reason }
}

function said(from: Said['from'], at: Instant | undefined, carrier: Carrier, content: Said['content']): Said {
  return { from, at, carrier, number: undefined, content, lines: {}, frame: undefined }
}

function contentOf(payload: Payload, exchange: Exchange): Content {
  switch (payload.type) {
    case 'value':
      return { type: 'json', value: payload.value, text: undefined }
    case 'text': {
      const value = parseStructure(payload.text)
      if (value === undefined) return { type: 'text', text: payload.text }
      return { type: 'json', value, text: payload.text }
    }
    case 'base64': {
      const length = referredIn(exchange, payload.base64) ?? decodeBase64(payload.base64)?.length ?? 0
      return { type: 'bytes', length }
    }
  }
}
