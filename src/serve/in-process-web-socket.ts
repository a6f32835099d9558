/**
 * A WHATWG `WebSocket` class (websockets.spec.whatwg.org) whose sockets a replay in this process answers.
 *
 * It behaves as the one of Node and undici does, also where that says less than it knows: why a socket was
 * refused is in the replay's report.
 *
 * Room: serve.
 */
import type { HeaderList } from '../wire/headers.ts'
import { decodeUtf8, encodeUtf8 } from '../wire/text.ts'
import type { InProcessReplay } from './in-process.ts'
import { openLink, type Link, type LinkListener } from './in-process-link.ts'
import {
  closeEvent,
  errorEvent,
  handlerOf,
  setHandler,
  type Handlers,
  type SocketHandler,
} from './socket-events.ts'
import { checkClose, checkedProtocols, socketUrl } from './socket-arguments.ts'

/** What a socket is opened with besides its URL: subprotocols, or Node's own dictionary. */
export type SocketProtocols =
  | string
  | readonly string[]
  | {
      /** As the list. */
      readonly protocols?: string | readonly string[] | undefined
      /** Fields of the request that asks for the socket. */
      readonly headers?: ConstructorParameters<typeof Headers>[0] | undefined
    }

/** What a message can be made of. */
export type SocketData = string | ArrayBuffer | ArrayBufferView | Blob

/** The class that {@link createInProcessWebSocket} makes. */
export interface InProcessWebSocketConstructor {
  /** The {@link InProcessWebSocket.readyState} before it is open. */
  readonly CONNECTING: 0
  /** That of one that is open. */
  readonly OPEN: 1
  /** That of one that one side has closed. */
  readonly CLOSING: 2
  /** That of one that is over. */
  readonly CLOSED: 3
  /** What its sockets have in common. */
  readonly prototype: InProcessWebSocket
  /** Throws a `SyntaxError` of the DOM for a URL or a subprotocol that is none. */
  new (url: string | URL, protocols?: SocketProtocols): InProcessWebSocket
}

/** Makes the class; it is put wherever the app takes its `WebSocket` from. */
export function createInProcessWebSocket(replay: InProcessReplay): InProcessWebSocketConstructor {
  return class WebSocket extends InProcessWebSocket {
    constructor(url: string | URL, protocols: SocketProtocols = []) {
      super(replay, url, protocols)
    }
  }
}

/** A socket of {@link createInProcessWebSocket}. */
export class InProcessWebSocket extends EventTarget {
  /** See {@link InProcessWebSocketConstructor}, as for the next three. */
  static readonly CONNECTING = 0
  /** @see {@link InProcessWebSocketConstructor} */
  static readonly OPEN = 1
  /** @see {@link InProcessWebSocketConstructor} */
  static readonly CLOSING = 2
  /** @see {@link InProcessWebSocketConstructor} */
  static readonly CLOSED = 3
  /** As that of the class. */
  readonly CONNECTING = 0
  /** As that of the class. */
  readonly OPEN = 1
  /** As that of the class. */
  readonly CLOSING = 2
  /** As that of the class. */
  readonly CLOSED = 3
  /** Where it was asked for, with a scheme of `ws:` or `wss:`. */
  readonly url: string
  /** None is ever in use. */
  readonly extensions: string = ''
  readonly #link: Link
  readonly #origin: string
  readonly #handlers: Handlers = new Map()
  #state: 0 | 1 | 2 | 3 = 0
  #buffered = 0
  #protocol = ''
  #binaryType: 'blob' | 'arraybuffer' = 'blob'

  constructor(replay: InProcessReplay, url: string | URL, protocols: SocketProtocols) {
    super()
    const address = socketUrl(url)
    const headers = headersOf(protocols)
    this.url = address.href
    this.#origin = address.origin
    this.#link = openLink(replay, address.href, headers, this.#listener())
  }

  /** 0 to 3, see the constants. */
  get readyState(): 0 | 1 | 2 | 3 {
    return this.#state
  }

  /** Bytes of messages that are not on their way yet. */
  get bufferedAmount(): number {
    return this.#buffered
  }

  /** The subprotocol in use: the first that was asked for. Empty without one. */
  get protocol(): string {
    return this.#protocol
  }

  /** What a binary message is given as. */
  get binaryType(): 'blob' | 'arraybuffer' {
    return this.#binaryType
  }

