/**
 * The shipped cassettes of HTTP hold what the official SDK sends, and say what it can read. Those of sockets
 * (`live-*`) have a test of their own.
 *
 * Each has a small app (`clients.ts`): what it asks of a plain server is what the cassette holds, and a
 * replay of the cassette answers it to the end.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { responseChunks } from '../../src/cassette/play.ts'
import { dialectNamed, operationOf } from '../../src/dialect/operation.ts'
import { unknown } from '../../src/dialect/unknown.ts'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { startScriptedUpstream, type Seen } from '../peers/scripted-upstream.ts'
import { CLIENTS } from './clients.ts'

const folder = resolve(import.meta.dirname, '../../cassettes')
const names = readdirSync(folder)
  .filter(file => file.endsWith('.cassette.yaml') && !file.startsWith('live-'))
  .map(file => file.replace('.cassette.yaml', ''))

function fileOf(name: string): string {
  return resolve(folder, `${name}.cassette.yaml`)
}

function textOf(name: string): string {
  return readFileSync(fileOf(name), 'utf8')
}

function exchangesOf(name: string): Exchange[] {
  const { documents } = parseCassette(textOf(name), { file: name })
  return documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
}

describe.each(names)('%s', name => {
  const exchanges = exchangesOf(name)

  /** What the app asks of a plain server that plays the answers in order, and matches nothing. */
  async function requestsOfApp(): Promise<readonly Seen[]> {
    let next = 0
    const server = await startScriptedUpstream(async (_seen, answer) => {
      const exchange = exchanges[next]
      if (exchange?.repeat !== 'always') next += 1
      if (exchange?.response === undefined) throw new Error('asked once too often')
      const { status, headers } = exchange.response
      answer.writeHead(status, Object.fromEntries(headers))
      const dialect = dialectNamed(exchange.exchange) ?? unknown
      for (const { bytes } of responseChunks(exchange, dialect, () => undefined)) {
        if (!answer.write(bytes)) await once(answer, 'drain')
      }
      answer.end()
    })
    await CLIENTS[name]?.(server.url)
    await server.close()
    return server.seen
  }

  it('holds the requests that @google/genai sends', async () => {
    const seen = await requestsOfApp()
    const repeated = exchanges.length === 1 && exchanges[0]?.repeat === 'always'
    const asked = repeated ? seen.map(() => exchanges[0]) : exchanges
    expect(
      seen.map(({ method, path, body }) => [
        operationOf({ method, url: path }).key,
        JSON.parse(body) as unknown,
      ]),
    ).toEqual(
      asked.map(exchange => [
        operationOf(exchange?.request ?? { method: '', url: '' }).key,
        exchange?.request.body?.type === 'value' ? exchange.request.body.value : undefined,
      ]),
    )
  })

  it('is replayed to @google/genai, to its end', async () => {
    await using replay = await createReplayServer({ files: [fileOf(name)] })
    const transcript = await CLIENTS[name]?.(replay.url)
    const { failures, leftovers, notes } = await replay.close()
    expect({ failures, leftovers, notes }).toEqual({ failures: [], leftovers: [], notes: [] })
    expect(transcript).toMatchSnapshot()
  })

  it('names the API that its requests belong to', () => {
    for (const { exchange, request } of exchanges) expect(operationOf(request).dialect.name).toBe(exchange)
  })

  it('says what it is about, and stays as it is under Prettier', async () => {
    const text = textOf(name)
    expect(text).toMatch(/^note: .+$/m)
    expect(await resolveConfig(folder)).toBeNull()
    expect(await format(text, { parser: 'yaml' })).toBe(text)
  })
})

it('has a client for each cassette', () => {
  expect(Object.keys(CLIENTS).toSorted()).toEqual(names.toSorted())
})
