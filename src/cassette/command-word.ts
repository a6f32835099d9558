/**
 * A path as a word of a command that people copy out of a message.
 *
 * Room: cassette.
 */

/** What every shell leaves alone. */
const PLAIN = /^[\p{L}\p{N}\p{M}_./:\\,@%+=~-]+$/u
/** What a shell reads between double quotes too. */
const READ_IN_QUOTES = /["$`!]/

/** The path itself, or in quotes where a shell would take it apart: double ones, as Windows knows no others. */
export function commandWord(path: string): string {
  if (PLAIN.test(path)) return path
  return READ_IN_QUOTES.test(path) ? `'${path.replaceAll("'", String.raw`'\''`)}'` : `"${path}"`
}
