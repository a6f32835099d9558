/**
 * How much sound or picture a Live client sent, without looking at what is in it.
 *
 * Room: dialect.
 */
import { base64Length } from '../wire/base64.ts'
import type { JsonObject, JsonValue } from '../wire/json.ts'
import { shallow } from './live-fold.ts'
import type { MediaInput } from './live-messages.ts'

/** What the API takes PCM for where its mime type has no rate. Source: ai.google.dev, Live API, audio formats. */
const DEFAULT_RATE = 16_000
/** 16-bit mono. */
const BYTES_PER_SAMPLE = 2

/** The amount of one blob `{ data, mimeType }`: milliseconds of PCM, bytes of other sound, or a frame. */
export function mediaAmount(media: JsonValue): MediaInput {
  const blob = shallow(media)
  const mime = textOf(blob, 'mimeType').toLowerCase()
  if (/^(?:video|image)\//.test(mime)) return frames()
  const bytes = base64Length(textOf(blob, 'data'))
  if (mime !== '' && !/^audio\/(?:pcm|l16)\b/.test(mime)) {
    return { type: 'media', lane: 'audio bytes', amount: bytes, unit: 'bytes of audio' }
  }
  const rate = Number(/;\s*rate=(\d+)/.exec(mime)?.[1] ?? DEFAULT_RATE) || DEFAULT_RATE
  const amount = (bytes / BYTES_PER_SAMPLE / rate) * 1000
  return { type: 'media', lane: 'audio', amount, unit: 'ms of audio' }
}

/** One picture, whatever it is spelled in. */
export function frames(): MediaInput {
  return { type: 'media', lane: 'video', amount: 1, unit: 'frames of video' }
}

function textOf(blob: JsonObject, key: string): string {
  const text = blob[key]
  return typeof text === 'string' ? text : ''
}
