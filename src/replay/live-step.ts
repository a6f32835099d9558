/**
 * Steps by hand, where several sockets are open: whose turn it is.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { Session } from './live-session.ts'
import type { LiveCommand } from './live.ts'

/** One message or close: of the session whose next one came first on the recording, among those that may go on. */
export function stepOne(sessions: readonly Session[], now: Instant): readonly LiveCommand[] {
  for (const session of sessions.toSorted((one, other) => one.turn() - other.turn())) {
    const commands = session.step(now)
    if (commands.length > 0) return commands
  }
  return []
}
