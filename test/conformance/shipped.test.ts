/** Each shipped cassette shows its app the same on every carrier, at every pace, each time, by either SDK. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { GoogleGenAI } from '@google/genai'
import * as older from 'genai-2'
import { describe, expect, it } from 'vitest'
import { createInProcessFetch } from '../../src/serve/in-process-fetch.ts'
import { createSocketFactory, plugSockets } from '../../src/serve/in-process-socket.ts'
import { createInProcessWebSocket } from '../../src/serve/in-process-web-socket.ts'
import { createReplayDispatcher } from '../../src/serve/replay-dispatcher.ts'
import type { ReplaySessionOptions } from '../../src/serve/replay-session.ts'
import { CLIENTS } from '../cassettes/clients.ts'
import { LIVE_CLIENTS } from '../cassettes/live-clients.ts'
import type { Reach } from '../cassettes/reach.ts'
import { hold, serve, type Replay } from './replays.ts'

const folder = resolve(import.meta.dirname, '../../cassettes')
const files = readdirSync(folder).filter(file => file.endsWith('.cassette.yaml'))

/** An app that has what it needs to reach a replay. */
interface Reached extends Replay {
  readonly reach: Exclude<Reach, string>
}

type Carrier = (files: readonly string[], options: ReplaySessionOptions) => Promise<Reached>

/** Where the service would be. */
const SERVICE = 'https://generativelanguage.googleapis.com'

const server: Carrier = async (paths, options) => {
  const replay = await serve(paths, options)
  return { ...replay, reach: { httpOptions: { baseUrl: replay.url } } }
}

/** The ways to ask, with the official SDK. */
const ASKING: Readonly<Record<string, Carrier>> = {
  'the server': server,
  async 'the fetch in this process'(paths, options) {
    const replay = await hold(paths, options)
    return { ...replay, reach: { httpOptions: { fetch: createInProcessFetch(replay.session) } } }
  },
  async 'the dispatcher'(paths, options) {
    const replay = await hold(paths, options)
    const by: object = { dispatcher: createReplayDispatcher(replay.session) }
    const fetchBy: typeof fetch = (input, init) => fetch(input, Object.assign({}, init, by))
    return { ...replay, reach: { httpOptions: { fetch: fetchBy } } }
  },
}

/** The ways to talk. */
const TALKING: Readonly<Record<string, Carrier>> = {
  'the server': server,
  async 'the factory in this process'(paths, options) {
    const replay = await hold(paths, options)
    const factory = createSocketFactory(replay.session)
    const plug = (ai: GoogleGenAI): void => plugSockets(ai.live, factory)
    return { ...replay, reach: { httpOptions: { baseUrl: SERVICE }, plug } }
  },
  async 'the WebSocket in this process'(paths, options) {
    const replay = await hold(paths, options)
    const InProcessWebSocket = createInProcessWebSocket(replay.session)
    // As the SDK's own factory for browsers.
    const plug = (ai: GoogleGenAI): void =>
      plugSockets(ai.live, {
        create(url, _, callbacks) {
          let socket: InstanceType<typeof InProcessWebSocket> | undefined
          return {
            connect: () => {
              socket = Object.assign(new InProcessWebSocket(url), { binaryType: 'arraybuffer' }, callbacks)
            },
            send: message => socket?.send(message),
            close: () => socket?.close(),
          }
        },
      })
    return { ...replay, reach: { httpOptions: { baseUrl: SERVICE }, plug } }
  },
}

const SDKS: Readonly<Record<string, Exclude<Reach, string>['sdk']>> = {
  '@google/genai 3': undefined,
  '@google/genai 2': older as unknown as Exclude<Reach, string>['sdk'],
}

type Pace = ReplaySessionOptions['pace']

/** How long a recording takes at most when it is played with its pauses, in milliseconds. */
const PLAYED_MS = 25

/** At once, with the recorded pauses, as much shorter as the recording is long or cut short, and by hand. */
function pacesFor(file: string): readonly Pace[] {
  const text = readFileSync(resolve(folder, file), 'utf8')
  const lengths = [...text.matchAll(/^end: \{ at: (\d+)/gm)].map(([, at]) => Number(at))
  const factor = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / PLAYED_MS)
  return [
    { type: 'instant' },
    { type: 'factor', factor },
    { type: 'factor', factor: 1, capMs: 2 },
    { type: 'manual' },
  ]
}

/** All that the app of a cassette saw, and what the report says of it. */
async function transcript(
  file: string,
  sdk: Exclude<Reach, string>['sdk'],
  carrier: Carrier,
  pace: Pace,
): Promise<unknown> {
  const name = file.replace('.cassette.yaml', '')
  const app = CLIENTS[name] ?? LIVE_CLIENTS[name]
  const replay = await carrier([resolve(folder, file)], { pace })
  const over = new AbortController()
  async function stepOn(): Promise<void> {
    while (!over.signal.aborted) await replay.step({ withinMs: 10 })
  }
  const stepping = pace?.type === 'manual' ? stepOn() : undefined
  const seen = await app?.({ ...replay.reach, sdk })
  const { failures, leftovers, notes, played, exchanges } = await replay.close()
  over.abort()
  await stepping
  return { seen: plain(seen), failures, leftovers, notes, played, exchanges }
}

describe.each(Object.entries(SDKS))('%s', (_, sdk) => {
  // Most of it is waiting.
  it.concurrent.each(files)('sees the same of %s on every carrier, at every pace, each time', async file => {
    const first = await transcript(file, sdk, server, { type: 'instant' })
    expect(first).toMatchObject({ failures: [], leftovers: [], notes: [] })
    for (const [by, carrier] of Object.entries(file.startsWith('live-') ? TALKING : ASKING)) {
      for (const pace of pacesFor(file)) {
        for (const time of ['once', 'again']) {
          const how = `${by}, ${JSON.stringify(pace)}, ${time}`
          expect(await transcript(file, sdk, carrier, pace), how).toEqual(first)
        }
      }
    }
  })
})

/** What can be compared of it: errors by what they say. */
function plain(seen: unknown): unknown {
  return JSON.parse(
    JSON.stringify(seen ?? null, (_, value: unknown) =>
      value instanceof Error ? { name: value.name, message: value.message } : value,
    ),
  )
}
