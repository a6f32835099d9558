/**
 * Writes a cassette: documents in, YAML text out.
 *
 * The keys come in the order of `docs/format.md`, `end` last: a document without it is torn. The text is a
 * fixed point of Prettier and oxfmt, so a formatter run over a repository changes no cassette.
 *
 * Room: cassette.
 */
import type { HeaderList } from '../wire/headers.ts'
import type { JsonValue } from '../wire/json.ts'
import type {
  CassetteDocument,
  Cut,
  Exchange,
  Header,
  Payload,
  RecordedRequest,
  RecordedResponse,
  StreamEvent,
} from './model.ts'
import { layOut, type YamlMap, type YamlNode } from './render-yaml.ts'

/** A key whose value is left out where it is undefined. */
type Entry = readonly [key: string, value: YamlNode | undefined]

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
      return layOut(exchangeNode(document.exchange))
  }
}

function headerNode(header: Header): YamlMap {
  return blockMap([
    ['cassette', number(header.cassette)],
    ['recorded', optional(header.recorded, moment)],
    ['by', optional(header.by, string)],
    ['client', optional(header.client, string)],
    ['note', optional(header.note, string)],
  ])
}

function exchangeNode(exchange: Exchange): YamlMap {
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
    [
      'blobs',
      optional(exchange.blobs, blobs =>
        flowMap(Object.entries(blobs).map(([name, size]) => [name, number(size)])),
      ),
    ],
    [
      'end',
      flowMap([
        ['at', optional(exchange.end.at, number)],
        ['how', optional(exchange.end.how, verbatim)],
      ]),
    ],
  ])
}

function requestNode(request: RecordedRequest): YamlMap {
  return blockMap([
    ['method', string(request.method)],
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

function payloadEntries(key: 'body' | 'data' | 'raw', payload: Payload | undefined): readonly Entry[] {
  if (payload === undefined) return []
  switch (payload.type) {
    case 'text':
      return [[key, { type: 'payload', text: payload.text }]]
    case 'value':
      return [[key, valueNode(payload.value, payload.numbers)]]
    case 'base64':
      return [[`${key}-base64`, string(payload.base64)]]
  }
}

/** A JSON value as nodes; its numbers spelled as `lexemes` say, in order. */
function valueNode(root: JsonValue, lexemes: readonly string[] = []): YamlNode {
  let used = 0

  function node(value: JsonValue): YamlNode {
    if (typeof value === 'string') return string(value)
    if (typeof value === 'number') {
      const lexeme = lexemes[used]
      used += 1
      return verbatim(lexeme ?? value)
    }
    if (typeof value === 'boolean' || value === null) return verbatim(value)
    if (isList(value)) return { type: 'list', layout: 'auto', items: value.map(node) }
    return {
      type: 'map',
      layout: 'auto',
      entries: Object.entries(value).map(([key, item]) => [key, node(item)]),
    }
  }

  return node(root)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function blockMap(entries: readonly Entry[]): YamlMap {
  return { type: 'map', layout: 'block', entries: entries.filter(isPresent) }
}

function flowMap(entries: readonly Entry[]): YamlMap {
  return { type: 'map', layout: 'auto', entries: entries.filter(isPresent) }
}

function isPresent(entry: Entry): entry is readonly [string, YamlNode] {
  return entry[1] !== undefined
}

function optional<T>(value: T | undefined, render: (value: T) => YamlNode): YamlNode | undefined {
  return value === undefined ? undefined : render(value)
}

function string(text: string): YamlNode {
  return { type: 'string', text }
}

function number(value: number): YamlNode {
  return verbatim(value)
}

function verbatim(value: string | number | boolean | null): YamlNode {
  return { type: 'verbatim', text: String(value) }
}

/** A moment of RFC 3339 stays plain: a reader that takes it for a date loses nothing that we read. */
function moment(text: string): YamlNode {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? verbatim(text) : string(text)
}
