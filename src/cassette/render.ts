/**
 * Writes a cassette: documents in, YAML text out.
 *
 * The keys come in the order of `docs/format.md`, `end` last: a document without it is torn. The text is a
 * fixed point of Prettier and oxfmt, so a formatter run over a repository changes no cassette.
 *
 * Room: cassette.
 */
import { isSocketUrl } from '../dialect/operation.ts'
import type { End } from '../wire/exchange.ts'
import type { HeaderList } from '../wire/headers.ts'
import type {
  CassetteDocument,
  Cut,
  Exchange,
  Header,
  RecordedRequest,
  RecordedResponse,
  SocketClose,
  SocketMessage,
  StreamEvent,
} from './model.ts'
import {
  blockMap,
  flowMap,
  moment,
  number,
  optional,
  payloadEntries,
  string,
  verbatim,
} from './render-node.ts'
import { layOut, layOutItem, layOutKey, type YamlMap, type YamlNode } from './render-yaml.ts'

/** The text of a whole cassette, its documents in order. */
export function renderCassette(documents: readonly CassetteDocument[]): string {
  return documents.map(renderDocument).join('---\n')
}

/** The text of one document, its last line feed included, without the `---` that parts it from others. */
export function renderDocument(document: CassetteDocument): string {
  switch (document.type) {
    case 'header':
      return layOut(headerNode(document.header))
    case 'exchange':
      return renderExchange(document.exchange)
  }
}

/**
 * The first part of an exchange's text, up to its `messages`. A socket may have more of them than there is
 * memory for, so its document can be written in parts: this, each message, and the rest.
 */
export function renderStart(exchange: Omit<Exchange, 'messages' | 'blobs' | 'end'>): string {
  return layOut(startNode(exchange))
}

/** What the text of the first message of a socket begins with. */
export const MESSAGES_KEY: string = layOutKey('messages')

/** One message of a socket; `first`: the key of the list comes before it. */
export function renderMessage(message: SocketMessage, place: 'first' | 'later'): string {
  return (place === 'first' ? MESSAGES_KEY : '') + layOutItem(messageNode(message))
}

/** The last part, from behind the messages; `messages` says whether none was written, or there are none. */
export function renderRest(
  { blobs, end }: { readonly blobs?: Exchange['blobs']; readonly end: End },
  messages: 'written' | 'empty' | 'none',
): string {
  const empty: YamlNode = { type: 'list', layout: 'block', items: [] }
  return layOut(
    blockMap([
      ['messages', messages === 'empty' ? empty : undefined],
      [
        'blobs',
        optional(blobs, listed =>
          flowMap(Object.entries(listed).map(([name, size]) => [name, number(size)])),
        ),
      ],
      [
        'end',
        flowMap([
          ['at', optional(end.at, number)],
          ['how', optional(end.how, verbatim)],
        ]),
      ],
    ]),
  )
}

function renderExchange(exchange: Exchange): string {
  const { messages } = exchange
  const state = messages === undefined ? 'none' : messages.length === 0 ? 'empty' : 'written'
  const parts = messages?.map((message, index) => renderMessage(message, index === 0 ? 'first' : 'later'))
  return renderStart(exchange) + (parts ?? []).join('') + renderRest(exchange, state)
}

function headerNode(header: Header): YamlMap {
  return blockMap([
    ['cassette', number(header.cassette)],
    ['recorded', optional(header.recorded, moment)],
    ['by', optional(header.by, string)],
    ['client', optional(header.client, string)],
    ['note', optional(header.note, string)],
    ['expires', optional(header.expires, moment)],
  ])
}

function startNode(exchange: Omit<Exchange, 'messages' | 'blobs' | 'end'>): YamlMap {
  return blockMap([
    ['exchange', string(exchange.exchange)],
    ['name', optional(exchange.name, string)],
    ['note', optional(exchange.note, string)],
    ['at', optional(exchange.at, number)],
    ['repeat', optional(exchange.repeat, verbatim)],
    ['match', optional(exchange.match, verbatim)],
    ['eol', optional(exchange.eol, verbatim)],
    ['request', requestNode(exchange.request)],
    ['response', optional(exchange.response, responseNode)],
  ])
}

function requestNode(request: RecordedRequest): YamlMap {
  return blockMap([
    // A socket is always asked for by a GET.
    ['method', isSocketUrl(request.url) ? undefined : string(request.method)],
    ['url', string(request.url)],
    ['headers', headersNode(request.headers)],
    ...payloadEntries('body', request.body),
  ])
}

function responseNode(response: RecordedResponse): YamlMap {
  return blockMap([
    ['at', optional(response.at, number)],
    ['status', number(response.status)],
    ['reason', optional(response.reason, string)],
    ['headers', headersNode(response.headers)],
    ['trailers', headersNode(response.trailers)],
    ['cuts', cutsNode(response.cuts)],
    ...payloadEntries('body', response.body),
    [
      'events',
      optional(response.events, events => ({ type: 'list', layout: 'block', items: events.map(eventNode) })),
    ],
  ])
}

function eventNode(event: StreamEvent): YamlMap {
  return blockMap([
    ['at', optional(event.at, number)],
    ['joined', optional(event.joined, verbatim)],
    ['cuts', cutsNode(event.cuts)],
    ['hold', optional(event.hold, verbatim)],
    ['event', optional(event.event, string)],
    ['id', optional(event.id, string)],
    ['retry', optional(event.retry, string)],
    ...payloadEntries('data', event.data),
    ...payloadEntries('raw', event.raw),
  ])
}

function messageNode({ at, frame, client, server, close }: SocketMessage): YamlMap {
  return blockMap([
    ['at', optional(at, number)],
    ['frame', optional(frame, verbatim)],
    ...payloadEntries('client', client),
    ...payloadEntries('server', server),
    ['close', optional(close, closeNode)],
  ])
}

function closeNode({ by, code, reason }: SocketClose): YamlMap {
  return flowMap([
    ['by', verbatim(by)],
    ['code', optional(code, number)],
    ['reason', optional(reason, string)],
  ])
}

/** A repeated field is a list, in the place of its first. */
function headersNode(headers: HeaderList): YamlMap | undefined {
  if (headers.length === 0) return undefined
  const fields = new Map<string, string[]>()
  for (const [name, value] of headers) {
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return flowMap(
    [...fields].map(([name, values]) => [
      name,
      values.length === 1
        ? string(values[0] ?? '')
        : { type: 'list', layout: 'auto', items: values.map(string) },
    ]),
  )
}

function cutsNode(cuts: readonly Cut[] | undefined): YamlNode | undefined {
  if (cuts === undefined || cuts.length === 0) return undefined
  const items = cuts.map(({ offset, at }) => verbatim(at === undefined ? offset : `${offset}@${at}`))
  return { type: 'list', layout: 'auto', items }
}
