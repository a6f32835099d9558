/**
 * A WebSocket without a socket: the handshake, the messages and the closing handshake (RFC 6455 §7) between
 * a client in this process and the replay. Which API the client has is not its affair.
 *
 * Nothing happens inside a call: what one side does, the other hears of later, in order.
 *
 * Room: serve.
 */
import type { Frame } from '../dialect/live-messages.ts'
import { headerValue, type HeaderList } from '../wire/headers.ts'
import { pathAt, type InProcessReplay } from './in-process.ts'
import type { Answer, CarriedRequest } from './replay-carrier.ts'
import type { CarriedSocket, SocketPeer } from './socket-carrier.ts'
import { createLane, nextTurn } from './turn.ts'

/** What a client hears, in order. `closed` is told once, last, however it ended. */
export interface LinkListener {
  opened(protocol: string): void
  message(bytes: Uint8Array, frame: Frame): void
  /** There will be no socket: the answer has this status; undefined where there is none. */
  refused(status: number | undefined): void
  /** 1005: a close without a code. 1006: no close at all, or one that was never answered. */
  closed(code: number, reason: string): void
}

/** What a client can do. */
export interface Link {
  /** `sent` is called when the message is on its way. Bytes that are still being read hold up what follows. */
  send(bytes: Uint8Array | Promise<Uint8Array>, frame: Frame, sent: () => void): void
  /** Starts the closing handshake. A code of undefined: a close without one. */
  close(code: number | undefined, reason: string): void
  /** Gives it up, with this code for the other side. */
  fail(code: number): void
}

/** Asks the replay for a socket; `url` is absolute. */
export function openLink(
  replay: InProcessReplay,
  url: string,
  headers: HeaderList,
  listener: LinkListener,
): Link {
  const toClient = createLane()
  const toReplay = createLane()
  const [protocol = ''] = (headerValue(headers, 'sec-websocket-protocol') ?? '').split(/\s*,\s*/)
  const client = untilClosed(listener)
  let carried: CarriedSocket | undefined

  /** The replay hears the end; that it does so once is its carrier's affair. */
  function tellClosed(code: number | undefined, reason: string | undefined): void {
    toReplay(() => carried?.closed(code, reason))
  }

  function lost(): void {
    tellClosed(1006, undefined)
    client.closed(1006, '')
  }

  function refused(status: number | undefined): void {
    client.refused(status)
    lost()
  }

  function connect(socket: CarriedSocket): SocketPeer {
    carried = socket
    return {
      accept: () => toClient(() => client.opened(protocol)),
      refuse: ({ status }) => toClient(() => refused(status)),
      send: (bytes, frame) => toClient(() => client.message(bytes, frame)),
      close: (code, reason) =>
        toClient(() => {
          // The answer to a close is the same close.
          tellClosed(code, reason)
          client.closed(code ?? 1005, reason)
        }),
      drop: () => toClient(lost),
      // Ahead of all that waits, but not inside the call.
      cut: () => void Promise.resolve().then(lost),
      drain: drained =>
        toClient(async () => {
          await nextTurn()
          drained()
        }),
    }
  }

  toReplay(() => {
    const path = pathAt(replay, url)
    if (replay.sockets.owns(path)) replay.sockets.open(path, headers, connect)
    else ask(replay, { url, path, headers }, status => toClient(() => refused(status)))
  })

  return {
    send(bytes, frame, sent) {
      toReplay(async () => {
        const read = bytes instanceof Uint8Array ? bytes : await bytes
        sent()
        carried?.message(read, frame)
      })
    },
    close(code, reason) {
      toReplay(() => {
        carried?.closed(code, reason)
        toClient(() => client.closed(code ?? 1005, reason))
      })
    },
    fail(code) {
      tellClosed(code, '')
      toClient(() => client.closed(1006, ''))
    },
  }
}

/** Who hears the end hears it once, and nothing after it. */
function untilClosed(listener: LinkListener): LinkListener {
  let over = false
  return {
    opened(protocol) {
      if (!over) listener.opened(protocol)
    },
    message(bytes, frame) {
      if (!over) listener.message(bytes, frame)
    },
    refused(status) {
      if (!over) listener.refused(status)
    },
    closed(code, reason) {
      if (over) return
      over = true
      listener.closed(code, reason)
    },
  }
}

/** A request for a socket that nobody here has is answered as any other, and tells the client so. */
function ask(
  replay: InProcessReplay,
  { url, path, headers }: { readonly url: string; readonly path: string; readonly headers: HeaderList },
  told: (status: number | undefined) => void,
): void {
  let status: number | undefined
  let whole = false
  let asked: CarriedRequest | undefined
  const answer: Answer = {
    run(commands) {
      for (const command of commands) {
        if (command.type === 'head') status = command.status
        whole ||= command.type === 'end' || command.type === 'destroy'
      }
      if (!whole) return
      told(status)
      asked?.sent()
    },
    cut() {
      told(undefined)
      asked?.gone()
    },
  }
  const { origin } = new URL(url.replace(/^ws/i, 'http'))
  asked = replay.requests.request(
    { method: 'GET', url: path, headers, body: new Uint8Array(), origin },
    answer,
  )
  if (whole) asked.sent()
}
