/**
 * What counts as a secret, as data. The rules themselves come from the dialects.
 *
 * Room: redact.
 */

/**
 * The kind of a secret: it names the placeholder, `redacted-<kind>-<number>`. Lower-case words with hyphens.
 *
 * The same secret gets the same placeholder in the whole recording, so what was equal stays equal.
 */
export type SecretKind = string

/** A secret that is known by its shape: a literal beginning, then characters of a set. */
export interface SecretShape {
  readonly kind: SecretKind
  /** What it begins with, in ASCII. */
  readonly prefix: string
  /** True if this ASCII character may stand in the rest of it. */
  readonly body: (character: string) => boolean
  /** How many characters of `body` follow the prefix at least, and at most. */
  readonly min: number
  readonly max: number
  /**
   * True for a character that can't stand directly before or after it: then it is a stretch of something
   * longer. Where undefined, a character of `body`, a plus or a slash, and after it an equals sign too: so
   * no stretch of base64 is ever taken for a key.
   */
  readonly edge?: ((character: string) => boolean) | undefined
  /** What must stand directly after it, instead of an edge. */
  readonly after?: string | undefined
  /** `prefix`: the placeholder stands for the rest only, since programs look at the beginning. */
  readonly keeps?: 'prefix' | undefined
  /** A last look at the whole of it; false: not a secret. */
  readonly accept?: ((secret: string) => boolean) | undefined
}

/** A secret that is known by where it stands: the string value of this JSON key, wherever the key is. */
export interface SecretField {
  readonly kind: SecretKind
  readonly key: string
  /** False for a value that is no secret after all. */
  readonly accept?: ((value: string) => boolean) | undefined
}

/** Everything that is redacted. Names in lower case. */
export interface SecretRules {
  /** Header fields whose whole value is a secret; the name of an authentication scheme before it stays. */
  readonly headers: ReadonlyMap<string, SecretKind>
  /** Query parameters whose value is a secret. */
  readonly query: ReadonlyMap<string, SecretKind>
  /** Path segments after which the next segment is a secret. */
  readonly paths: ReadonlyMap<string, SecretKind>
  readonly shapes: readonly SecretShape[]
  readonly fields: readonly SecretField[]
  /** Shapes that must never be written in base64 either: the run fails. Only prefix, body and min count. */
  readonly refused: readonly SecretShape[]
}
