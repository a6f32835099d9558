/**
 * What is wrong with a cassette that can be read: secrets, times, blobs, headers, and what the API would
 * never send.
 *
 * An exchange that shows such a thing on purpose says so: `x-lint-allow: [name-of-the-check]`.
 *
 * Room: cassette.
 */
import { CHECKS } from '../dialect/checks.ts'
import { isDroppedHeader } from '../dialect/headers.ts'
import type { HeaderList } from '../wire/headers.ts'
import { referredName, referredNames } from './blobs.ts'
import type { Cassette, Exchange } from './model.ts'
import { payloadsOf } from './payloads.ts'
import { placesOf, type ExchangePlaces } from './places.ts'
import { findSecrets } from './secrets.ts'
import { traceOf } from './trace.ts'

/** One thing that is wrong. */
export interface Finding {
  /** The name of the check; `docs/lint.md` has a row for each. */
  readonly check: string
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The exchange, from 1; undefined where it is about the file. */
  readonly exchange?: number | undefined
  /** A sentence without its full stop. */
  readonly message: string
}

/** A cassette, and what lies beside it. */
export interface Lintable {
  readonly cassette: Cassette
  readonly text: string
  /** Everything in its blob folder. */
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

/** The checks that know no API, in the order of `docs/lint.md`; the others are {@link CHECKS}. */
export const CASSETTE_CHECKS = [
  'format',
  'secret',
  'time-order',
  'blob-missing',
  'blob-unused',
  'header-dropped',
  'allow',
] as const

type Found = Omit<Finding, 'file'>

/** All findings, in order of lines. */
export function lintCassette({ cassette, text, blobs }: Lintable): readonly Finding[] {
  const { file } = cassette
  const places = placesOf(text, { file })
  const exchanges = exchangesOf(cassette)
  const found = [
    ...secretFindings(cassette, text, blobs),
    ...timeFindings(cassette),
    ...exchanges.flatMap((exchange, index) => exchangeFindings(exchange, index + 1, places[index])),
    ...blobFindings(exchanges, blobs),
  ]
  return [...found].toSorted((one, other) => one.line - other.line).map(finding => ({ ...finding, file }))
}

function exchangesOf({ documents }: Cassette): readonly Exchange[] {
  return documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
}

function secretFindings(
  cassette: Cassette,
  text: string,
  blobs: ReadonlyMap<string, Uint8Array>,
): readonly Found[] {
  return findSecrets(cassette, text, blobs).map(({ kind, line = 1, exchange, blob }) => ({
    check: 'secret',
    line,
    exchange,
    message: `a secret of the kind \`${kind}\`${blob === undefined ? '' : ` in the blob \`${blob}\``}`,
  }))
}

/** Times inside an exchange are the reader's business; `at` counts from the header before it. */
function timeFindings({ documents }: Cassette): readonly Found[] {
  let last = 0
  let number = 0
  return documents.flatMap((document): readonly Found[] => {
    if (document.type === 'header') {
      last = 0
      return []
    }
    number += 1
    const { at, line } = document.exchange
    if (at === undefined) return []
    const before = last
    last = Math.max(last, at)
    if (at >= before) return []
    const message = `begins at ${at} ms, the exchange before it at ${before} ms: exchanges are in order of their start`
    return [{ check: 'time-order', line, exchange: number, message }]
  })
}

/** The checks of one exchange, without those that it allows. An allowance that is not needed is a finding. */
function exchangeFindings(
  exchange: Exchange,
  number: number,
  places: ExchangePlaces = { line: exchange.line, steps: [], allowed: [] },
): readonly Found[] {
  const trace = traceOf(exchange)
  const found: readonly Found[] = [
    ...CHECKS.flatMap(({ name, objections }) =>
      objections(trace).map(({ number: step, message }) => ({
        check: name,
        line: (step === undefined ? undefined : places.steps[step - 1]) ?? places.line,
        exchange: number,
        message,
      })),
    ),
    ...headerFindings(exchange, number, places.line),
  ]
  const allowed = new Set(places.allowed.map(({ name }) => name))
  const needless = places.allowed
    .filter(({ name }) => !found.some(({ check }) => check === name))
    .map(({ name, line }) => ({
      check: 'allow',
      line,
      exchange: number,
      message: `\`x-lint-allow\` names \`${name}\`, which finds nothing here`,
    }))
  return [...found.filter(({ check }) => !allowed.has(check)), ...needless]
}

function headerFindings({ request, response }: Exchange, number: number, line: number): readonly Found[] {
  const dropped = (side: 'request' | 'response', headers: HeaderList): readonly Found[] =>
    headers
      .filter(([name, value]) => isDroppedHeader(side, name, value))
      .map(([name]) => ({
        check: 'header-dropped',
        line,
        exchange: number,
        message: `the ${side} has the header \`${name}\`, which a recording leaves out`,
      }))
  return [
    ...dropped('request', request.headers),
    ...dropped('response', response?.headers ?? []),
    ...dropped('response', response?.trailers ?? []),
  ]
}

function blobFindings(
  exchanges: readonly Exchange[],
  blobs: ReadonlyMap<string, Uint8Array>,
): readonly Found[] {
  const listed = new Set(exchanges.flatMap(({ blobs: names = {} }) => Object.keys(names)))
  const strays = [...blobs.keys()]
    .filter(name => !listed.has(name))
    .map(name => ({
      check: 'blob-unused',
      line: 1,
      message: `the blob \`${name}\` is in no exchange's \`blobs\``,
    }))
  return [...strays, ...exchanges.flatMap((exchange, index) => listedFindings(exchange, index + 1, blobs))]
}

function listedFindings(
  exchange: Exchange,
  number: number,
  blobs: ReadonlyMap<string, Uint8Array>,
): readonly Found[] {
  const used = new Set(payloadNames(exchange))
  return Object.entries(exchange.blobs ?? {}).flatMap(([name, length]): readonly Found[] => {
    const place = { line: exchange.line, exchange: number }
    const found = blobs.get(name)?.length
    if (found === undefined)
      return [{ ...place, check: 'blob-missing', message: `the blob \`${name}\` is missing` }]
    if (found !== length) {
      const message = `the blob \`${name}\` has ${found} bytes, and ${length} are listed`
      return [{ ...place, check: 'blob-missing', message }]
    }
    if (used.has(name)) return []
    return [
      { ...place, check: 'blob-unused', message: `the blob \`${name}\` is listed, and nothing refers to it` },
    ]
  })
}

/** The blobs that an exchange's payloads refer to. */
function payloadNames(exchange: Exchange): readonly string[] {
  return payloadsOf(exchange).flatMap(payload => {
    switch (payload.type) {
      case 'text':
        return referredNames(payload.text)
      case 'value':
        // A string of a value stands in quotes there, as one in a text does.
        return referredNames(JSON.stringify(payload.value))
      case 'base64':
        return [referredName(payload.base64) ?? '']
    }
  })
}
