/**
 * From what went over a socket to the `messages` of its document.
 *
 * One message at a time, so that an hour of sound can be composed in little memory: media is appended to
 * files as it comes.
 *
 * Room: cassette.
 */
import type { SocketDialect, SocketSide } from '../dialect/live-messages.ts'
import { decodeBase64, encodeBase64 } from '../wire/base64.ts'
import type { WireClose, WireMessage } from '../wire/exchange.ts'
import { readJsonLossless } from '../wire/json.ts'
import { decodeUtf8 } from '../wire/text.ts'
import { referredNames } from './blobs.ts'
import { namesIn, takeMedia, valuePayload, type MediaHandling } from './media.ts'
import type { Payload, SocketMessage } from './model.ts'
import { isSideFile, type SideFiles } from './side-files.ts'

/** What a message holds that says nothing of what it is. */
const UNKNOWN_TYPE = 'application/octet-stream'

/** Composes the messages of one socket, in order. */
export type MessageComposer = (message: WireMessage) => SocketMessage

/** Starts composing; media goes to `files`. */
export function createMessageComposer(dialect: SocketDialect, files: SideFiles): MessageComposer {
  const media: Readonly<Record<SocketSide, MediaHandling>> = {
    // How a client spells base64 is not kept, as nothing of a client's spelling is.
    client: takeMedia((bytes, type) => files.append('client', type, bytes), decodeAnyBase64),
    server: takeMedia((bytes, type) => files.append('server', type, bytes), decodeBase64),
  }
  return ({ at, from, frame, bytes }) => ({
    at,
    frame: frame === dialect.frames[from] ? undefined : frame,
    [from]: payloadOf(bytes, from, dialect, media[from]),
  })
}

/** The close as a document says it. */
export function composeClose({ at, by, code, reason }: WireClose): SocketMessage {
  return { at, close: { by, code, reason: reason === '' ? undefined : reason } }
}

/** A value where nothing is lost: for a server, where its spelling gives the very bytes. */
function payloadOf(
  bytes: Uint8Array,
  side: SocketSide,
  dialect: SocketDialect,
  media: MediaHandling,
): Payload {
  const text = decodeUtf8(bytes)
  if (text === undefined) return bytesPayload(bytes, media)
  const reading = readJsonLossless(text)
  const isValue =
    reading !== undefined &&
    (side === 'client' || dialect.spell(side, reading.value, reading.numbers) === text)
  const mentioned = isValue ? namesIn(reading.value) : referredNames(text)
  // A text that reads like a reference to one of our files would be read as one; base64 never is.
  if (mentioned.some(isSideFile)) return bytesPayload(bytes, media)
  return isValue ? valuePayload(reading, media) : { type: 'text', text: media.text(text) }
}

function bytesPayload(bytes: Uint8Array, media: MediaHandling): Payload {
  return { type: 'base64', base64: media.bytes(bytes, UNKNOWN_TYPE) ?? encodeBase64(bytes) }
}

/** Python spells base64 in the URL-safe alphabet, JavaScript in the standard one, some leave the padding out. */
export function decodeAnyBase64(text: string): Uint8Array | undefined {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  return decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='))
}
