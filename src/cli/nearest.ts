/**
 * Finds the word that somebody probably meant.
 *
 * Room: cli.
 */
import { closestMatch } from 'leven'

/** The word nearest to what was typed, quoted as a question; always one of `words`. */
export function didYouMean(typed: string, words: readonly string[]): string {
  return `Did you mean '${closestMatch(typed, [...words]) ?? words[0] ?? typed}'?`
}
