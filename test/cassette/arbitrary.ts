/** Exchanges as a hostile world would send them: the input of every property of the cassette room. */
import * as fc from 'fast-check'
import { blobsIn } from '../../src/cassette/blobs.ts'
import { composeExchange, type ComposedExchange } from '../../src/cassette/compose.ts'
import type { BlobSource, CassetteDocument, Exchange, Header } from '../../src/cassette/model.ts'
import type { Dialect } from '../../src/dialect/dialect.ts'
import { generateContent } from '../../src/dialect/generate-content.ts'
import { interactions } from '../../src/dialect/interactions.ts'
import { unknown } from '../../src/dialect/unknown.ts'
import { encodeBase64 } from '../../src/wire/base64.ts'
import { END_KINDS, type Chunk, type WireExchange } from '../../src/wire/exchange.ts'
import type { HeaderList } from '../../src/wire/headers.ts'
import { concatBytes, encodeUtf8 } from '../../src/wire/text.ts'

/** Texts that some reader of YAML, JSON or event streams takes for something else. */
const HOSTILE = [
  ['', ' ', 'y', 'No', 'null', '~', 'true', '1:30', '0o7', '0x1F', '1e5', '.5', '1_000', '0b1', '-1', '+1'],
  ['190:20:30', '2001-12-14', '2026-11-30T10:12:04Z', 'NaN', '.nan', 'Infinity', '12e03', '007', '00', '1.'],
  ['-', '- a', '? a', ': a', 'a: b', 'a:', 'a #b', '#c', '&a', '*a', '!t', '|', '>', '%d', '@a', '`b'],
  ['"q"', "it's", `"it's"`, 'a\\b', '\\', 'a\\"', "'", '"', "''", '[DONE]', 'DONE', '{a}', 'a, b', 'why?'],
  ['---', '...', '--- a', 'a -', '__proto__', '<<', '=', 'blob:x@0+5', '"blob:x.png@0+3"', 'end: {}'],
  ['\n', 'a\n', 'a\n\n', '\na', 'a\nb', 'a\n\nb\n', 'a\n\n\nb\n\n', 'a \nb', 'a\n b', ' a\nb', '  a\nb\n\n'],
  ['   {\n  ', '   \n   {', '{\n  "a": 1\n}\n', 'a\n\tb', '\ta', 'a\tb\nc', 'a\r\nb', 'a\rb', ': ping\n\n'],
  ['a\u2028b', 'a\u00a0b', '\u00a0', 'é', '日本語', '\u{1F600}', '\ufeffa', '\u0000', '\u007f', '\u0085'],
  ['a\n# prettier-ignore\nb', 'a  b', '\u3000', 'x'.repeat(90), `${'word '.repeat(20)}end`],
].flat()

/** A text that a file has to be careful with. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '"', "'", '\\', ':', '#', '-', '{', '?', ',', '\t', '1', 'é'),
    maxLength: 14,
  }),
  fc.string({ maxLength: 60 }),
)

/** Base64 that becomes a blob, and some that is too short. */
export const media: fc.Arbitrary<string> = fc.uint8Array({ minLength: 150, maxLength: 250 }).map(encodeBase64)

/** Any JSON value, media in it or not. */
export const json: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hostileText,
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(hostileText, tie('value'), { maxKeys: 3 }),
    fc.record({ mimeType: fc.constant('image/png'), data: media }),
    fc.record({ mime_type: hostileText, data: media, signature: media }),
  ),
})).value

/** A JSON object as a program prints it. */
export const jsonText: fc.Arbitrary<string> = fc
  .tuple(fc.dictionary(fc.string({ maxLength: 8 }), json, { maxKeys: 4 }), fc.constantFrom(undefined, 2))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent))

/** JSON that says more than its value does. */
export const oddJson: fc.Arbitrary<string> = fc.constantFrom(
  '{"a": 1.0, "b": [1e5, -2.50]}',
  '{"a": 12345678901234567890}',
  '[-0]',
  '{"a": 1, "a": 2}',
  '{"2": 0, "1": 0}',
  '"top"',
  '["DONE"]',
  String.raw`{"a": "\u00e9\ud83d\ude00", "b": "\ud83d"}`,
  `${'['.repeat(60)}1${']'.repeat(60)}`,
  `${'['.repeat(61)}1${']'.repeat(61)}`,
)

const event = fc
  .tuple(fc.constantFrom('', 'event: step\r\n', 'id: 1\n'), jsonText, fc.constantFrom('\r\n', '\n', '\r'))
  .map(([head, data, eol]) => `${head}data: ${data.replaceAll('\n', `${eol}data: `)}${eol}${eol}`)

/** Bytes that are a stream of events, or nearly. */
const streamBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: event },
      {
        weight: 1,
        arbitrary: fc.constantFrom('data: [DONE]\n\n', ': ping\n\n', ': ping\r\n\r\n', '\n', '\r', 'data: '),
      },
      { weight: 1, arbitrary: hostileText },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 6 }) },
    ),
    { maxLength: 6 },
  )
  .map(joined)

const bodyBytes: fc.Arbitrary<Uint8Array> = fc
  .oneof(
    fc.constant(''),
    hostileText,
    jsonText,
    oddJson,
    jsonText.map(text => generateContent.spell(JSON.parse(text))),
    fc.uint8Array({ maxLength: 8 }),
    fc.uint8Array({ minLength: 200, maxLength: 300 }),
  )
  .map(body => joined([body]))

function joined(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  return concatBytes(pieces.map(piece => (typeof piece === 'string' ? encodeUtf8(piece) : piece)))
}

