/**
 * The shipped cassettes hold what the official SDK sends, and say what it can read.
 *
 * A plain server plays each in order and keeps what it was asked; matching is not part of this.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { afterEach, describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/cassette/model.ts'
import { parseCassette } from '../../src/cassette/parse.ts'
import { responseChunks } from '../../src/cassette/play.ts'
import { dialectNamed, operationOf } from '../../src/dialect/operation.ts'
import { unknown } from '../../src/dialect/unknown.ts'
import { startScriptedUpstream, type Seen, type ScriptedUpstream } from '../peers/scripted-upstream.ts'
import { CLIENTS } from './clients.ts'

const folder = resolve(import.meta.dirname, '../../cassettes')
const names = readdirSync(folder)
  .filter(file => file.endsWith('.cassette.yaml'))
  .map(file => file.replace('.cassette.yaml', ''))

function textOf(name: string): string {
  return readFileSync(resolve(folder, `${name}.cassette.yaml`), 'utf8')
}

function exchangesOf(name: string): Exchange[] {
  const { documents } = parseCassette(textOf(name), { file: name })
  return documents.flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
}

describe.each(names)('%s', name => {
  const exchanges = exchangesOf(name)
  let server: ScriptedUpstream

  async function play(): Promise<{ seen: readonly Seen[]; transcript: unknown }> {
    let next = 0
    server = await startScriptedUpstream(async (_seen, answer) => {
      const exchange = exchanges[next]
      if (exchange?.repeat !== 'always') next += 1
      if (exchange?.response === undefined) throw new Error('asked once too often')
      const { status, headers } = exchange.response
      answer.writeHead(status, Object.fromEntries(headers))
      for (const { bytes } of responseChunks(
        exchange,
        dialectNamed(exchange.exchange) ?? unknown,
        () => undefined,
      )) {
        if (!answer.write(bytes)) await once(answer, 'drain')
        await new Promise(done => setImmediate(done))
      }
      answer.end()
    })
    const transcript = await CLIENTS[name]?.(server.url)
    return { seen: server.seen, transcript }
  }

  afterEach(() => server?.close())

  it('holds the requests that @google/genai sends', async () => {
    const { seen } = await play()
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

  it('is understood by @google/genai', async () => {
    const { transcript } = await play()
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
