/**
 * From what is said on an exchange of HTTP to its document.
 *
 * Room: build.
 */
import type { MediaHandling } from '../cassette/media.ts'
import type { MatchKind, RecordedRequest, RecordedResponse } from '../cassette/model.ts'
import type { DraftEvent } from '../dialect/build-draft.ts'
import { errorValue, type ErrorBody } from '../dialect/build-errors.ts'
import { wrongUse } from '../dialect/build-items.ts'
import type { BodyItem, EndItem, HeadItem } from '../dialect/build-stream.ts'
import type { Dialect, RequestLine } from '../dialect/dialect.ts'
import type { EndKind } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'
import type { JsonValue } from '../wire/json.ts'
import { withMedia, type BuiltExchange } from './media.ts'
import { bytesPayload, cutOf, jsonPayload, streamEvents, textPayload } from './payload.ts'

/** What is said of an exchange besides its request and its answer. */
export interface ExchangeOptions {
  /** A name for people and reports. */
  readonly name?: string | undefined
  /** Anything, for people. */
  readonly note?: string | undefined
  /** When its request arrived: milliseconds since the recording began. */
  readonly at?: number | undefined
  /** How often it may be asked for; once unless given. */
  readonly repeat?: number | 'always' | undefined
  /** How a request is compared with it; by route where nothing is said of what is asked, else as the replay is told. */
  readonly match?: MatchKind | undefined
}

/** What is said of a request besides what it asks. */
export interface RequestOptions extends ExchangeOptions {
  /** Header fields that a cassette keeps. Requests are not compared by them. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request that waits for its answer. */
export interface Asking extends ExchangeOptions {
  readonly line: RequestLine
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where nothing is said of what is asked. */
  readonly body: JsonValue | undefined
}

/** What an answer is: a stream, a body, an error, or none at all. */
export type AnswerDraft =
  | { readonly type: 'stream'; readonly events: readonly DraftEvent[] }
  | { readonly type: 'value'; readonly value: JsonValue }
  | { readonly type: 'body'; readonly body: BodyItem }
  | { readonly type: 'error'; readonly error: ErrorBody; readonly contentType: string }
  | { readonly type: 'none'; readonly how: EndKind }

const JSON_TYPE = 'application/json; charset=UTF-8'

/** The head and the end of an answer, where they are not the usual ones. */
export interface Ends {
  readonly head: HeadItem | undefined
  readonly end: EndItem | undefined
}

/** Takes the head and the end out of what is said; each may be said once, the end last. */
export function withoutEnds<Item>(
  items: readonly (Item | HeadItem | EndItem)[],
): Ends & { readonly said: readonly Item[] } {
  const said: Item[] = []
  let head: HeadItem | undefined
  let end: EndItem | undefined
  for (const item of items) {
    if (end !== undefined) throw wrongUse('Something comes after the end() of an answer.', 'Put end() last.')
    if (isEnd(item)) end = item
    else if (!isHead(item)) said.push(item)
    else if (head === undefined) head = item
    else throw wrongUse('An answer has two heads.', 'Say all of it in one head().')
  }
  return { said, head, end }
}

function isHead(item: unknown): item is HeadItem {
  return isOf(item, 'head')
}

function isEnd(item: unknown): item is EndItem {
  return isOf(item, 'end')
}

/** True for an item of this type. */
export function isOf(item: unknown, type: string): boolean {
  return typeof item === 'object' && item !== null && 'type' in item && item.type === type
}

/** Everything that the document of an exchange is made from. */
export interface AnsweredDraft {
  /** Its number in the cassette, from 1. */
  readonly number: number
  readonly asking: Asking
  readonly dialect: Dialect
  readonly answer: AnswerDraft
  readonly ends: Ends
}

/** The document of an exchange. */
export function composeAnswer({ number, asking, dialect, answer, ends }: AnsweredDraft): BuiltExchange {
  const { line, body, headers: _headers, match, ...options } = asking
  const { head, end } = ends
  const isOpen = body === undefined && line.method === 'POST'
  return withMedia(number, media => ({
    exchange: dialect.name,
    ...options,
    match: match ?? (isOpen ? 'route' : undefined),
    request: requestOf(asking, media),
    response: responseOf(answer, dialect, media, head),
    end: { at: end?.at, how: end?.how ?? (answer.type === 'none' ? answer.how : undefined) },
    line: 0,
  }))
}

function requestOf({ line, headers, body }: Asking, media: MediaHandling): RecordedRequest {
  return {
    method: line.method,
    url: line.url,
    headers: headersOf(headers),
    body: body === undefined ? undefined : jsonPayload(body, value => JSON.stringify(value), media),
  }
}

function responseOf(
  answer: AnswerDraft,
  dialect: Dialect,
  media: MediaHandling,
  head: HeadItem | undefined,
): RecordedResponse | undefined {
  if (answer.type === 'none') return undefined
  const { at, reason, trailers } = head ?? {}
  const fields = (status: number, contentType: string): Omit<RecordedResponse, 'body' | 'events'> => ({
    at,
    status: head?.status ?? status,
    reason,
    cuts: head?.cuts?.map(cutOf),
    headers: headersOf({ 'content-type': contentType, ...lowered(head?.headers ?? {}) }),
    trailers: headersOf(trailers ?? {}),
  })
  const spell = (value: JsonValue): string => dialect.spell(value)
  switch (answer.type) {
    case 'stream':
      return { ...fields(200, 'text/event-stream'), events: streamEvents(answer.events, dialect, media) }
    case 'value':
      return { ...fields(200, JSON_TYPE), body: jsonPayload(answer.value, spell, media) }
    case 'error': {
      const { error, contentType } = answer
      return { ...fields(error.code, contentType), body: jsonPayload(errorValue(error), spell, media) }
    }
    case 'body': {
      const { value, contentType } = answer.body
      if (value === '' || (value instanceof Uint8Array && value.length === 0)) {
        return fields(200, contentType ?? 'text/plain; charset=UTF-8')
      }
      if (typeof value === 'string') {
        return { ...fields(200, contentType ?? 'text/plain; charset=UTF-8'), body: textPayload(value, media) }
      }
      if (value instanceof Uint8Array) {
        const type = contentType ?? 'application/octet-stream'
        return { ...fields(200, type), body: bytesPayload(value, type, media) }
      }
      return { ...fields(200, contentType ?? JSON_TYPE), body: jsonPayload(value, spell, media) }
    }
  }
}

/** Header fields as a document has them, names in lower case. */
export function headersOf(fields: Readonly<Record<string, string>>): HeaderList {
  return Object.entries(lowered(fields))
}

function lowered(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]))
}
