/**
 * Takes secrets out of what a recording writes, before it is written.
 *
 * Sits between the recorder and the journal. Nothing that an app receives passes through here.
 *
 * Room: redact.
 */
import type { HeaderList } from '../wire/headers.ts'
import type { SecretRules } from './rules.ts'

/** A stretch of the original that was replaced; offsets and lengths in bytes. */
export interface Replacement {
  /** Where it began, counted in the original body. */
  readonly at: number
  /** How long it was. */
  readonly was: number
  /** How long its placeholder is. */
  readonly is: number
}

/** What may be written now. */
export interface RedactedBytes {
  readonly bytes: Uint8Array
  /** The replacements in `bytes`, in order. */
  readonly replaced: readonly Replacement[]
  /** Set when a key was found that can't be replaced (inside base64): the kind of it. Nothing of it is in `bytes`; the run must fail. */
  readonly refused?: string | undefined
}

/** Redacts one body as it streams by. Bytes that may begin a secret are held back until that is decided. */
export interface BodyRedactor {
  push(bytes: Uint8Array): RedactedBytes
  /** Hands out what is still held back. */
  end(): RedactedBytes
  /** How many bytes are held back now. */
  readonly held: number
}

/** One per recording: it remembers which placeholder stands for which secret. */
export interface Redactor {
  /** The values of secret fields become placeholders; secrets inside the other values too. */
  headers(headers: HeaderList): HeaderList
  /** A URL or a path with its query, with secret parameters and path parts replaced. */
  url(url: string): string
  /** Any other text: an error message, a reason phrase. */
  text(text: string): string
  body(): BodyRedactor
}

/** Makes the redactor of one recording. */
export declare function createRedactor(rules: SecretRules): Redactor
