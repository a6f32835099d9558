/**
 * What counts as a secret, as data. The rules themselves come from the dialects.
 *
 * Room: redact.
 */

/**
 * The kind of a secret: it names the placeholder, `redacted-<kind>-<number>`.
 *
 * The same secret gets the same placeholder in the whole recording, so what was equal stays equal.
 */
export type SecretKind = string

/** A secret that is known by its shape: a literal beginning, then characters of a set. */
export interface SecretShape {
  readonly kind: SecretKind
  /** What it begins with, in ASCII. Not preceded by a character of `body`, a plus, a slash or an equals sign. */
  readonly prefix: string
  /** True if this ASCII character may stand in the rest of it. */
  readonly body: (character: string) => boolean
  /** How many characters of `body` follow the prefix at least, and at most. */
  readonly min: number
  readonly max: number
}

/** A secret that is known by where it stands: the string value of this JSON key, wherever the key is. */
export interface SecretField {
  readonly kind: SecretKind
  readonly key: string
}

/** Everything that is redacted. Names in lower case. */
export interface SecretRules {
  /** Header fields whose whole value is a secret. */
  readonly headers: ReadonlyMap<string, SecretKind>
  /** Query parameters whose value is a secret. */
  readonly query: ReadonlyMap<string, SecretKind>
  readonly shapes: readonly SecretShape[]
  readonly fields: readonly SecretField[]
  /** Shapes that must never be written in base64 either: the run fails. */
  readonly refused: readonly SecretShape[]
}