/** Bytes cut anywhere, in mid-character and mid-line-end too, each chunk later than the one before or not. */
function chunked(bytes: Uint8Array): fc.Arbitrary<readonly Chunk[]> {
  return fc
    .tuple(
      fc.uniqueArray(fc.nat(Math.max(0, bytes.length - 1)), { maxLength: 8 }),
      fc.array(fc.constantFrom(0, 0.3, 7, 40), { minLength: 9, maxLength: 9 }),
    )
    .map(([places, gaps]) => {
      const edges = [0, ...places.filter(place => place > 0).toSorted((a, b) => a - b), bytes.length]
      let at = 12
      return edges.slice(1).flatMap((end, index) => {
        at += gaps[index] ?? 0
        const chunk = { at, bytes: bytes.subarray(edges[index], end) }
        return chunk.bytes.length === 0 ? [] : [chunk]
      })
    })
}

const headerValue = fc.oneof(
  fc.constantFrom(
    '12',
    'true',
    '',
    'a: b',
    'null',
    'text/plain; charset="x"',
    'r\u00e9sum\u00e9',
    '2001-12-14',
    '# a',
  ),
  fc.string({ maxLength: 40 }),
)
const headers: fc.Arbitrary<HeaderList> = fc.array(
  fc.tuple(fc.constantFrom('X-One', 'x-one', 'retry-after', '1', 'null', 'date', '__proto__'), headerValue),
  { maxLength: 4 },
)

function response(
  contentType: string,
  body: fc.Arbitrary<Uint8Array>,
): fc.Arbitrary<WireExchange['response']> {
  return fc.record({
    at: fc.constantFrom(0, 3.7, 12),
    status: fc.constantFrom(200, 404, 429, 503),
    reason: fc.constantFrom(undefined, '', 'OK # not', 'No: Luck'),
    headers: headers.map(list => [...list, ['Content-Type', contentType] as const]),
    chunks: body.chain(chunked),
    trailers: headers,
  })
}

const answer = fc.oneof(
  response('text/event-stream', streamBytes),
  response('application/json; charset=UTF-8', bodyBytes),
  response('image/png', bodyBytes),
)

/** An exchange as the journal has it. */
export const wireExchange: fc.Arbitrary<WireExchange> = fc
  .record({
    at: fc.nat({ max: 100_000 }).map(at => at / 10),
    request: fc.record({
      method: fc.constantFrom('GET', 'POST', 'DELETE'),
      url: fc.constantFrom('https://api.test/v1/models/m:x?alt=sse', 'https://api.test/a?b=%20#c'),
      headers,
      body: fc.option(bodyBytes, { nil: undefined }),
    }),
    response: fc.option(answer, { nil: undefined }),
    how: fc.option(fc.constantFrom(...END_KINDS), { nil: undefined }),
  })
  .map(({ how, ...exchange }) => ({
    ...exchange,
    end: { at: 5000.2, how: how ?? (exchange.response === undefined ? 'upstream-error' : undefined) },
  }))

/** Any of the dialects whose exchanges are HTTP. */
export const dialect: fc.Arbitrary<Dialect> = fc.constantFrom(generateContent, interactions, unknown)

/** A name from the bytes, as a store gives one. Short, so that a test can make two collide. */
export function nameBlob(bytes: Uint8Array, mimeType: string): string {
  const sum = bytes.reduce((hash, byte) => (hash * 31 + byte) % 4_294_967_296, 7)
  return `${sum.toString(16)}${mimeType === 'image/png' ? '.png' : ''}`
}

/** The blobs of some composed exchanges. */
export function blobsOf(composed: readonly ComposedExchange[]): BlobSource {
  const blobs = new Map(composed.flatMap(one => one.blobs.map(({ name, bytes }) => [name, bytes] as const)))
  return blobsIn(blobs)
}

const header: fc.Arbitrary<Header> = fc.record({
  cassette: fc.constant(1 as const),
  recorded: fc.constantFrom(undefined, '2026-11-30T10:12:04Z', '2026-11-30T10:12:04.120Z'),
  by: fc.option(hostileText, { nil: undefined }),
  client: fc.option(hostileText, { nil: undefined }),
  note: fc.option(hostileText, { nil: undefined }),
  expires: fc.constantFrom(undefined, '2027-01-31', '2027-01-31T12:00:00Z', '2027-01-31T12:00:00.5+01:00'),
})

/** A document with what only people write in it. */
const edited: fc.Arbitrary<Exchange> = fc
  .tuple(
    wireExchange,
    dialect,
    fc.record({
      name: fc.option(hostileText, { nil: undefined }),
      note: fc.option(hostileText, { nil: undefined }),
      repeat: fc.constantFrom(undefined, 3, 'always' as const),
      match: fc.constantFrom(undefined, 'route' as const, 'strict-order' as const),
    }),
    fc.constantFrom(undefined, true as const),
  )
  .map(([wire, api, words, hold]) => {
    const { exchange } = composeExchange(wire, api, nameBlob, 1)
    const { response: recorded } = exchange
    const events = recorded?.events?.map(one => ({ ...one, hold: one.raw === undefined ? hold : undefined }))
    return { ...exchange, ...words, response: recorded && { ...recorded, events } }
  })

/** The documents of a whole file, a header first and perhaps another later. */
export const documents: fc.Arbitrary<readonly CassetteDocument[]> = fc
  .tuple(
    header,
    fc.array(edited, { maxLength: 3 }),
    fc.option(header, { nil: undefined }),
    fc.array(edited, { maxLength: 1 }),
  )
  .map(([first, exchanges, second, more]) => [
    { type: 'header', header: first },
    ...exchanges.map(exchange => ({ type: 'exchange', exchange }) as const),
    ...(second === undefined ? [] : [{ type: 'header', header: second } as const]),
    ...more.map(exchange => ({ type: 'exchange', exchange }) as const),
  ])
