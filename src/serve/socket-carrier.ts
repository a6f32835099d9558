/**
 * The only loop between the replay engine for sockets and the world: it numbers sockets, keeps the one timer
 * and hands commands to the socket that they are for.
 *
 * Every way for messages to travel adds only a {@link SocketPeer}, so what is true of one is true of all.
 *
 * Room: serve.
 */
import type { Clock } from '../clock.ts'
import type { Frame } from '../dialect/live-messages.ts'
import type { Failure, PlayedExchange } from '../replay/http.ts'
import type { LiveCommand, LiveInput, LiveReplay } from '../replay/live.ts'
import type { Received } from '../replay/received.ts'
import type { HeaderList } from '../wire/headers.ts'
import { createAlarm } from './alarm.ts'
import { createCrowd } from './crowd.ts'
import type { Released, Steps } from './steps.ts'

/** What a client gets instead of a socket. */
export type RefusedUpgrade = Omit<Extract<LiveCommand, { readonly type: 'refuse' }>, 'type' | 'id'>

/** What is done to one socket. None of these calls back before it returns. */
export interface SocketPeer {
  accept(): void
  refuse(answer: RefusedUpgrade): void
  send(bytes: Uint8Array, frame: Frame): void
  /** A code of undefined: a close frame without one. */
  close(code: number | undefined, reason: string): void
  /** Ends the connection without a close frame, after what was sent has gone out. */
  drop(): void
  /** Ends it at once. */
  cut(): void
  /** Calls back once, when all that was sent has gone out. */
  drain(drained: () => void): void
  /**
   * No recorded connection answers it, and the engine passes such sockets on: nothing more comes from here.
   * The message that it was told of last, if any, was not used.
   */
  pass?(why: Failure): void
}

/** One client's socket, as its peer tells of it. */
export interface CarriedSocket {
  message(bytes: Uint8Array, frame: Frame): void
  /** The socket is gone; told once, however that came. 1006: without a close. */
  closed(code: number | undefined, reason: string | undefined): void
}

/** What a carrier runs on, and whom it tells. */
export interface SocketCarrierOptions {
  readonly engine: LiveReplay
  readonly clock: Clock
  /** At pace `manual`: what lets things go. */
  readonly steps?: Steps | undefined
  readonly onReceived?: ((received: Received) => void) | undefined
  readonly onExchange?: ((played: PlayedExchange) => void) | undefined
  readonly onFailure?: ((failure: Failure) => void) | undefined
}

/** Feeds one engine. */
export interface SocketCarrier {
  /** True if a socket for this URL is to be opened here. */
  owns(url: string): boolean
  /** A client asks for a socket. `connect` makes its peer, and is told where to. */
  open(url: string, headers: HeaderList, connect: (socket: CarriedSocket) => SocketPeer): void
  /** Resolves when no socket is open, or after so many milliseconds. */
  idle(graceMs: number): Promise<void>
  /** How many sockets are open. */
  count(): number
  /** Ends all that are open. */
  cut(): void
  /** Stops the timer; nothing is played any more. */
  stop(): void
}

/** Starts a loop with nothing in it. */
export function createSocketCarrier(options: SocketCarrierOptions): SocketCarrier {
  const { engine, clock, steps, onReceived, onExchange, onFailure } = options
  const peers = createCrowd<SocketPeer>()
  const alarm = createAlarm(clock, () => feed({ type: 'wake' }))

  steps?.join(() => releasedBy(feed({ type: 'step' })))

  function feed(input: LiveInput): readonly LiveCommand[] {
    const commands = engine.handle(input, clock.now())
    for (const command of commands) run(command)
    steps?.retry()
    return commands
  }

  function run(command: LiveCommand): void {
    switch (command.type) {
      case 'accept':
        return peers.get(command.id)?.accept()
      case 'refuse':
        return peers.get(command.id)?.refuse(command)
      case 'send':
        return peers.get(command.id)?.send(command.bytes, command.frame)
      case 'drain':
        return peers.get(command.id)?.drain(() => feed({ type: 'drained', id: command.id }))
      case 'close':
        return peers.get(command.id)?.close(command.code, command.reason)
      case 'drop':
        return peers.get(command.id)?.drop()
      case 'pass':
        return passOn(command.id, command.failure)
      case 'wake':
        return alarm.set(command.at)
      case 'received':
        return onReceived?.(command.received)
      case 'fail':
        return onFailure?.(command.failure)
      case 'done':
        return onExchange?.(command.exchange)
    }
  }

  function passOn(id: number, why: Failure): void {
    const peer = peers.get(id)
    peers.remove(id)
    peer?.pass?.(why)
  }

  function toldOf(id: number): CarriedSocket {
    return {
      message: (bytes, frame) => feed({ type: 'message', id, bytes, frame }),
      closed(code, reason) {
        if (peers.remove(id)) feed({ type: 'close', id, code, reason })
      },
    }
  }

  return {
    owns: url => engine.owns(url),
    open(url, headers, connect) {
      const id = peers.add(number => connect(toldOf(number)))
      feed({ type: 'open', id, url, headers })
    },
    idle: graceMs => peers.idle(graceMs),
    count: () => peers.all().length,
    cut: () => peers.all().forEach(peer => peer.cut()),
    stop: () => alarm.stop(),
  }
}

/** What these commands let go; undefined where they let nothing go. */
function releasedBy(commands: readonly LiveCommand[]): Released | undefined {
  for (const command of commands) {
    if (command.type === 'send') return { type: 'message', bytes: command.bytes }
    if (command.type === 'close') return { type: 'close', bytes: new Uint8Array() }
    if (command.type === 'drop') return { type: 'cut', bytes: new Uint8Array() }
  }
  return undefined
}
