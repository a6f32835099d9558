/**
 * Holds what a document says of a socket against what went over it, message by message.
 *
 * A client's JSON counts by its value, and its media by its bytes: how a client spells them is not kept.
 *
 * Room: cassette.
 */
import type { WireClose, WireMessage, WireSocket } from '../wire/exchange.ts'
import { encodeBase64 } from '../wire/base64.ts'
import { readJsonLossless } from '../wire/json.ts'
import { decodeUtf8, equalBytes } from '../wire/text.ts'
import { mapStrings } from './blobs.ts'
import { decodeAnyBase64 } from './compose-socket.ts'
import { mediaType } from './media.ts'

/** What differs first between two sockets, without any of their content; undefined where nothing does. */
export function socketDiffers(
  kept: WireSocket | undefined,
  played: WireSocket | undefined,
): string | undefined {
  if (kept === undefined || played === undefined) {
    return kept === played ? undefined : 'the socket is there on one side only'
  }
  if (kept.messages.length !== played.messages.length) return 'the number of messages differs'
  for (const [index, message] of kept.messages.entries()) {
    const difference = messageDiffers(message, played.messages[index], index + 1)
    if (difference !== undefined) return difference
  }
  return closeDiffers(kept.close, played.close)
}

/** The same for one message; `number` is its place, from 1. */
export function messageDiffers(
  kept: WireMessage | undefined,
  played: WireMessage | undefined,
  number: number,
): string | undefined {
  if (kept === undefined || played === undefined) {
    return kept === played ? undefined : 'the number of messages differs'
  }
  const { at, from, frame, bytes } = kept
  if (from !== played.from) return `the side of message ${number} differs`
  if (frame !== played.frame) return `the frame of message ${number} differs`
  if (at !== played.at) return `the time of message ${number} differs`
  if (equalBytes(bytes, played.bytes)) return undefined
  if (from === 'client') {
    const json = jsonOf(bytes)
    if (json !== undefined && json === jsonOf(played.bytes)) return undefined
  }
  return `message ${number} differs`
}

/** The same for the close. */
export function closeDiffers(kept: WireClose | undefined, played: WireClose | undefined): string | undefined {
  if (kept === undefined || played === undefined) {
    return kept === played ? undefined : 'the close is there on one side only'
  }
  const isSame =
    kept.at === played.at &&
    kept.by === played.by &&
    kept.code === played.code &&
    kept.reason === played.reason
  return isSame ? undefined : 'the close differs'
}

/** JSON in one spelling, its numbers as the text has them; undefined where a value can't say it whole. */
function jsonOf(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes)
  const reading = text === undefined ? undefined : readJsonLossless(text)
  if (reading === undefined) return undefined
  const value = mapStrings(reading.value, (string, key, siblings) => {
    const media = mediaType(string, key, siblings) === undefined ? undefined : decodeAnyBase64(string)
    return media === undefined ? string : encodeBase64(media)
  })
  return JSON.stringify([value, reading.numbers])
}
