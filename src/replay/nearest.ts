/**
 * Which of the recorded come nearest to what found no match. One measure for requests and for sockets, so that
 * both kinds of near miss are told alike.
 *
 * Room: replay.
 */

/** How many near misses are told. */
const TOLD = 3

/** How many candidates are looked at. */
export const LOOKED_AT = 300

/** How far a candidate is that was used up, and else is the same: less far than one with another text. */
export const USED = 0.5

/** The nearest, nearest first; of those that are as far, the first. */
export function nearestOf<Candidate>(
  candidates: readonly Candidate[],
  farness: (candidate: Candidate) => number,
): readonly Candidate[] {
  return candidates
    .slice(0, LOOKED_AT)
    .map(candidate => ({ candidate, far: farness(candidate) }))
    .toSorted((one, other) => one.far - other.far)
    .slice(0, TOLD)
    .map(({ candidate }) => candidate)
}
