/**
 * The first thing a client hears before it is refused, or its connect call never settles.
 *
 * Room: replay.
 */
import type { SocketDialect } from '../dialect/live-messages.ts'
import { encodeUtf8 } from '../wire/text.ts'
import type { LiveCommand } from './live.ts'

/** Greets the client of a socket on which nothing was sent. */
export function greet(id: number, dialect: SocketDialect): LiveCommand {
  return { type: 'send', id, bytes: encodeUtf8(dialect.greeting), frame: dialect.frames.server }
}
