/** Replaying opens no connection, and could not: nothing in it knows how. */
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { dirname, join, relative, resolve } from 'node:path'
import * as sdk from '@google/genai'
import { afterEach, expect, it, vi } from 'vitest'
import { createReplayServer } from '../../src/serve/replay-server.ts'
import { LIVE_CASSETTES } from '../contract/live-cassettes.ts'
import { LIVE_SCENARIOS } from '../contract/live-transcripts.ts'
import { startReplaying } from './replaying.ts'

const root = resolve(import.meta.dirname, '../..')

afterEach(() => vi.restoreAllMocks())

/** The ports that are connected to from now on, in this process. */
function watchPorts(): ReadonlySet<string> {
  const ports = new Set<string>()
  const connect = Reflect.get(Socket.prototype, 'connect') as (this: Socket, ...args: unknown[]) => Socket
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    // The one who connects here is the client of this test.
    const [first] = args.flat() as [{ readonly port?: unknown }]
    ports.add(String(first.port))
    return Reflect.apply(connect, this, args)
  })
  return ports
}

it('connects to nothing but itself while a whole cassette is replayed', async () => {
  const server = await createReplayServer({ files: [join(root, 'cassettes/streamed-answer.cassette.yaml')] })
  const ports = watchPorts()
  const ai = new sdk.GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } })
  const stream = await ai.models.generateContentStream({
    model: 'gemini-2.5-flash',
    contents: 'Why is the sea salty?',
    config: { temperature: 0.5, maxOutputTokens: 64 },
  })
  let said = ''
  for await (const { text = '' } of stream) said += text
  expect(said).toMatch(/^Rivers .* behind\.$/)
  expect((await server.close()).leftovers).toEqual([])
  expect(ports).toEqual(new Set([new URL(server.url).port]))
})

it('connects to nothing but itself while a socket is replayed', async () => {
  await using replaying = await startReplaying(LIVE_CASSETTES['a turn of text'])
  const ports = watchPorts()
  const seen = await LIVE_SCENARIOS['a turn of text'](sdk, replaying.server.url)
  expect(seen.at(-1)).toBe('close 1005')
  expect(ports).toEqual(new Set([new URL(replaying.server.url).port]))
})

it('imports no server and no client where it stays in this process', () => {
  const carriers = ['in-process-fetch', 'in-process-socket', 'in-process-web-socket', 'replay-dispatcher']
  const names = carriers.map(name => importedBy(`src/serve/${name}.ts`).names)
  expect([...new Set(names.flatMap(each => [...each.keys()]))].toSorted()).toEqual([
    'node:events',
    'node:module',
    'node:querystring',
    'node:stream/web',
    'node:timers',
    'node:worker_threads',
    'node:zlib',
  ])
  // A dispatcher is for apps that have undici: what undici makes of one is taken from there, when it is used.
  expect(names.at(-1)?.get('node:module')).toBe('{ createRequire }')
})

it('imports nothing that could connect', () => {
  const { seen, names } = importedBy('src/serve/replay-server.ts')
  expect([...seen]).toContain('src/replay/http-replay.ts')
  expect([...names.keys()].toSorted()).toEqual([
    'leven',
    'node:fs',
    'node:fs/promises',
    'node:http',
    'node:path',
    'node:timers',
    'node:zlib',
    'ws',
    'yaml',
  ])
  expect(names.get('node:http')).toBe('{ createServer }{ ServerResponse }')
  expect(names.get('ws')).toBe('{ WebSocketServer }')
})

it('imports nothing that could connect for TLS either', () => {
  const { seen, names } = importedBy('src/serve/open-tls.ts')
  expect([...seen]).toContain('src/serve/doorway.ts')
  expect([...names.keys()].toSorted()).toEqual([
    'node-forge',
    'node:crypto',
    'node:fs',
    'node:net',
    'node:os',
    'node:path',
    'node:tls',
    'node:util',
  ])
  expect(names.get('node:net')).toBe('{ isIP }{ createServer }')
  expect(names.get('node:tls')).toBe('{ createServer as createTlsServer }{ createSecureContext }')
})

/** A file and all that it imports, and what they take from outside, but for types. */
function importedBy(start: string): {
  readonly seen: ReadonlySet<string>
  readonly names: ReadonlyMap<string, string>
} {
  const seen = new Set<string>()
  const names = new Map<string, string>()
  visit(start)
  return { seen, names }

  function visit(file: string): void {
    if (seen.has(file)) return
    seen.add(file)
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, what = '', from = ''] of source.matchAll(
      /^(?:import|export) (?!type )([^']*?) from '([^']+)'/gm,
    )) {
      if (from.startsWith('.')) visit(relative(root, resolve(root, dirname(file), from)))
      else names.set(from, `${names.get(from) ?? ''}${what.replace(/, type \w+/g, '')}`)
    }
  }
}
