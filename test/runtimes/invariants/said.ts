/** What a service can say, in one shape for the three APIs: the wire in pieces, before anything is put together. */
import type { JsonObject, JsonValue } from '../../../src/wire/json.ts'

/** A piece of an argument, as `functionCall.partialArgs` has it. */
export interface ArgumentPiece {
  readonly path: string
  readonly value: JsonValue
}

/** One thing that is said. `step` is its index, of Interactions. */
export type Saying = (
  | { readonly kind: 'text'; readonly text: string; readonly thought: boolean }
  | {
      readonly kind: 'call'
      readonly id: string | undefined
      /** Undefined: it goes on with a call that is open, or ends it. */
      readonly name: string | undefined
      readonly args: JsonObject | undefined
      readonly pieces: readonly ArgumentPiece[]
      readonly willContinue: boolean
    }
  | { readonly kind: 'arguments'; readonly json: string }
  | { readonly kind: 'signature' }
  | { readonly kind: 'step'; readonly type: string; readonly begins: boolean }
  | { readonly kind: 'media'; readonly mimeType: string; readonly bytes: number }
  | { readonly kind: 'code' | 'outcome'; readonly value: JsonValue }
  | { readonly kind: 'finish'; readonly reason: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'usage'; readonly usage: JsonObject }
  | { readonly kind: 'interrupted' | 'generation-complete' | 'turn-complete' | 'go-away' }
  | {
      readonly kind: 'transcription'
      readonly whose: 'input' | 'output'
      readonly text: string
      readonly finished: boolean
    }
  | { readonly kind: 'cancelled'; readonly ids: readonly string[] }
  | { readonly kind: 'handle'; readonly handle: string | undefined }
  | {
      readonly kind: 'error'
      readonly code: string | undefined
      readonly status: string | undefined
      readonly message: string
    }
  /** Interactions: which it is, and how it is with it. */
  | {
      readonly kind: 'interaction'
      readonly id: string | undefined
      readonly status: string
      readonly done: boolean
    }
  /** Something that no version of the API that we know has. */
  | { readonly kind: 'unknown'; readonly what: string }
  /** What is no JSON. */
  | { readonly kind: 'raw'; readonly text: string }
) & {
  readonly step?: number | undefined
  /** The signature that it carries, in standard base64. */
  readonly signature?: string | undefined
}

/** One thing that is said, and in which message or event, from 0. Those of one message have the same. */
export type Said = Saying & { readonly at: number }
