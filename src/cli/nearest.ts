/**
 * Finds the word that somebody probably meant.
 *
 * Room: cli.
 */
import { closestMatch } from 'leven'

/** The word that was probably meant: one that begins with what was typed, else the nearest. One of `words`. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const begun = words.find(word => typed.length > 2 && word.startsWith(typed))
  return `Did you mean '${begun ?? closestMatch(typed, [...words]) ?? words[0] ?? typed}'?`
}
