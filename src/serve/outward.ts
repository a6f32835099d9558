/**
 * What an app in this process asks the service with while it is recorded: the same things as the carriers of a
 * replay, but on a way that leads through the proxy.
 *
 * Room: serve.
 */
import { Agent, WebSocket as UndiciWebSocket, type Dispatcher } from 'undici'
import { WebSocket } from 'ws'
import type { FactorySocket, SocketFactory } from './in-process-socket.ts'
import type { InProcessWebSocketConstructor } from './in-process-web-socket.ts'
import type { Relocate } from './relocation.ts'

/** A `fetch` that asks the proxy. */
export function createOutwardFetch(relocate: Relocate): typeof fetch {
  return async (input, init) =>
    input instanceof Request
      ? fetch(new Request(relocate(input.url), input), init)
      : fetch(relocate(input instanceof URL ? input : new URL(input)), init)
}

/** Sockets for the official SDK, made as it makes them itself. */
export function createOutwardSockets(relocate: Relocate): SocketFactory {
  return {
    create(url, headers, callbacks): FactorySocket {
      let webSocket: WebSocket | undefined
      const connected = (): WebSocket => {
        if (webSocket === undefined) throw new Error('WebSocket is not connected')
        return webSocket
      }
      return {
        connect() {
          webSocket = new WebSocket(relocate(url), { headers: { ...headers } })
          Object.assign(webSocket, callbacks)
        },
        send: message => connected().send(message),
        close: () => connected().close(),
      }
    },
  }
}

/** A WHATWG `WebSocket` class that asks the proxy. */
export function createOutwardWebSocket(relocate: Relocate): InProcessWebSocketConstructor {
  const relocated: unknown = class extends UndiciWebSocket {
    constructor(...[url, protocols]: ConstructorParameters<typeof UndiciWebSocket>) {
      super(relocate(url), protocols)
    }
  }
  if (isSocketClass(relocated)) return relocated
  throw new TypeError('the class of undici makes no sockets')
}

/** Both are what the standard says a `WebSocket` is. */
function isSocketClass(value: unknown): value is InProcessWebSocketConstructor {
  return typeof value === 'function' && 'CONNECTING' in value && 'CLOSED' in value
}

/** A dispatcher of undici that asks the proxy. */
export function createOutwardDispatcher(relocate: Relocate): Dispatcher {
  return new Agent().compose(dispatch => (options, handler) => {
    const { origin = '', path } = options
    const { origin: proxy, pathname, search } = new URL(relocate(new URL(path, origin)))
    return dispatch({ ...options, origin: proxy, path: pathname + search }, handler)
  })
}
