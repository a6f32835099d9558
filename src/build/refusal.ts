/**
 * A socket that the service refuses to open.
 *
 * Room: build.
 */
import { live } from '../dialect/live.ts'
import { headersOf, type ExchangeOptions } from './answer.ts'
import type { BuiltExchange } from './media.ts'

/** The answer to an upgrade that is refused. */
export interface Refusal {
  /** Always `refusal`. */
  readonly type: 'refusal'
  /** Of HTTP, from 300 on. */
  readonly status: number
  /** Exactly this text. */
  readonly body: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** A socket that is refused: the status, and what the body says. */
export function refused(
  status: number,
  body = '',
  options: { readonly headers?: Readonly<Record<string, string>> | undefined } = {},
): Refusal {
  return { type: 'refusal', status, body, headers: { 'content-type': 'text/plain', ...options.headers } }
}

/** The document of a socket that is refused. */
export function composeRefusal(
  url: string,
  { status, body, headers }: Refusal,
  { name, note, at, repeat, match }: ExchangeOptions,
): BuiltExchange {
  const exchange = {
    exchange: live.name,
    name,
    note,
    at,
    repeat,
    match,
    request: { method: 'GET', url, headers: [], body: undefined },
    response: {
      status,
      headers: headersOf(headers),
      body: body === '' ? undefined : ({ type: 'text', text: body } as const),
      trailers: [],
    },
    end: { at: undefined, how: undefined },
    line: 0,
  }
  return { exchange, blobs: [] }
}
