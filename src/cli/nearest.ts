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
  return `Did you mean '${begunWith(typed, words) ?? closestMatch(typed, words) ?? words[0] ?? typed}'?`
}

/** The same word where it is like what was typed: at most a third of that may differ. */
export function nearWord(typed: string, words: readonly string[]): string | undefined {
  const maxDistance = Math.ceil(typed.replace(/^-+/, '').length / 3)
  return begunWith(typed, words) ?? closestMatch(typed, words, { maxDistance })
}

function begunWith(typed: string, words: readonly string[]): string | undefined {
  const start = /^-[a-z]$/i.test(typed) ? `-${typed}`.toLowerCase() : typed
  return words.find(word => start.length > 2 && word.startsWith(start))
}
