/**
 * When a cassette is to be recorded again: what the `expires` of a header means. It fails nothing.
 *
 * Room: cassette.
 */
import type { Cassette } from './model.ts'

/** RFC 3339 §5.6: a full-date, or a date-time. */
const EXPIRY = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[-+]\d\d:\d\d))?$/
const DAY_MS = 86_400_000

/** True for a text that says when. */
export function isExpiry(text: string): boolean {
  const [, date] = EXPIRY.exec(text) ?? []
  if (date === undefined || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(date))) return false
  // The 31st of February is taken for a day of March.
  return new Date(Date.parse(date)).toISOString().startsWith(date)
}

/**
 * What to tell of a cassette that has expired; undefined while it has not.
 *
 * @param now - Milliseconds since 1970, UTC.
 */
export function expiryNote({ file, documents }: Cassette, now: number): string | undefined {
  const past = documents
    .flatMap(document => (document.type === 'header' ? (document.header.expires ?? []) : []))
    .find(expires => now >= lastMoment(expires))
  return past === undefined ? undefined : `${file} expired (\`expires: ${past}\`): record it again`
}

/** A date lasts to its end. */
function lastMoment(expires: string): number {
  return Date.parse(expires) + (expires.includes('T') ? 0 : DAY_MS)
}
