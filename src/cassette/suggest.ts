/**
 * The nearest right word for a wrong one.
 *
 * Room: cassette.
 */
import { closestMatch } from 'leven'

/** The hint for a wrong word; undefined where no right one is near: at most a third of it may differ. */
export function didYouMean(word: string, words: readonly string[]): string | undefined {
  const near = closestMatch(word.toLowerCase(), words, {
    maxDistance: Math.max(1, Math.ceil(word.length / 3)),
  })
  return near === undefined ? undefined : `Did you mean \`${near}\`?`
}

/** `a, b or c`, each in backticks. */
export function oneOf(words: readonly string[]): string {
  const quoted = words.map(word => `\`${word}\``)
  const last = quoted.pop() ?? ''
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`
}
