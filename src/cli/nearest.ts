/**
 * Finds the word that somebody probably meant.
 *
 * Room: cli.
 */
import { closestMatch } from 'leven'

/**
 * The word that was probably meant: one that begins with what was typed, or with the letter of a short
 * option, else the nearest. One of `words`.
 */
export function didYouMean(typed: string, words: readonly string[]): string {
  const start = /^-[a-z]$/i.test(typed) ? `-${typed}`.toLowerCase() : typed
  const begun = words.find(word => start.length > 2 && word.startsWith(start))
  return `Did you mean '${begun ?? closestMatch(typed, [...words]) ?? words[0] ?? typed}'?`
}
