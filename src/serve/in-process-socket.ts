/**
 * Sockets for a client that makes them by a factory, as the official SDK does: with what the `ws` package
 * would show it, which that SDK uses on Node.
 *
 * Room: serve.
 */
import { WiretapeError } from '../errors.ts'
import { decodeUtf8 } from '../wire/text.ts'
import { named, type InProcessReplay } from './in-process.ts'
import { openLink, type Link, type LinkListener } from './in-process-link.ts'
import { createLane } from './turn.ts'

/** What the client hears: events with the fields of those of `ws`. */
export interface FactorySocketCallbacks {
  /** It is open. */
  readonly onopen: (event: { readonly type: 'open' }) => void
  /** A binary message is a `Buffer`. */
  readonly onmessage: (event: { readonly type: 'message'; readonly data: string | Buffer }) => void
  /** It has failed; a close follows. */
  readonly onerror: (event: {
    readonly type: 'error'
    readonly message: string
    readonly error: Error
  }) => void
  /** It is over. 1005: by a close without a code. 1006: without a close. */
  readonly onclose: (event: {
    readonly type: 'close'
    readonly code: number
    readonly reason: string
    readonly wasClean: boolean
  }) => void
}

/** One socket, not opened before {@link FactorySocket.connect}. */
export interface FactorySocket {
  /** Opens it. */
  connect(): void
  /** Throws where the socket is not open yet; is lost where it is closed. */
  send(message: string): void
  /** Closes it, without a code. */
  close(): void
}

/** What makes sockets for the SDK: the same shape as its own. */
export interface SocketFactory {
  /** `url` is absolute; nothing of its host is asked. */
  create(
    url: string,
    headers: Readonly<Record<string, string>>,
    callbacks: FactorySocketCallbacks,
  ): FactorySocket
}

/** Makes sockets that a replay in this process answers. */
export function createSocketFactory(replay: InProcessReplay): SocketFactory {
  return {
    create: (url, headers, callbacks) =>
      createSocket(callbacks, listener => openLink(replay, url, Object.entries(headers), listener)),
  }
}

/** The field of the SDK's client that makes its sockets. It is private there, and no option sets it. */
const FIELD = 'webSocketFactory'

/**
 * Makes the SDK's Live client open its sockets by this factory, for its music too.
 *
 * @param live - `ai.live` of the official SDK.
 * @throws `WIRETAPE_USAGE` where it makes its sockets in another way.
 */
export function plugSockets(live: object, factory: SocketFactory): void {
  const music: unknown = Reflect.get(live, 'music')
  const clients = [live, ...(typeof music === 'object' && music !== null ? [music] : [])]
  for (const client of clients) {
    if (FIELD in client && Reflect.set(client, FIELD, factory)) continue
    throw new WiretapeError('WIRETAPE_USAGE', `This Live client has no ${FIELD} that could be replaced.`, {
      hint: 'Give `ai.live` of @google/genai 2 or 3, or let the client reach the server by its base URL.',
    })
  }
}

/** `broken`: the service has sent what no client takes. */
type State = 'new' | 'connecting' | 'open' | 'closing' | 'broken' | 'closed'

function createSocket(
  { onopen, onmessage, onerror, onclose }: FactorySocketCallbacks,
  open: (listener: LinkListener) => Link,
): FactorySocket {
  let state: State = 'new'
  let link: Link | undefined

  const fail = (error: Error): void => onerror({ type: 'error', message: error.message, error })
  const listener: LinkListener = {
    opened() {
      if (state !== 'connecting') return
      state = 'open'
      onopen({ type: 'open' })
    },
    message(bytes, frame) {
      if (state === 'broken') return
      const data = frame === 'binary' ? Buffer.from(bytes) : decodeUtf8(bytes)
      if (data !== undefined) {
        onmessage({ type: 'message', data })
        return
      }
      state = 'broken'
      link?.fail(1007)
      fail(new RangeError('Invalid WebSocket frame: invalid UTF-8 sequence'))
    },
    refused(status) {
      fail(
        status === undefined
          ? named('Error', 'ECONNRESET', 'socket hang up')
          : new Error(`Unexpected server response: ${status}`),
      )
    },
    closed(code, reason) {
      state = 'closed'
      onclose({ type: 'close', code, reason, wasClean: code !== 1006 })
    },
  }

  function connected(): Link {
    if (link === undefined) throw new Error('WebSocket is not connected')
    return link
  }

  return {
    connect() {
      state = 'connecting'
      link = open(listener)
    },
    send(message) {
      const to = connected()
      if (state === 'connecting') throw new Error('WebSocket is not open: readyState 0 (CONNECTING)')
      if (state === 'open') to.send(Buffer.from(message), 'text', () => undefined)
    },
    close() {
      const to = connected()
      const was = state
      if (was !== 'connecting' && was !== 'open') return
      state = 'closing'
      if (was === 'open') to.close(undefined, '')
      else {
        createLane()(() => fail(new Error('WebSocket was closed before the connection was established')))
        to.fail(1006)
      }
    },
  }
}
