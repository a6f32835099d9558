/**
 * The nearest right word for a wrong one.
 *
 * Room: cassette.
 */
import leven from 'leven'

/** The hint for a wrong word; undefined where no right one is near: at most a third of it may differ. */
export function didYouMean(word: string, words: readonly string[]): string | undefined {
  const wrong = word.toLowerCase()
  const limit = Math.max(1, Math.ceil(word.length / 3))
  const [near] = words
    .map(candidate => ({ candidate, distance: leven(wrong, candidate) + penalty(wrong, candidate) }))
    .filter(({ distance }) => distance < limit + 1)
    .toSorted((one, other) => one.distance - other.distance)
  return near === undefined ? undefined : `Did you mean \`${near.candidate}\`?`
}

/** Of two that are as near, the one that begins as the word does was meant. */
function penalty(wrong: string, candidate: string): number {
  return wrong[0] === candidate[0] ? 0 : 0.5
}

/** `a, b or c`, each in backticks. */
export function oneOf(words: readonly string[]): string {
  const quoted = words.map(word => `\`${word}\``)
  const last = quoted.pop() ?? ''
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`
}
