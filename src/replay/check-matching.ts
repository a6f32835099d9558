/**
 * What is said of matching, checked for whoever does not replay yet.
 *
 * Room: replay.
 */
import { readAllowed } from './allowed.ts'
import { guarded, type MatchingOptions, readIgnored } from './matching.ts'

/** Throws what a replay would throw: `WIRETAPE_USAGE`. */
export function checkMatching({ match, ignore, allow }: MatchingOptions): void {
  guarded(match)
  readIgnored(ignore)
  readAllowed(allow)
}
