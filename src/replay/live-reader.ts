/**
 * Reads client messages for a comparison: redacted, and without the places that do not count.
 *
 * Room: replay.
 */
import type { ClientInput, SocketDialect } from '../dialect/live-messages.ts'
import type { Redactor } from '../redact/redactor.ts'
import { isPlaceIn, type Pointer, withoutPlacesAt } from '../wire/pointer.ts'

/** What a message says, redacted as a recording of it would be. Media is neither compared nor shown. */
export function readRedacted(
  bytes: Uint8Array,
  dialect: SocketDialect,
  redactor: Redactor,
): readonly ClientInput[] {
  const inputs = dialect.readClient(bytes)
  if (inputs.every(input => input.type === 'media')) return inputs
  const { bytes: safe, replaced, refused } = redactor.whole(bytes)
  return replaced.length === 0 && refused === undefined ? inputs : dialect.readClient(safe)
}

/** A dialect that reads what a client says without what is ignored, on the recording and off the socket alike. */
export function ignoring(dialect: SocketDialect, ignored: readonly Pointer[]): SocketDialect {
  if (ignored.length === 0) return dialect
  return {
    ...dialect,
    readClient: bytes => dialect.readClient(bytes).map(input => without(input, dialect, ignored)),
  }
}

function without(input: ClientInput, dialect: SocketDialect, ignored: readonly Pointer[]): ClientInput {
  const { resumesAt } = dialect
  if (input.type === 'media') return input
  const left = withoutPlacesAt(input.value, input.place, ignored)
  const value = input.type === 'response' ? left : dialect.refold(left)
  if (input.type === 'response' || input.resumes === undefined) return { ...input, value }
  return { ...input, value, resumes: isPlaceIn(resumesAt, ignored) ? undefined : input.resumes }
}
