/** A recorder that is killed after any message of a socket has kept every message that it relayed. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { playExchange } from '../../src/cassette/play.ts'
import { operationOf } from '../../src/dialect/operation.ts'
import { recover } from '../../src/store/finish.ts'
import { loadCassette } from '../../src/store/load.ts'
import type { WireExchange } from '../../src/wire/exchange.ts'
import { startSocketUpstream } from '../peers/socket-upstream.ts'
import { buildChild, type ChildProgram } from './process.ts'

let program: ChildProgram
let folder: string
beforeAll(async () => {
  program = await buildChild()
  folder = await mkdtemp(join(tmpdir(), 'wiretape-crash-'))
}, 60_000)
afterAll(async () => {
  await rm(folder, { recursive: true })
  await program.dispose()
})

const PATH = '//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=none'
const TURNS = 6

/** Sound, so that the cassette has blobs; the recovery must put them together too. */
function sound(turn: number): string {
  return Buffer.alloc(480, turn).toString('base64')
}

const asked = Array.from({ length: TURNS }, (_, turn) =>
  JSON.stringify(
    turn === 0
      ? { setup: { model: 'models/m' } }
      : { realtimeInput: { audio: { data: sound(turn), mimeType: 'audio/pcm;rate=16000' } } },
  ),
)
const answered = Array.from(
  { length: TURNS },
  (_, turn) =>
    `${JSON.stringify(
      turn === 0
        ? { setupComplete: {} }
        : {
            serverContent: {
              modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: sound(turn) } }] },
            },
          },
      undefined,
      2,
    )}\n`,
)

/** What came out of the recorder on both sides before it was killed. */
interface Relayed {
  readonly atService: string[]
  readonly atClient: string[]
  /** A close frame came to the service. */
  closed: boolean
}

/** A conversation turn by turn, and a close by the client; undefined when the recorder was alive to its end. */
async function runKilled(kill: string): Promise<{ file: string; relayed: Relayed; alive: boolean }> {
  const file = join(folder, `${kill.replaceAll(':', '-')}.cassette.yaml`)
  const relayed: Relayed = { atService: [], atClient: [], closed: false }
  const upstream = await startSocketUpstream(socket => {
    socket.on('message', data => {
      relayed.atService.push((data as Buffer).toString())
      socket.send(Buffer.from(answered[relayed.atService.length - 1] ?? ''))
    })
    socket.on('close', code => {
      relayed.closed = code === 1000
    })
  })
  const child = program.start(['record', file, upstream.url], { TEST_KILL: kill })
  const listening = await child.line()
  if (listening !== undefined) {
    const socket = new WebSocket(`${String(listening['url']).replace('http', 'ws')}${PATH}`)
    socket.on('open', () => socket.send(asked[0] ?? ''))
    socket.on('message', data => {
      relayed.atClient.push((data as Buffer).toString())
      const next = asked[relayed.atClient.length]
      if (next === undefined) socket.close(1000)
      else socket.send(next)
    })
    socket.on('error', () => {})
    await new Promise(resolve => socket.once('close', resolve))
  }
  const { signal } = await child.finish()
  await upstream.close()
  return { file, relayed, alive: signal === null }
}

async function played(file: string): Promise<WireExchange | undefined> {
  const { cassette, blobs } = await loadCassette(file)
  const [exchange] = cassette.documents.flatMap(one => (one.type === 'exchange' ? [one.exchange] : []))
  return exchange && playExchange(exchange, operationOf(exchange.request).dialect, blobs)
}

function saidBy(side: 'client' | 'server', exchange: WireExchange | undefined): readonly string[] {
  const messages = exchange?.socket?.messages ?? []
  return messages.filter(({ from }) => from === side).map(({ bytes }) => Buffer.from(bytes).toString())
}

describe.each(['torn', 'after'])('a recorder of a socket that is killed at any write (%s)', mode => {
  it('has kept every message and the close that it relayed', async () => {
    let alive = false
    let recoveries = 0
    const kept = new Set<number>()
    for (let number = 1; !alive; number += 1) {
      const run = await runKilled(`${number}:${mode}:writevSync`)
      ;({ alive } = run)
      const { atService, atClient, closed } = run.relayed
      if (alive) {
        expect([atService, atClient, closed]).toEqual([asked, answered, true])
        break
      }
      const summary = await recover(run.file).catch((error: unknown) => error)
      if (summary instanceof Error) expect(summary).toMatchObject({ code: 'WIRETAPE_USAGE' })
      if (!existsSync(run.file)) {
        // Killed before anything was recorded.
        expect([atService, atClient]).toEqual([[], []])
        continue
      }
      recoveries += 1
      const exchange = await played(run.file)
      const [client, server] = [saidBy('client', exchange), saidBy('server', exchange)]
      expect(client).toEqual(asked.slice(0, client.length))
      expect(server).toEqual(answered.slice(0, server.length))
      expect(client.length).toBeGreaterThanOrEqual(atService.length)
      expect(server.length).toBeGreaterThanOrEqual(atClient.length)
      if (closed) expect(exchange?.socket?.close).toMatchObject({ by: 'client', code: 1000 })
      kept.add(client.length + server.length)
      await expect(recover(run.file)).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
    }
    expect([...kept]).toEqual(Array.from({ length: 2 * TURNS + 1 }, (_, count) => count))
    expect(recoveries).toBeGreaterThan(2 * TURNS)
  }, 120_000)
})
