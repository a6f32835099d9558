/**
 * What apps configure in the requests of the shipped cassettes, as it stands there: instructions, tools,
 * settings. It is the app's own and no shape of an API, so it is not spelled out a second time.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Exchange, Payload } from '../../../src/cassette/model.ts'
import { parseCassette } from '../../../src/cassette/parse.ts'
import type { JsonObject } from '../../../src/wire/json.ts'

/** The folder of the shipped cassettes. */
export const SHIPPED: string = resolve(import.meta.dirname, '../../../cassettes')

/** The exchanges of a shipped cassette; `name` with its folder, without its ending. */
function exchangesIn(name: string): readonly Exchange[] {
  const file = resolve(SHIPPED, `${name}.cassette.yaml`)
  const { documents } = parseCassette(readFileSync(file, 'utf8'), { file })
  return documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
}

/** What the app configures in the request of an exchange, from 1: all but what it asks. */
export function configIn(name: string, number: number): JsonObject {
  const {
    contents: _contents,
    input: _input,
    ...config
  } = objectOf(exchangesIn(name)[number - 1]?.request.body)
  return config
}

function objectOf(payload: Payload | undefined): JsonObject {
  return payload?.type === 'value' ? (payload.value as JsonObject) : {}
}
