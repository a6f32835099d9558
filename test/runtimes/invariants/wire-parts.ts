/** The parts of an answer as a right client has them, each with the messages by which it came. */
import type { JsonObject, JsonValue } from '../../../src/wire/json.ts'

/** What every part of the wire has. `from` and `to`: by which messages it came, as {@link Said.at}. */
interface Place {
  readonly from: number
  readonly to: number
  /** Undefined: it carried none. */
  readonly signature: string | undefined
}

/** A piece of text, and by which message it came. */
export interface TextChunk {
  readonly text: string
  readonly at: number
}

/** A text, with the pieces that it came in; those that are empty are not among them. */
export interface WireText extends Place {
  readonly kind: 'text'
  readonly thought: boolean
  readonly text: string
  readonly chunks: readonly TextChunk[]
}

/** A function call. */
export interface WireCall extends Place {
  readonly kind: 'call'
  readonly id: string | undefined
  readonly name: string
  readonly args: JsonObject
  /** It came in pieces. */
  readonly streamed: boolean
  /** False where nothing has ended it. */
  readonly closed: boolean
}

/** Sound or a picture, one for each piece. */
export interface WireMedia extends Place {
  readonly kind: 'media'
  readonly mimeType: string
  readonly bytes: number
}

/** Code that the service ran, or what came of it. */
export interface WireCode extends Place {
  readonly kind: 'code' | 'outcome'
  readonly value: JsonValue
}

/** A part as it was on the wire. */
export type WirePart = WireText | WireCall | WireMedia | WireCode

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A part while pieces are still put to it. */
export type Draft = (Mutable<WireText> | Mutable<WireCall> | Mutable<WireMedia> | Mutable<WireCode>) & {
  step?: number | undefined
  json?: string
  /** No text is added to it any more. */
  ended?: boolean
}

/** A call while pieces are still put to it. */
export type DraftCall = Extract<Draft, { kind: 'call' }>

/** A text while pieces are still put to it. */
export type DraftText = Extract<Draft, { kind: 'text' }>
