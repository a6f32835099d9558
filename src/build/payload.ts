/**
 * The payloads and chunk edges of what is built, as a document says them.
 *
 * Room: build.
 */
import { valuePayload, type MediaHandling } from '../cassette/media.ts'
import type { Cut, Payload, StreamEvent } from '../cassette/model.ts'
import type { DraftEvent } from '../dialect/build-draft.ts'
import { wrongUse } from '../dialect/build-items.ts'
import type { Placing } from '../dialect/build-stream.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { encodeBase64 } from '../wire/base64.ts'
import { readJsonLossless, type JsonValue } from '../wire/json.ts'
import { decodeUtf8 } from '../wire/text.ts'

/** A JSON value; as text where a value would lose something. */
export function jsonPayload(
  value: JsonValue,
  spell: (value: JsonValue) => string,
  media: MediaHandling,
): Payload {
  const text = spell(value)
  const reading = readJsonLossless(text)
  return reading === undefined ? textPayload(text, media) : valuePayload(reading, media)
}

/** A text as it is. */
export function textPayload(text: string, media: MediaHandling): Payload {
  return { type: 'text', text: media.text(text) }
}

/** Bytes as they are: as text where they are one. */
export function bytesPayload(bytes: Uint8Array, mimeType: string, media: MediaHandling): Payload {
  const text = decodeUtf8(bytes)
  if (text !== undefined) return { type: 'text', text }
  return { type: 'base64', base64: media.bytes(bytes, mimeType) ?? encodeBase64(bytes) }
}

/** The events of a document. */
export function streamEvents(
  drafts: readonly DraftEvent[],
  dialect: Dialect,
  media: MediaHandling,
): readonly StreamEvent[] {
  return drafts.map(({ placing, event, content }, index) => {
    const edges = edgesOf(placing, index)
    switch (content.type) {
      case 'json':
        return { ...edges, event, data: textPayload(dialect.spellEvent(content.value), media) }
      case 'text':
        return { ...edges, event, data: { type: 'text', text: content.text } }
      case 'raw':
        return { ...edges, raw: rawPayload(content.bytes) }
    }
  })
}

function rawPayload(bytes: string | Uint8Array): Payload {
  if (typeof bytes === 'string') return { type: 'text', text: bytes }
  const text = decodeUtf8(bytes)
  return text === undefined ? { type: 'base64', base64: encodeBase64(bytes) } : { type: 'text', text }
}

function edgesOf(
  { at, joined, cuts, hold }: Placing,
  index: number,
): Pick<StreamEvent, 'at' | 'joined' | 'cuts' | 'hold'> {
  if (joined === true && index === 0) {
    throw wrongUse(
      'joined() has nothing before it.',
      'The first event of an answer begins a chunk: leave joined() away.',
    )
  }
  if (joined === true && at !== undefined) {
    throw wrongUse(
      'at() and joined() of one thing.',
      'What is joined comes with the chunk before it: leave one of the two away.',
    )
  }
  return { at, joined, cuts: cuts?.map(cutOf), hold }
}

/** A chunk edge as a document says it. */
export function cutOf(cut: NonNullable<Placing['cuts']>[number]): Cut {
  return typeof cut === 'number' ? { offset: cut, at: undefined } : { offset: cut[0], at: cut[1] }
}
