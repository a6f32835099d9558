/**
 * The events of a WHATWG `WebSocket` that Node has no class for everywhere, and the `on…` attributes that
 * listen to them.
 *
 * Room: serve.
 */

/** Listens to one kind of event. The events of `message` have `data`, those of `close` `code`, `reason` and `wasClean`. */
export type SocketHandler = (event: SocketEvent) => void

/** An event of a socket, with the fields of all kinds. */
export interface SocketEvent extends Event {
  /** Of `message`. */
  readonly data?: unknown
  /** Of `close`: 1005 for one without a code, 1006 where no close came. */
  readonly code?: number
  /** Of `close`. */
  readonly reason?: string
  /** Of `close`: true where both sides said it. */
  readonly wasClean?: boolean
  /** Of `error`. */
  readonly error?: unknown
  /** Of `error`. */
  readonly message?: string
}

/** The handlers that are set, and the listeners that call them, by the event's name. */
export type Handlers = Map<string, { readonly handler: SocketHandler; readonly listener: EventListener }>

type EventListener = (event: Event) => void

/** The handler of an event, as it was set. */
export function handlerOf(handlers: Handlers, name: string): SocketHandler | null {
  return handlers.get(name)?.handler ?? null
}

/** Sets the handler of an event, in the place of the one before. What is no function removes that. */
export function setHandler(
  target: EventTarget,
  handlers: Handlers,
  name: string,
  handler: SocketHandler | null,
): void {
  const before = handlers.get(name)
  if (before !== undefined) target.removeEventListener(name, before.listener)
  handlers.delete(name)
  if (typeof handler !== 'function') return
  const listener = (event: Event): void => handler.call(target, event)
  target.addEventListener(name, listener)
  handlers.set(name, { handler, listener })
}

/** A `close` event: of the platform's class where it has one (Node 23 has). */
export function closeEvent(code: number, reason: string): Event {
  const init = { code, reason, wasClean: code !== 1006 }
  return make('CloseEvent', 'close', init)
}

/** An `error` event. */
export function errorEvent(error: Error): Event {
  return make('ErrorEvent', 'error', { error, message: '' })
}

function make(name: 'CloseEvent' | 'ErrorEvent', type: string, init: object): Event {
  const Platform: unknown = Reflect.get(globalThis, name)
  if (typeof Platform === 'function') {
    const event: unknown = Reflect.construct(Platform, [type, init])
    if (event instanceof Event) return event
  }
  const event = new Event(type)
  for (const [key, value] of Object.entries(init))
    Object.defineProperty(event, key, { value, enumerable: true })
  return event
}
