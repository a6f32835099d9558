/**
 * A client's socket, as the engine that replays sockets keeps it.
 *
 * Room: replay.
 */
import type { Instant } from '../clock.ts'
import type { OpenedSocket } from './live-comparers.ts'
import { restsLeft } from './live-rest.ts'
import type { Session } from './live-session.ts'
import type { ShelfEntry } from './live-shelf.ts'
import type { LiveSource } from './live.ts'
import type { Leftover } from './report.ts'

/** A socket that has not said yet which connection it means, or one that plays it. */
export type Socket =
  | { readonly type: 'waiting'; readonly opening: OpenedSocket; readonly opened: Instant }
  | { readonly type: 'playing'; readonly session: Session; readonly entry: ShelfEntry }

/** What a socket leaves behind, as of now. */
export function restsOf(socket: Socket): readonly Leftover[] {
  return socket.type === 'waiting' ? [] : restsLeft(socket.entry, socket.session.rest())
}

/** The recorded connection that a socket plays; undefined where it plays none yet. */
export function sourceOf(socket: Socket | undefined): LiveSource | undefined {
  return socket?.type === 'playing' ? socket.entry.source : undefined
}