  set binaryType(type: 'blob' | 'arraybuffer') {
    if (type === 'blob' || type === 'arraybuffer') this.#binaryType = type
  }

  /** Throws an `InvalidStateError` of the DOM before the socket is open; what is sent after its end is lost. */
  send(data: SocketData): void {
    if (this.#state === 0) throw new DOMException('Sent before connected.', 'InvalidStateError')
    const isText = !isBinary(data)
    const bytes = isText ? encodeUtf8(data) : bytesOf(data)
    const length = data instanceof Blob ? data.size : bytes instanceof Uint8Array ? bytes.length : 0
    this.#buffered += length
    if (this.#state !== 1) return
    this.#link.send(bytes, isText ? 'text' : 'binary', () => (this.#buffered -= length))
  }

  /** Throws an `InvalidAccessError` or a `SyntaxError` of the DOM for a code or a reason that no client may give. */
  close(code?: number, reason?: string): void {
    const given = checkClose(code, reason)
    const was = this.#state
    if (was > 1) return
    this.#state = 2
    if (was === 1) this.#link.close(given.code, given.reason)
    else this.#link.fail(1006)
  }

  #listener(): LinkListener {
    return {
      opened: protocol => {
        if (this.#state !== 0) return
        this.#state = 1
        this.#protocol = protocol
        this.dispatchEvent(new Event('open'))
      },
      message: (bytes, frame) => {
        if (this.#state !== 1) return
        const data = frame === 'text' ? decodeUtf8(bytes) : this.#binary(bytes)
        if (data !== undefined) {
          this.dispatchEvent(new MessageEvent('message', { data, origin: this.#origin }))
          return
        }
        this.#state = 2
        this.#link.fail(1007)
      },
      refused: () => undefined,
      closed: (code, reason) => {
        this.#state = 3
        if (code === 1006) this.dispatchEvent(errorEvent(new TypeError(reason)))
        this.dispatchEvent(closeEvent(code, reason))
      },
    }
  }

  #binary(bytes: Uint8Array): Blob | ArrayBuffer {
    const own = Uint8Array.from(bytes)
    return this.#binaryType === 'blob' ? new Blob([own]) : own.buffer
  }

  /** The socket is open. */
  get onopen(): SocketHandler | null {
    return handlerOf(this.#handlers, 'open')
  }
  set onopen(handler: SocketHandler | null) {
    setHandler(this, this.#handlers, 'open', handler)
  }
  /** A message has come; its `data` is a string, a Blob or an ArrayBuffer. */
  get onmessage(): SocketHandler | null {
    return handlerOf(this.#handlers, 'message')
  }
  set onmessage(handler: SocketHandler | null) {
    setHandler(this, this.#handlers, 'message', handler)
  }
  /** It has failed; a `close` follows. */
  get onerror(): SocketHandler | null {
    return handlerOf(this.#handlers, 'error')
  }
  set onerror(handler: SocketHandler | null) {
    setHandler(this, this.#handlers, 'error', handler)
  }
  /** It is over; with `code`, `reason` and `wasClean`. */
  get onclose(): SocketHandler | null {
    return handlerOf(this.#handlers, 'close')
  }
  set onclose(handler: SocketHandler | null) {
    setHandler(this, this.#handlers, 'close', handler)
  }
}

function isBinary(data: SocketData): data is Exclude<SocketData, string> {
  return data instanceof Blob || data instanceof ArrayBuffer || ArrayBuffer.isView(data)
}

/** Read at once: what is changed after the call is not what was sent. */
function bytesOf(data: Exclude<SocketData, string>): Uint8Array | Promise<Uint8Array> {
  if (data instanceof Blob) return data.arrayBuffer().then(buffer => new Uint8Array(buffer))
  if (data instanceof ArrayBuffer) return new Uint8Array(data.slice(0))
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
}

/** The fields that an app can give a request for a socket. */
function headersOf(protocols: SocketProtocols): HeaderList {
  const asked = isDictionary(protocols) ? protocols : { protocols, headers: undefined }
  const own = [...new Headers(asked.headers)]
  const names = checkedProtocols(asked.protocols ?? [])
  return names.length === 0 ? own : [...own, ['sec-websocket-protocol', names.join(', ')]]
}

function isDictionary(
  protocols: SocketProtocols,
): protocols is Exclude<SocketProtocols, string | readonly string[]> {
  return typeof protocols === 'object' && !(Symbol.iterator in protocols)
}
