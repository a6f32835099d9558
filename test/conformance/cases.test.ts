/**
 * Each shipped case, played by a client that sends what was sent on the recording, is the same on every carrier,
 * at every pace, each time. (The runtimes that the cases are about are in `test/runtimes`.)
 */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { playExchange } from '../../src/cassette/play.ts'
import { operationOf } from '../../src/dialect/operation.ts'
import type { ReplayReport } from '../../src/replay/report.ts'
import type { ReplaySessionOptions } from '../../src/serve/replay-session.ts'
import { loadCassette } from '../../src/store/load.ts'
import type { WireExchange, WireSocket } from '../../src/wire/exchange.ts'
import { withoutOrigin } from '../../src/wire/url.ts'
import { HTTP_CARRIERS, type HttpClient } from './http-carriers.ts'
import type { Replay } from './replays.ts'
import { SOCKET_CARRIERS, type SocketReplay } from './socket-carriers.ts'

const folder = resolve(import.meta.dirname, '../../cassettes/cases')
const files = readdirSync(folder).filter(file => file.endsWith('.cassette.yaml'))

const PACES: readonly NonNullable<ReplaySessionOptions['pace']>[] = [
  { type: 'instant' },
  { type: 'factor', factor: 200 },
  { type: 'factor', factor: 1, capMs: 2 },
  { type: 'manual' },
]

/** The exchanges of a case, as they were on the wire. */
async function recordedIn(file: string): Promise<readonly WireExchange[]> {
  const { cassette, blobs } = await loadCassette(resolve(folder, file))
  return cassette.documents.flatMap(document => {
    if (document.type === 'header') return []
    const { exchange } = document
    return [playExchange(exchange, operationOf(exchange.request).dialect, blobs)]
  })
}

/** Asks what was asked, and gives what came, to the byte. Of an answer that is cut, carriers keep more or less. */
async function asked(client: HttpClient, { request, end }: WireExchange): Promise<unknown> {
  const { status, reason, read } = await client.ask({
    method: request.method,
    path: withoutOrigin(request.url),
    headers: { 'content-type': 'application/json' },
    body: request.body && new Uint8Array(request.body),
  })
  if (end.how !== undefined) return { status, reason, cut: await isCut(read) }
  const pieces: Uint8Array[] = []
  for (let piece = await read(); piece !== undefined; piece = await read()) pieces.push(piece)
  return { status, reason, body: Buffer.concat(pieces).toString('latin1') }
}

/** True if what is read to its end has none, but breaks off. */
async function isCut(read: () => Promise<unknown>): Promise<boolean> {
  try {
    while ((await read()) !== undefined);
    return false
  } catch {
    return true
  }
}

/** Says what was said, each time after what came before it. */
async function talked({ connect }: SocketReplay, url: string, socket: WireSocket): Promise<unknown> {
  const client = connect(withoutOrigin(url))
  let seen = 1
  for (const { from, bytes } of socket.messages) {
    await client.until(seen)
    if (from === 'server') seen += 1
    else client.say(Buffer.from(bytes).toString('utf8'))
  }
  await client.until(seen)
  if (socket.close?.by === 'client') client.close()
  // A connection that is lost is an error as well to the sockets of the WHATWG, and not to those of ws.
  return (await client.over()).filter(sight => sight !== 'error')
}

/** Lets one thing go after the other, where that is the pace. */
async function stepped<Seen>(
  replay: Replay,
  pace: ReplaySessionOptions['pace'],
  client: () => Promise<Seen>,
): Promise<{ readonly seen: Seen; readonly report: ReplayReport }> {
  const over = new AbortController()
  async function stepOn(): Promise<void> {
    while (!over.signal.aborted) await replay.step({ withinMs: 10 })
  }
  const stepping = pace?.type === 'manual' ? stepOn() : undefined
  const seen = await client()
  const report = await replay.close()
  over.abort()
  await stepping
  return { seen, report }
}

function outcomeOf({ failures, leftovers, played, exchanges }: ReplayReport): unknown {
  return { failures, leftovers, played, exchanges }
}

/** All that the client of a case saw on one carrier, and the verdict. */
type Transcript = (file: string, pace: ReplaySessionOptions['pace']) => Promise<unknown>

const ASKING = HTTP_CARRIERS.map(({ name, open }): readonly [string, Transcript] => [
  name,
  async (file, pace) => {
    const client = await open([resolve(folder, file)], { pace })
    const { seen, report } = await stepped(client, pace, async () => {
      const answers: unknown[] = []
      for (const exchange of await recordedIn(file)) answers.push(await asked(client, exchange))
      return answers
    })
    return { seen, ...Object(outcomeOf(report)) }
  },
])

const TALKING = SOCKET_CARRIERS.map(({ name, open }): readonly [string, Transcript] => [
  name,
  async (file, pace) => {
    const client = await open([resolve(folder, file)], { pace })
    const { seen, report } = await stepped(client, pace, async () => {
      const talks: unknown[] = []
      for (const { request, socket } of await recordedIn(file)) {
        if (socket !== undefined) talks.push(await talked(client, request.url, socket))
      }
      return talks
    })
    return { seen, ...Object(outcomeOf(report)) }
  },
])

describe('a case', () => {
  it.concurrent.each(files)('is the same on every carrier, at every pace, each time: %s', async file => {
    const talks = (await recordedIn(file)).some(({ socket }) => socket !== undefined)
    const carriers = talks ? TALKING : ASKING
    const first = await carriers[0]?.[1](file, { type: 'instant' })
    expect(first).toMatchObject({ failures: [], leftovers: [] })
    for (const [name, transcript] of carriers) {
      for (const pace of PACES) {
        for (const time of ['once', 'again']) {
          expect(await transcript(file, pace), `${name}, ${JSON.stringify(pace)}, ${time}`).toEqual(first)
        }
      }
    }
  })
})
