/**
 * What fits into a close frame of a WebSocket.
 *
 * Room: wire.
 */
import { encodeUtf8 } from './text.ts'

/** How many bytes of UTF-8 a reason has at most: a control frame carries 125, and two of them are the code (RFC 6455 §5.5). */
export const MAX_REASON_BYTES = 123

/**
 * As much of a reason as fits, cut between characters: half of one would break the protocol.
 *
 * @param ending - What stands for what was cut, e.g. `...`.
 */
export function fittingReason(reason: string, ending: string = ''): string {
  if (encodeUtf8(reason).length <= MAX_REASON_BYTES) return reason
  let room = MAX_REASON_BYTES - encodeUtf8(ending).length
  let end = 0
  for (const character of reason) {
    room -= encodeUtf8(character).length
    if (room < 0) break
    end += character.length
  }
  return reason.slice(0, end) + ending
}
