/**
 * What is written in place of a secret: `redacted-<kind>-<number>`.
 *
 * The same secret has the same placeholder in a whole recording, wherever it stands, so what was equal
 * stays equal: a session's handle ties two connections together, whatever it was.
 *
 * Room: redact.
 */
import type { SecretKind } from './rules.ts'

const PLACEHOLDER = /\bredacted-([a-z]+(?:-[a-z]+)*)-(\d+)(?!\d)/g

/** Text with every placeholder's number removed, so that two recordings' placeholders compare as equal. */
export function unnumbered(text: string): string {
  return text.includes('redacted-') ? text.replace(PLACEHOLDER, 'redacted-$1') : text
}

/** Gives out placeholders, and remembers which stands for what. */
export interface Placeholders {
  /** The placeholder of a secret. The kind counts the first time only. A placeholder stands for itself. */
  of(secret: string, kind: SecretKind): string
}

/** Starts with nothing given out. */
export function createPlaceholders(): Placeholders {
  const known = new Map<string, string>()
  const given = new Map<SecretKind, number>()

  return {
    of(secret, kind) {
      const before = known.get(secret)
      if (before !== undefined) return before
      const [whole, ownKind = '', number] = new RegExp(PLACEHOLDER.source).exec(secret) ?? []
      if (whole === secret) {
        // Recorded from a replay: the number is taken, so that no other secret gets it.
        given.set(ownKind, Math.max(given.get(ownKind) ?? 0, Number(number)))
        return secret
      }
      const next = (given.get(kind) ?? 0) + 1
      given.set(kind, next)
      const placeholder = `redacted-${kind}-${next}`
      known.set(secret, placeholder)
      return placeholder
    },
  }
}
