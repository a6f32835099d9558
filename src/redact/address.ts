/**
 * Secrets in URLs: parameters, path segments, and a user's name and password.
 *
 * Room: redact.
 */
import { decodePercent } from './percent.ts'
import type { SecretKind, SecretRules, SecretShape } from './rules.ts'
import type { Vault } from './vault.ts'

/** From this length on a parameter is looked for elsewhere. Shorter ones are words. */
const PARAMETER_MIN = 8

/** The same for a path segment: project ids have six characters at least. */
const SEGMENT_MIN = 6

/** A URL, or a path with its query, with its secret parts replaced. Names count in any case and encoding. */
export function redactAddress(url: string, rules: SecretRules, vault: Vault): string {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
  const user = path.replace(
    /^([a-z][a-z0-9+.-]*:\/\/)([^/@]+)@/i,
    (_all, scheme: string, secret: string) => `${scheme}${vault.value(secret, 'user')}@`,
  )
  const safePath = redactSegments(user, rules, vault)
  return safePath + (query === undefined ? '' : redactParameters(query, rules, vault)) + fragment
}

const PARAMETER = /([?&])([^?&=\s"'<>\\]{1,200})(=)([^&#\s"'<>\\]+)/g

/** The same in a URL that is the value of a parameter of another: percent-encoded, its marks too. */
const INNER_PARAMETER =
  /(%(?:25){0,2}(?:3[fF]|26))((?:(?!%(?:25){0,2}(?:3[dDfF]|26))[^?&=\s"'<>\\]){1,200})(%(?:25){0,2}3[dD])((?:(?!%(?:25){0,2}2[36])[^&#\s"'<>\\])+)/g

/** Parameters in any text, each with the `?` or `&` before it. */
export function redactParameters(text: string, rules: SecretRules, vault: Vault): string {
  function redacted(all: string, mark: string, name: string, equals: string, value: string): string {
    const kind = rules.query.get(decodePercent(name).toLowerCase())
    if (kind === undefined) return all
    return mark + name + equals + vault.learn(decoded(value), kind, PARAMETER_MIN)
  }
  const safe = text.replace(PARAMETER, redacted)
  return safe.includes('%') ? safe.replace(INNER_PARAMETER, redacted) : safe
}

function redactSegments(path: string, rules: SecretRules, vault: Vault): string {
  let kind: SecretKind | undefined
  return path
    .split(/(\/|%2f)/i)
    .map((segment, index) => {
      if (index % 2 === 1 || segment === '') return segment
      const secret = kind
      kind = rules.paths.get(decoded(segment).toLowerCase())
      if (secret === undefined) return segment
      kind = undefined
      return vault.learn(decoded(segment), secret, SEGMENT_MIN)
    })
    .join('')
}

/** A shape as an address has it: in text a slash before a key makes it a stretch of base64, here it ends a segment. */
export function inAddress(shape: SecretShape): SecretShape {
  return { ...shape, edge: shape.edge ?? (character => shape.body(character) || character === '+') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
