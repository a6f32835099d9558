/**
 * A cassette of the catalogue as the rig reads it: what either side said, in order, as JSON, with sound put back.
 *
 * The reader is the library's own; nothing here knows what the messages mean.
 */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { blobReader } from '../../../src/cassette/blobs.ts'
import type { BlobSource, Cassette, Exchange } from '../../../src/cassette/model.ts'
import { traceOf } from '../../../src/cassette/trace.ts'
import type { Said } from '../../../src/dialect/trace.ts'
import { loadCassette } from '../../../src/store/load.ts'
import type { JsonValue } from '../../../src/wire/json.ts'
import { ROOT } from './command.ts'

const CASES = join(ROOT, 'cassettes/cases')
const SUFFIX = '.cassette.yaml'

/** One thing that one side said: a body, an event or a message. */
export interface CaseMessage {
  readonly from: 'client' | 'server'
  /** JSON, or the text that was none; undefined for an event without data. */
  readonly value: JsonValue | undefined
}

/** One exchange of a cassette. */
export interface CaseExchange {
  /** `generate-content`, `interactions`, `live` or `unknown`. */
  readonly kind: string
  readonly url: string
  readonly said: readonly CaseMessage[]
}

/** A cassette of the catalogue. */
export interface Case {
  /** E.g. `run-live-interrupted`. */
  readonly name: string
  readonly file: string
  /** What a right and a wrong client does, and the public issue. */
  readonly note: string
  readonly exchanges: readonly CaseExchange[]
}

/** The names of all cases, in order. */
export function caseNames(): readonly string[] {
  return readdirSync(CASES)
    .filter(file => file.endsWith(SUFFIX))
    .map(file => file.slice(0, -SUFFIX.length))
    .toSorted()
}

/** The file of a case, by its name. */
export function caseFile(name: string): string {
  return join(CASES, `${name}${SUFFIX}`)
}

/** Reads a cassette. */
export async function readCase(file: string): Promise<Case> {
  const { cassette, blobs } = await loadCassette(file)
  return caseOf(cassette, blobs)
}

/** A cassette that has been read, as a case. */
export function caseOf(cassette: Cassette, blobs: BlobSource): Case {
  const headers = cassette.documents.flatMap(document =>
    document.type === 'header' ? [document.header] : [],
  )
  const exchanges = cassette.documents.flatMap(document =>
    document.type === 'exchange' ? [exchangeOf(document.exchange, blobs)] : [],
  )
  return {
    name: basename(cassette.file, SUFFIX),
    file: cassette.file,
    note: headers.flatMap(({ note }) => (note === undefined ? [] : [note])).join(' '),
    exchanges,
  }
}

function exchangeOf(exchange: Exchange, blobs: BlobSource): CaseExchange {
  const { dialect: kind, url, said } = traceOf(exchange)
  const reader = blobReader(blobs, new Set(Object.keys(exchange.blobs ?? {})))
  const valueOf = ({ content }: Said): JsonValue | undefined => {
    if (content?.type === 'json') return reader.value(content.value)
    return content?.type === 'text' ? content.text : undefined
  }
  return { kind, url, said: said.map(one => ({ from: one.from, value: valueOf(one) })) }
}
