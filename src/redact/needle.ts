/**
 * What a search for secrets looks for: one interface for shapes, fields, known values and base64.
 *
 * Room: redact.
 */
import type { Ending } from './percent.ts'
import type { SecretKind } from './rules.ts'
import type { Spelling } from './spelled.ts'

/** What a needle says of one place. Its answer must not depend on how the text was cut. */
export type Finding =
  | { readonly type: 'no' }
  /** Not to be told before more of the text is there. */
  | { readonly type: 'more' }
  /** The stretch of the text that `placeholder` stands for. */
  | { readonly type: 'secret'; readonly start: number; readonly end: number; readonly placeholder: string }
  /** A key that can't be replaced where it stands: nothing from `start` on may be written. */
  | { readonly type: 'refused'; readonly start: number; readonly kind: SecretKind }

/** One thing to look for. */
export interface Needle {
  /** What it begins with, one or more spellings, {@link HEAD_LENGTH} characters at most. */
  readonly heads: readonly string[]
  /** How the heads are spelled. */
  readonly spelling: Spelling
  /** Looks at the place where a head stands. `text` may begin before the body's undecided part. */
  find(text: string, at: number, ending: Ending): Finding
}

/** How much of a needle the search itself compares. */
export const HEAD_LENGTH = 8

/** Says that nothing is there. */
export const NO: Finding = { type: 'no' }

/** Says that more of the text is needed. */
export const MORE: Finding = { type: 'more' }

/** The answer of a comparison that came to the end of the text. */
export function undecided(ending: Ending): Finding {
  return ending === 'open' ? MORE : NO
}
