/**
 * The recorded connections of some cassettes, and the bytes of their payloads.
 *
 * Room: replay.
 */
import type { Exchange, Payload } from '../cassette/model.ts'
import { payloadBytes } from '../cassette/play.ts'
import type { SocketDialect } from '../dialect/live-messages.ts'
import { operationOf } from '../dialect/operation.ts'
import { unknown } from '../dialect/unknown.ts'
import type { LiveSource } from './live.ts'
import { isSocket, type LoadedCassette } from './recorded.ts'

/** From this length on, in bytes, a message is not kept to be played again. */
const MOST_KEPT = 4096

/** The sockets among the exchanges of some cassettes, refused ones included, in order. */
export function liveSources(
  cassettes: readonly LoadedCassette[],
  dialect: SocketDialect,
): readonly LiveSource[] {
  return cassettes.flatMap(({ cassette, blobs }) =>
    cassette.documents
      .flatMap(document => (document.type === 'exchange' ? [document.exchange] : []))
      .map((exchange, index): LiveSource => {
        const listed = new Set(Object.keys(exchange.blobs ?? {}))
        const bytes: LiveSource['bytes'] = (payload, side) =>
          payloadBytes(payload, spellingOf(exchange, dialect, side), blobs, listed)
        return {
          file: cassette.file,
          number: index + 1,
          exchange,
          bytes: exchange.repeat === undefined ? bytes : kept(bytes),
        }
      })
      .filter(({ exchange }) => isSocket(exchange)),
  )
}

/** What is played more than once is spelled once, but for sound and pictures, which may be more than memory holds. */
function kept(bytes: LiveSource['bytes']): LiveSource['bytes'] {
  const made = new WeakMap<Payload, Uint8Array>()
  return (payload, side) => {
    const known = made.get(payload)
    if (known !== undefined) return known
    const fresh = bytes(payload, side)
    if (fresh.length <= MOST_KEPT) made.set(payload, fresh)
    return fresh
  }
}

/** A refusal is HTTP, and spelled as any other answer on its route; messages are spelled side by side. */
function spellingOf(exchange: Exchange, dialect: SocketDialect, side: 'client' | 'server' | 'response') {
  if (side === 'response') return operationOf(exchange.request).dialect
  return { ...unknown, spell: dialect.spell.bind(undefined, side) }
}
