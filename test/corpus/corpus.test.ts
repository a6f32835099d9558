/**
 * Real traffic comes back from record-then-replay with the bytes and the edges it was served with.
 *
 * The folder is named by `WIRETAPE_CORPUS`; where it is not set, these tests say that they are skipped.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { SECRET_RULES } from '../../src/dialect/secrets.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { cutBody } from './cuts.ts'
import {
  CORPUS,
  firebaseBodies,
  httpLogs,
  vercelBodies,
  type CorpusExchange,
  type CorpusFile,
} from './recordings.ts'
import { roundTrip, type RoundTrip } from './round-trip.ts'

/** What must be there: a number that shrinks in silence would make these tests say less than they seem to. */
const SETS: readonly {
  readonly name: string
  readonly read: (corpus: string) => CorpusFile[]
  readonly files: number
  readonly exchanges: number
}[] = [
  { name: 'js-genai/http', read: httpLogs, files: 82, exchanges: 112 },
  { name: 'firebase', read: firebaseBodies, files: 127, exchanges: 127 },
  {
    name: 'vercel/generate-content',
    read: corpus => vercelBodies(corpus, 'generate-content'),
    files: 15,
    exchanges: 15,
  },
  {
    name: 'vercel/interactions',
    read: corpus => vercelBodies(corpus, 'interactions'),
    files: 17,
    exchanges: 17,
  },
]

/** The files whose answers hold something that is redacted: they come back equal after redaction. */
const REDACTED: readonly string[] = [
  'googleai/unary-failure-generativelanguage-api-not-enabled.json',
  'vertexai/unary-failure-firebaseml-api-not-enabled.json',
  'vertexai/unary-failure-iam-permission-denied.json',
  'vertexai/unary-failure-invalid-location-url-not-found.html',
  'vertexai/unary-failure-quota-exceeded.json',
]

const counted = new Map<string, number>()
const altered = new Set<string>()

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

function check(file: string, trip: RoundTrip): void {
  const served = Buffer.concat(trip.served)
  const expected = redacted(trip.exchange)
  expect(sameBytes(trip.recorded.body, served), 'the proxy relayed what the upstream served').toBe(true)
  expect(trip.recorded.status).toBe(trip.exchange.status)
  if (!sameBytes(expected, trip.exchange.body)) altered.add(file)
  expect(sameBytes(trip.replayed.body, expected), 'the replay gave the bytes that were served').toBe(true)
  if (sameBytes(expected, trip.exchange.body)) {
    expect(
      trip.replayed.pieces.map(piece => piece.length),
      'with the edges',
    ).toEqual(trip.served.map(piece => piece.length))
  }
  expect(trip.replayed.status).toBe(trip.exchange.status)
  expect(trip.replayed.complete).toBe(true)
}

/** The body as the recording may hold it. Placeholders are numbered from the request's line on. */
function redacted(exchange: CorpusExchange): Uint8Array {
  const redactor = createRedactor(SECRET_RULES)
  redactor.url(exchange.path)
  const body = redactor.body()
  return Buffer.concat([body.push(exchange.body).bytes, body.end().bytes])
}

describe.skipIf(CORPUS === undefined)('a corpus of real traffic (skipped without WIRETAPE_CORPUS)', () => {
  const corpus = CORPUS ?? ''

  describe.each(CORPUS === undefined ? [] : SETS)('$name', set => {
    const files = set.read(corpus)

    it.each(files)('brings back $name', async ({ name, exchanges }) => {
      const trips = await roundTrip(exchanges, (body, index) => cutBody(body, seedOf(name) + index))
      for (const trip of trips) check(name, trip)
      counted.set(set.name, (counted.get(set.name) ?? 0) + trips.length)
    })

    it('is whole', () => {
      expect({ files: files.length, exchanges: counted.get(set.name) }).toEqual({
        files: set.files,
        exchanges: set.exchanges,
      })
    })
  })

  it('is redacted in the named files only', () => {
    expect([...altered].toSorted()).toEqual([...REDACTED].toSorted())
  })

  it('fails when one byte is flipped on the way', async () => {
    const [file] = httpLogs(corpus)
    const trips = await roundTrip(file?.exchanges ?? [], body => [flipOneByte(body)])
    expect(() => {
      for (const trip of trips) check('flipped', trip)
    }).toThrow('the replay gave the bytes that were served')
  })

  afterAll(() => {
    const lines = SETS.map(
      ({ name, files }) => `  ${name}: ${counted.get(name) ?? 0} exchanges in ${files} files`,
    )
    console.log(`corpus, recorded and replayed:\n${lines.join('\n')}`)
  })
})

function flipOneByte(body: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(body)
  const middle = Math.floor(copy.length / 2)
  copy[middle] = (copy[middle] ?? 0) ^ 1
  return copy
}

/** The same seed for the same name on every machine (FNV-1a). */
function seedOf(name: string): number {
  let hash = 0x811c9dc5
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
