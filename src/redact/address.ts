/**
 * Secrets in URLs: parameters, path segments, and a user's name and password.
 *
 * Room: redact.
 */
import type { SecretKind, SecretRules } from './rules.ts'
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

/** Parameters in any text, each with the `?` or `&` before it. */
export function redactParameters(text: string, rules: SecretRules, vault: Vault): string {
  return text.replace(
    /([?&])([^?&=\s"'<>\\]{1,200})=([^&#\s"'<>\\]+)/g,
    (all, mark: string, name: string, value: string) => {
      const kind = rules.query.get(decoded(name).toLowerCase())
      if (kind === undefined) return all
      return `${mark}${name}=${vault.learn(decoded(value), kind, PARAMETER_MIN)}`
    },
  )
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

/** A URL with each segment of its path mapped on its own. */
export function mapSegments(url: string, map: (segment: string) => string): string {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? []
  const segments = path.split(/(\/|%2f)/i)
  return segments.map((part, index) => (index % 2 === 1 || part === '' ? part : map(part))).join('') + rest
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
