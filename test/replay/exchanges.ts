/** Recorded exchanges, written by hand for the replay's tests. */
import type { Cassette, Exchange, Payload, StreamEvent } from '../../src/cassette/model.ts'
import type { JsonValue } from '../../src/wire/json.ts'

export const SERVICE = 'https://generativelanguage.googleapis.com/v1beta'
export const STREAM_PATH = '/models/m:streamGenerateContent?alt=sse'
export const UNARY_PATH = '/models/m:generateContent'

export function text(value: string): Payload {
  return { type: 'text', text: value }
}

/** A request body that asks this. */
export function question(words: string): JsonValue {
  return { contents: [{ parts: [{ text: words }], role: 'user' }] }
}

/** One event of an answer, as the service spells it. */
export function said(words: string, at: number, more: Partial<StreamEvent> = {}): StreamEvent {
  return { at, data: text(`{"candidates": [{"content": {"parts": [{"text": "${words}"}]}}]}`), ...more }
}

/** The last event of an answer. */
export function finished(at: number): StreamEvent {
  return { at, data: text('{"candidates": [{"finishReason": "STOP"}]}') }
}

/** A stream of these events, asked for with these words. */
export function stream(
  words: string,
  events: readonly StreamEvent[],
  more: Partial<Exchange> = {},
): Exchange {
  return {
    exchange: 'generate-content',
    request: {
      method: 'POST',
      url: `${SERVICE}${STREAM_PATH}`,
      headers: [],
      body: { type: 'value', value: question(words) },
    },
    response: {
      at: 10,
      status: 200,
      headers: [['content-type', 'text/event-stream']],
      events,
      trailers: [],
    },
    end: { at: 100, how: undefined },
    line: 3,
    ...more,
  }
}

/** An answer in one body, asked for with these words. */
export function unary(words: string, body: string, more: Partial<Exchange> = {}): Exchange {
  return {
    exchange: 'generate-content',
    request: {
      method: 'POST',
      url: `${SERVICE}${UNARY_PATH}`,
      headers: [],
      body: { type: 'value', value: question(words) },
    },
    response: {
      at: 10,
      status: 200,
      headers: [['content-type', 'application/json; charset=UTF-8']],
      body: text(body),
      trailers: [],
    },
    end: { at: 10, how: undefined },
    line: 3,
    ...more,
  }
}

/** A cassette of these, each ten lines after the one before. */
export function cassette(...exchanges: readonly Exchange[]): Cassette {
  return {
    file: 'test.cassette.yaml',
    documents: [
      { type: 'header', header: { cassette: 1 } },
      ...exchanges.map((exchange, index) => ({
        type: 'exchange' as const,
        exchange: { ...exchange, line: 3 + index * 10 },
      })),
    ],
  }
}
