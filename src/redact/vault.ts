/**
 * What one recording knows of its secrets: their placeholders, and the values to look for everywhere.
 *
 * Room: redact.
 */
import { createPlaceholders } from './placeholders.ts'
import type { SecretKind, SecretShape } from './rules.ts'

/** A scheme that comes before a credential; only the credential is secret. */
const SCHEME = /^(Basic|Bearer|Digest|Negotiate|OAuth|Token)( +)(.+)$/is

/** A cookie's attributes and settings are shorter than what it identifies by. */
const PAIR_MIN = 16

/** What anyone may say: a single word of letters, and what says of itself that it was redacted. */
const WORD = /^[a-z]{1,19}$|redacted/i

/** The secrets of one recording. */
export interface Vault {
  /** The placeholder of exactly this. */
  placeholder(secret: string, kind: SecretKind): string
  /** What a secret value becomes: a scheme, a prefix that programs look at and a placeholder stay. */
  value(value: string, kind: SecretKind): string
  /**
   * The same, for a value that was found where only secrets stand; it is a secret wherever it stands from
   * now on, and so are the values of pairs in it (a cookie's), if too long to be an accident: from `min`
   * characters on.
   */
  learn(value: string, kind: SecretKind, min: number): string
  /** True for what a placeholder's place holds already: a replay was recorded. */
  isPlaceholder(text: string): boolean
  /** All that was learned: values and their placeholders. The size only grows. */
  readonly learned: ReadonlyMap<string, string>
}

/** Knows nothing yet. */
export function createVault(shapes: readonly SecretShape[]): Vault {
  const placeholders = createPlaceholders()
  const learned = new Map<string, string>()
  const kept = shapes.filter(shape => shape.keeps === 'prefix')

  function keptPrefix(secret: string): SecretShape | undefined {
    return kept.find(
      ({ prefix, body }) =>
        secret.startsWith(prefix) &&
        secret.length > prefix.length &&
        every(secret.slice(prefix.length), body),
    )
  }

  function remember(secret: string, kind: SecretKind, min: number): void {
    const shape = keptPrefix(secret)
    const rest = secret.slice(shape?.prefix.length ?? 0)
    if (rest.length < min || learned.has(rest) || WORD.test(rest)) return
    learned.set(rest, placeholders.of(rest, shape?.kind ?? kind))
  }

  function value(text: string, kind: SecretKind): string {
    const [, scheme = '', blanks = '', credential] = SCHEME.exec(text) ?? []
    if (credential !== undefined) return scheme + blanks + value(credential, kind)
    const shape = keptPrefix(text)
    if (shape === undefined) return placeholders.of(text, kind)
    return shape.prefix + placeholders.of(text.slice(shape.prefix.length), shape.kind)
  }

  return {
    placeholder: (secret, kind) => placeholders.of(secret, kind),
    value,
    learn(text, kind, min) {
      const safe = value(text, kind)
      const [, , , credential = text] = SCHEME.exec(text) ?? []
      remember(credential, kind, min)
      for (const pair of credential.split(/[;,]\s*/)) {
        const [, of = ''] = /^[^=]*=(.*)$/s.exec(pair) ?? []
        if (of !== credential) remember(of, kind, Math.max(min, PAIR_MIN))
      }
      return safe
    },
    isPlaceholder: text => /^redacted-[a-z-]+-\d+$/.test(text),
    learned,
  }
}

function every(text: string, holds: (character: string) => boolean): boolean {
  return text.split('').every(holds)
}
