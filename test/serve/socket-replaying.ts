/** A replay of hand-made connections on a port, and what its clients see. */
import { performance } from 'node:perf_hooks'
import { WebSocket } from 'ws'
import type { Exchange } from '../../src/cassette/model.ts'
import type { PlayedExchange } from '../../src/replay/http.ts'
import type { LiveOptions } from '../../src/replay/live.ts'
import type { ReplayReport } from '../../src/replay/report.ts'
import { listen } from '../../src/serve/listener.ts'
import { createSocketCarrier } from '../../src/serve/socket-carrier.ts'
import { createReplayUpgrades } from '../../src/serve/socket-peer.ts'
import type { JsonValue } from '../../src/wire/json.ts'
import { replayOf } from '../replay/live-playbook.ts'

/** Where a client of the API opens its socket, as an SDK spells it. */
export const PATH = '//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=none'

/** A running replay. */
export interface SocketReplaying {
  /** `ws://127.0.0.1:PORT` and {@link PATH}. */
  readonly url: string
  readonly origin: string
  readonly played: readonly PlayedExchange[]
  /** What the carrier had to say, besides the report's notes. */
  readonly remarks: readonly string[]
  report(): ReplayReport
  /** Waits until no socket is open, or for so many milliseconds. */
  idle(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Replays these connections; HTTP requests are answered with 418. */
export async function startSockets(
  exchanges: readonly Exchange[],
  options: Partial<LiveOptions> = {},
): Promise<SocketReplaying> {
  const engine = replayOf(exchanges, options)
  const played: PlayedExchange[] = []
  const remarks: string[] = []
  const carrier = createSocketCarrier({
    engine,
    clock: performance,
    onExchange: exchange => played.push(exchange),
  })
  const upgrades = createReplayUpgrades(carrier, text => remarks.push(text))
  const listener = await listen(
    (request, response) => {
      response.statusCode = 418
      request.pipe(response)
    },
    0,
    { upgrades },
  )
  return {
    url: `${listener.url.replace('http', 'ws')}${PATH}`,
    origin: listener.url,
    played,
    remarks,
    report: () => engine.report(),
    idle: (graceMs = 5_000) => carrier.idle(graceMs),
    async [Symbol.asyncDispose]() {
      carrier.cut()
      await listener.close()
      carrier.stop()
    },
  }
}

/** What happened on a client's socket, in order: `text {…}`, `binary {…}`, `close CODE REASON`, `refused STATUS`. */
export interface Watched {
  readonly socket: WebSocket
  readonly seen: readonly string[]
  readonly say: (...messages: readonly JsonValue[]) => void
  /** Waits until so much was seen. */
  readonly until: (count: number) => Promise<readonly string[]>
  /** Waits until it is over. */
  readonly over: () => Promise<readonly string[]>
}

/** Opens a socket with the `ws` package. What is said before it is open is sent then. */
export function watch(url: string): Watched {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const seen: string[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let isOver = false

  function check(): void {
    for (const { count, resolve } of waiting) if (seen.length >= count || isOver) resolve()
  }
  function saw(text: string): void {
    seen.push(text)
    check()
  }
  async function until(count: number): Promise<readonly string[]> {
    await new Promise<void>(resolve => {
      waiting.push({ count, resolve })
      check()
    })
    return seen
  }

  const opened = new Promise<void>(resolve => socket.once('open', resolve))
  socket.on('message', (data, isBinary) => {
    // `ws` hands on one Buffer, unless it is told otherwise.
    const text = Buffer.isBuffer(data) ? data.toString('utf8') : ''
    saw(`${isBinary ? 'binary' : 'text'} ${compact(text)}`)
  })
  socket.on('unexpected-response', (_, response) => {
    saw(`refused ${response.statusCode}`)
    socket.terminate()
  })
  socket.on('error', () => {})
  socket.on('close', (code, reason) => {
    isOver = true
    saw(`close ${code} ${String(reason)}`.trimEnd())
  })
  return {
    socket,
    seen,
    say(...messages) {
      void opened.then(() => messages.forEach(message => socket.send(JSON.stringify(message))))
    },
    until,
    over: () => until(Infinity),
  }
}

/** The spelling is compared elsewhere: here JSON is short. */
export function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
