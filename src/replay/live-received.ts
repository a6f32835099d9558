/**
 * A replay of sockets that tells of each message that a client sends, for whoever reads along.
 *
 * It stands around the engine and changes nothing of what that does. What a message was matched to, the engine
 * has found by the time it has answered.
 *
 * Room: replay.
 */
import type { SocketDialect } from '../dialect/live-messages.ts'
import type { Redactor } from '../redact/redactor.ts'
import type { LiveCommand, LiveInput, LiveReplay } from './live.ts'
import { messageReceived, type Received } from './received.ts'

/** What the messages are read by: those of the engine. */
interface TellingOptions {
  readonly dialect: SocketDialect
  readonly redactor: Redactor
}

/** A socket of a client. */
interface Told {
  readonly operation: string
  /** It has left its recording: nothing of what comes now is matched to anything. */
  readonly failed: boolean
}

/** The same replay, with a `received` command before those that a message brings about. */
export function tellingReceived(engine: LiveReplay, { dialect, redactor }: TellingOptions): LiveReplay {
  const sockets = new Map<number, Told>()

  function received(input: Extract<LiveInput, { readonly type: 'message' }>): Received {
    const { operation = '', failed = false } = sockets.get(input.id) ?? {}
    const source = failed ? undefined : engine.playing(input.id)
    return {
      file: source?.file,
      exchange: source?.number,
      operation,
      socket: input.id,
      ...messageReceived(input.bytes, redactor),
    }
  }

  function fail(id: number): void {
    const told = sockets.get(id)
    if (told !== undefined) sockets.set(id, { ...told, failed: true })
  }

  function watch(input: LiveInput, commands: readonly LiveCommand[]): void {
    if (input.type === 'open') {
      sockets.set(input.id, { operation: dialect.operation(redactor.url(input.url)), failed: false })
    }
    for (const command of commands) {
      if (command.type === 'fail') fail(command.id)
      // No close follows these.
      if (command.type === 'pass' || command.type === 'refuse') sockets.delete(command.id)
    }
    if (input.type === 'close') sockets.delete(input.id)
  }

  return {
    ...engine,
    handle(input, now) {
      const commands = engine.handle(input, now)
      watch(input, commands)
      return input.type !== 'message'
        ? commands
        : [{ type: 'received', id: input.id, received: received(input) }, ...commands]
    },
  }
}
