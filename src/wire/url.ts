/**
 * The origin of a URL, cut off or replaced as text: what comes after it keeps its spelling, which a parsed
 * URL would not.
 *
 * Room: wire.
 */

/** Scheme, host and port (RFC 3986 §3). */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i

/** Path and query of a URL; a path stays as it is. */
export function withoutOrigin(url: string): string {
  return withOrigin(url, '')
}

/** A URL at another origin; a path stays as it is. */
export function withOrigin(url: string, origin: string): string {
  return url.replace(ORIGIN, () => origin)
}
