/** The ways for a socket to reach a replay, and what a client sees on each. */
import { WebSocket as UndiciWebSocket } from 'undici'
import { WebSocket as WsWebSocket } from 'ws'
import { createInProcessWebSocket } from '../../src/serve/in-process-web-socket.ts'
import { createSocketFactory } from '../../src/serve/in-process-socket.ts'
import type { ReplaySessionOptions } from '../../src/serve/replay-session.ts'
import { PATH } from '../serve/socket-replaying.ts'
import { hold, serve, type Replay } from './replays.ts'

/** A client's socket, and what it saw: `open`, `text …`, `binary …`, `error`, `close CODE REASON`. */
export interface SocketClient {
  readonly seen: readonly string[]
  readonly say: (message: string | Uint8Array<ArrayBuffer>) => void
  readonly close: (code?: number, reason?: string) => void
  /** Waits until so much was seen, or all is over. */
  readonly until: (count: number) => Promise<readonly string[]>
  readonly over: () => Promise<readonly string[]>
}

/** A replay with sockets. */
export interface SocketReplay extends Replay {
  readonly connect: (path?: string) => SocketClient
}

/** One way. */
export interface SocketCarrier {
  readonly name: string
  /** `whatwg`: a connection that ends without a close is an error, too. `ws`: it is not. */
  readonly errors: 'ws' | 'whatwg'
  /** Whether the client's API has all of these: binary messages, a close with a code and a reason. */
  readonly speaks: 'all' | 'text'
  readonly open: (files: readonly string[], options?: ReplaySessionOptions) => Promise<SocketReplay>
}

const SERVICE = 'wss://generativelanguage.googleapis.com'

interface Seen extends Pick<SocketClient, 'seen' | 'until' | 'over'> {
  readonly saw: (text: string) => void
}

function sightings(): Seen {
  const seen: string[] = []
  const waiting: (() => void)[] = []
  const isOver = (): boolean => seen.at(-1)?.startsWith('close ') === true
  async function until(count: number): Promise<readonly string[]> {
    while (seen.length < count && !isOver()) await new Promise<void>(resolve => waiting.push(resolve))
    return seen
  }
  return {
    seen,
    saw(text) {
      seen.push(text)
      waiting.splice(0).forEach(check => check())
    },
    until,
    over: () => until(Infinity),
  }
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

interface StandardSocket {
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
}

/** A client on the events of the WHATWG. */
function standardClient(socket: StandardSocket): SocketClient {
  const { saw, ...rest } = sightings()
  Object.assign(socket, {
    binaryType: 'arraybuffer',
    onopen: () => saw('open'),
    onerror: () => saw('error'),
    onmessage: ({ data }: { data: string | ArrayBuffer }) => {
      saw(typeof data === 'string' ? `text ${data}` : `binary ${latin(new Uint8Array(data))}`)
    },
    onclose: ({ code, reason, wasClean }: { code: number; reason: string; wasClean: boolean }) => {
      saw(`close ${code} ${reason}`.trimEnd() + (wasClean === (code !== 1006) ? '' : ' ?'))
    },
  })
  return {
    ...rest,
    say: message => socket.send(message),
    close: (code, reason) => socket.close(code, reason),
  }
}

/** All of them. */
export const SOCKET_CARRIERS: readonly SocketCarrier[] = [
  {
    name: 'the server, by ws',
    errors: 'ws',
    speaks: 'all',
    async open(files, options) {
      const replay = await serve(files, options)
      const origin = replay.url.replace('http', 'ws')
      return {
        ...replay,
        connect(path = PATH) {
          const { saw, ...rest } = sightings()
          const socket = new WsWebSocket(origin + path, { perMessageDeflate: false })
          socket.on('open', () => saw('open'))
          socket.on('error', () => saw('error'))
          socket.on('message', (data: Buffer, isBinary) => {
            saw(isBinary ? `binary ${latin(data)}` : `text ${data.toString()}`)
          })
          socket.on('close', (code, reason) => saw(`close ${code} ${reason.toString()}`.trimEnd()))
          return {
            ...rest,
            say: message => socket.send(message),
            close: (code, reason) => socket.close(code, reason),
          }
        },
      }
    },
  },
  {
    name: 'the server, by the WebSocket of undici',
    errors: 'whatwg',
    speaks: 'all',
    async open(files, options) {
      const replay = await serve(files, options)
      const origin = replay.url.replace('http', 'ws')
      return { ...replay, connect: (path = PATH) => standardClient(new UndiciWebSocket(origin + path)) }
    },
  },
  {
    name: 'the factory in this process',
    errors: 'ws',
    speaks: 'text',
    async open(files, options) {
      const replay = await hold(files, options)
      const factory = createSocketFactory(replay.session)
      return {
        ...replay,
        connect(path = PATH) {
          const { saw, ...rest } = sightings()
          const socket = factory.create(
            SERVICE + path,
            {},
            {
              onopen: () => saw('open'),
              onerror: () => saw('error'),
              onmessage: ({ data }) => {
                saw(typeof data === 'string' ? `text ${data}` : `binary ${latin(data)}`)
              },
              onclose: ({ code, reason }) => saw(`close ${code} ${reason}`.trimEnd()),
            },
          )
          socket.connect()
          return {
            ...rest,
            say: message => socket.send(typeof message === 'string' ? message : latin(message)),
            close: () => socket.close(),
          }
        },
      }
    },
  },
  {
    name: 'the WebSocket in this process',
    errors: 'whatwg',
    speaks: 'all',
    async open(files, options) {
      const replay = await hold(files, options)
      const InProcessWebSocket = createInProcessWebSocket(replay.session)
      return {
        ...replay,
        connect: (path = PATH) => standardClient(new InProcessWebSocket(SERVICE + path)),
      }
    },
  },
]
