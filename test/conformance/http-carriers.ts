/** The ways for a request to reach a replay, and what a client sees on each. */
import { Agent, fetch as undiciFetch, request as undiciRequest, type Dispatcher } from 'undici'
import { createInProcessFetch } from '../../src/serve/in-process-fetch.ts'
import { createReplayDispatcher } from '../../src/serve/replay-dispatcher.ts'
import type { ReplaySession, ReplaySessionOptions } from '../../src/serve/replay-session.ts'
import { hold, serve, type Replay } from './replays.ts'

/** A request. */
export interface Asking {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
}

/** An answer as it comes. */
export interface Answering {
  readonly status: number
  readonly reason: string
  /** In order, names in lower case. */
  readonly headers: readonly (readonly [string, string])[]
  /** The next piece; undefined at the end. Rejects where the connection was cut. */
  readonly read: () => Promise<Uint8Array | undefined>
  /** Goes away. */
  readonly leave: () => Promise<void>
}

/** A replay that this client asks. */
export interface HttpClient extends Replay {
  readonly ask: (asking: Asking) => Promise<Answering>
}

/** One way. */
export interface HttpCarrier {
  readonly name: string
  readonly where: 'server' | 'process'
  /** `kept`: a client that reads at once sees each recorded chunk alone. `merged`: what came together may be one read. */
  readonly edges: 'kept' | 'merged'
  readonly open: (files: readonly string[], options?: ReplaySessionOptions) => Promise<HttpClient>
}

type Fetch = (url: string, init: object) => Promise<Response>

/** Where the service would be. Nothing of it is ever asked. */
const SERVICE = 'https://generativelanguage.googleapis.com'

/** Fields of a connection, which a carrier without one does not have. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

async function askByFetch(
  fetch: Fetch,
  origin: string,
  { method = 'POST', path, headers = {}, body }: Asking,
): Promise<Answering> {
  const response = await fetch(origin + path, { method, headers, body })
  const reader = response.body?.getReader()
  return {
    status: response.status,
    reason: response.statusText,
    headers: [...response.headers].filter(([name]) => !OF_CONNECTIONS.has(name)),
    read: async () => (await reader?.read())?.value,
    leave: async () => reader?.cancel(),
  }
}

async function askByRequest(
  dispatcher: Dispatcher,
  origin: string,
  { method = 'POST', path, headers = {}, body }: Asking,
): Promise<Answering> {
  const answer = await undiciRequest(origin + path, {
    dispatcher,
    method,
    headers,
    body: body === undefined ? null : Buffer.from(body),
  })
  // Each piece by itself, which its iterator would not give.
  const pieces: (Uint8Array | Error | undefined)[] = []
  let wake = (): void => undefined
  const came = (piece: Uint8Array | Error | undefined): void => {
    pieces.push(piece)
    wake()
  }
  answer.body.on('data', (piece: Buffer) => came(new Uint8Array(piece)))
  answer.body.on('end', () => came(undefined))
  answer.body.on('error', came)
  return {
    status: answer.statusCode,
    reason: answer.statusText,
    headers: Object.entries(answer.headers)
      .filter(([name]) => !OF_CONNECTIONS.has(name))
      .flatMap(([name, value]) => [value ?? ''].flat().map((one): [string, string] => [name, one])),
    async read() {
      while (pieces.length === 0) await new Promise<void>(resolve => (wake = resolve))
      const piece = pieces.shift()
      if (piece instanceof Error) throw piece
      return piece
    },
    async leave() {
      answer.body.destroy()
    },
  }
}

/** A way in this process: `clientOf` makes what asks a replay. */
function held(name: string, clientOf: (session: ReplaySession) => HttpClient['ask']): HttpCarrier {
  return {
    name,
    where: 'process',
    edges: 'kept',
    async open(files, options) {
      const replay = await hold(files, options)
      return { ...replay, ask: clientOf(replay.session) }
    },
  }
}

/** All of them. */
export const HTTP_CARRIERS: readonly HttpCarrier[] = [
  {
    name: 'the server, by the fetch of Node',
    where: 'server',
    edges: 'merged',
    async open(files, options) {
      const replay = await serve(files, options)
      return { ...replay, ask: asking => askByFetch(fetch, replay.url, asking) }
    },
  },
  {
    name: 'the server, by undici',
    where: 'server',
    edges: 'merged',
    async open(files, options) {
      const replay = await serve(files, options)
      const agent = new Agent()
      return {
        ...replay,
        ask: asking => askByRequest(agent, replay.url, asking),
        async close(graceMs) {
          const report = await replay.close(graceMs)
          await agent.destroy()
          return report
        },
      }
    },
  },
  held('the fetch in this process', session => {
    const inProcess = createInProcessFetch(session)
    return asking => askByFetch(inProcess, SERVICE, asking)
  }),
  held('the dispatcher, by undici', session => {
    const dispatcher = createReplayDispatcher(session)
    return asking => askByRequest(dispatcher, SERVICE, asking)
  }),
  held('the dispatcher, by the fetch of undici', session => {
    const dispatcher = createReplayDispatcher(session)
    const fetchBy = (url: string, init: object) => undiciFetch(url, { ...init, dispatcher })
    return asking => askByFetch(fetchBy, SERVICE, asking)
  }),
  held('the dispatcher, by the fetch of Node', session => {
    // Node's types and undici's name the same thing, and can't be told so.
    const by: object = { dispatcher: createReplayDispatcher(session) }
    const fetchBy: Fetch = (url, init) => fetch(url, Object.assign({}, init, by))
    return asking => askByFetch(fetchBy, SERVICE, asking)
  }),
  held('the dispatcher, by handlers with the newer names', session => {
    // What `compose` puts around a dispatcher calls it by the newer names only.
    const composed = createReplayDispatcher(session).compose(dispatch => dispatch)
    const dispatcher = composed.compose(dispatch => (opts, handler) => dispatch(opts, handler))
    return asking => askByRequest(dispatcher, SERVICE, asking)
  }),
]
