/** A recorder that is killed at any of its writes loses nothing of what it had relayed. */
import { EventEmitter, on } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { playExchange } from '../../src/cassette/play.ts'
import { operationOf } from '../../src/dialect/operation.ts'
import { WiretapeError } from '../../src/errors.ts'
import { recover } from '../../src/store/finish.ts'
import { loadCassette } from '../../src/store/load.ts'
import type { WireExchange } from '../../src/wire/exchange.ts'
import { startByteUpstream, type ByteScript, type ByteUpstream } from '../peers/byte-upstream.ts'
import { rawRequest } from '../peers/raw-client.ts'
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

interface Scenario {
  readonly method: string
  readonly path: string
  readonly body?: Buffer
  readonly script: (app: App) => ByteScript
}

/** The app that gets the answer. */
interface App {
  /** Resolves when it has this many bytes of the body. */
  has(bytes: number): Promise<void>
}

const EVENTS = [
  'data: {"a": 1}\r\n\r\n',
  'data: {"a"',
  ': 2}\r\n\r\ndata: {"a": 3}\r\n\r\n',
  'data: {"a": 4}\r\n\r\n',
]
const UNARY = `${JSON.stringify({ candidates: [{ text: 'x'.repeat(3000) }] }, null, 2)}\n`

/** The next piece goes out when the app has the last: whatever it has must have been kept. */
async function inPieces(socket: Socket, app: App, pieces: readonly string[]): Promise<void> {
  let sent = 0
  for (const piece of pieces) {
    sent += piece.length
    socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
    await app.has(sent)
  }
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a stream': {
    method: 'POST',
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: Buffer.from('no JSON, so that its bytes are kept'),
    script: app => async (_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n')
      await inPieces(socket, app, EVENTS)
      socket.write('0\r\n\r\n')
    },
  },
  'a unary answer': {
    method: 'POST',
    path: '/v1beta/models/m:generateContent',
    body: Buffer.from('this is none either'),
    script: () => (_, socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${UNARY.length}\r\n\r\n${UNARY}`,
      )
    },
  },
  'an upload': {
    method: 'POST',
    path: '/upload/v1beta/files?upload_id=1',
    body: Buffer.alloc(200_000, 'wiretape\xff', 'latin1'),
    script: () => (_, socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nX-Goog-Upload-Status: final\r\nContent-Length: 15\r\n\r\n{"file":{"a":1}}'.slice(
          0,
          -1,
        ),
      )
    },
  },
}

/** What the cassette plays. */
async function played(file: string): Promise<readonly WireExchange[]> {
  const { cassette, blobs } = await loadCassette(file)
  return cassette.documents.flatMap(document => {
    if (document.type === 'header') return []
    const { dialect } = operationOf(document.exchange.request)
    return [playExchange(document.exchange, dialect, blobs)]
  })
}

function bodyOf(exchange: WireExchange | undefined): Buffer {
  return Buffer.concat(exchange?.response?.chunks.map(chunk => chunk.bytes) ?? [])
}

/** The part of a request's body that reached the service. */
function arrived(upstream: ByteUpstream): Buffer {
  const bytes = upstream.received()
  const head = bytes.indexOf('\r\n\r\n')
  return head < 0 ? Buffer.alloc(0) : bytes.subarray(head + 4)
}

/** What was relayed is on the recording, but for as many bytes at its end as are said to be lost. */
function expectKept(recorded: Buffer, relayed: Buffer, lost: number): void {
  const kept = relayed.subarray(0, Math.max(0, relayed.length - lost))
  expect(recorded.subarray(0, kept.length).toString('latin1')).toBe(kept.toString('latin1'))
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** Runs a scenario with a recorder that is killed, unless it gets through its writes alive. */
async function runKilled(
  scenario: Scenario,
  kill: string,
): Promise<{ file: string; got: Buffer; sent: Buffer; alive: boolean }> {
  const file = join(folder, `${kill.replaceAll(':', '-')}-${Math.random()}.cassette.yaml`)
  const news = new EventEmitter()
  const app: App = {
    async has(bytes) {
      for await (const [total] of on(news, 'body')) if (total >= bytes) return
    },
  }
  const upstream = await startByteUpstream(scenario.script(app))
  const child = program.start(['record', file, upstream.url], { TEST_KILL: kill })
  const listening = await child.line()
  let got: Buffer = Buffer.alloc(0)
  if (listening !== undefined) {
    const onBody = (total: number): boolean => news.emit('body', total)
    const answer = await rawRequest(String(listening['url']), { ...scenario, onBody }).catch(() => undefined)
    got = answer?.body ?? got
  }
  const { signal } = await child.finish()
  const sent = arrived(upstream)
  await upstream.close()
  return { file, got, sent, alive: signal === null }
}

describe.each(Object.entries(SCENARIOS))('a recorder of %s', (_, scenario) => {
  it.each(['torn', 'after'])(
    'killed at any record of its journal (%s) has kept what it relayed',
    async mode => {
      let alive = false
      let recoveries = 0
      for (let number = 1; !alive; number += 1) {
        const run = await runKilled(scenario, `${number}:${mode}:writevSync`)
        ;({ alive } = run)
        if (alive) break
        const summary = await recover(run.file).catch(asError)
        if (summary instanceof Error) {
          // Killed before anything was taken, or after all was done.
          expect(summary).toMatchObject({ code: 'WIRETAPE_USAGE' })
        } else recoveries += 1
        if (!existsSync(run.file)) {
          // Nothing was recorded, so nothing may have been relayed.
          expect([run.got.length, run.sent.length]).toEqual([0, 0])
          continue
        }
        const lost = summary instanceof Error ? 0 : summary.lost
        const [exchange] = await played(run.file)
        // What may begin a secret is held back from the journal, and the recovery says how much that was.
        expect(lost).toBeLessThan(40)
        expectKept(bodyOf(exchange), run.got, lost)
        expectKept(Buffer.from(exchange?.request.body ?? []), run.sent, lost)
        await expect(recover(run.file)).rejects.toMatchObject({ code: 'WIRETAPE_USAGE' })
      }
      expect(recoveries).toBeGreaterThan(3)
    },
    120_000,
  )
})

describe('a recovery', () => {
  /** A folder with a journal that was left, and an older cassette with a blob of its own. */
  async function left(): Promise<{ file: string; old: string }> {
    const { file } = await runKilled(SCENARIOS['an upload'] as Scenario, '4:after:writevSync')
    const old = `cassette: 1\nnote: old\n`
    await writeFile(file, old)
    return { file, old }
  }

  it('that is killed itself can be done again, and until it is done the old cassette is whole', async () => {
    const { file, old } = await left()
    const journal = file.replace('.yaml', '.journal')
    expect(await readdir(journal)).toContain('0001.log')
    const whole = join(folder, 'whole.cassette.yaml')
    await cp(journal, whole.replace('.yaml', '.journal'), { recursive: true })
    await recover(whole)
    const expected = await readFile(whole, 'utf8')
    let kills = 0
    for (let number = 1; ; number += 1) {
      const again = join(folder, `again-${number}.cassette.yaml`)
      await cp(journal, again.replace('.yaml', '.journal'), { recursive: true })
      await writeFile(again, old)
      const { signal } = await program.start(['recover', again], { TEST_KILL: `${number}:before` }).finish()
      if (signal === null) break
      kills += 1
      expect([old, expected]).toContain(await readFile(again, 'utf8'))
      await recover(again).catch((error: unknown) => {
        expect(WiretapeError.is(error) && error.code).toBe('WIRETAPE_USAGE')
      })
      expect(await readFile(again, 'utf8')).toBe(expected)
      expect(await readdir(again.replace('.yaml', '.blobs'))).toEqual(
        await readdir(whole.replace('.yaml', '.blobs')),
      )
    }
    expect(kills).toBeGreaterThan(5)
  }, 60_000)

  it('is asked for before the next recording, by name', async () => {
    const { file } = await left()
    const { code, output } = await program.start(['record', file, 'http://127.0.0.1:1']).finish()
    expect(code).toBe(1)
    expect(output).toContain(`wiretape recover ${file}`)
  })
})
