/**
 * How a cassette is recorded again, where the app is right and the recording is not.
 *
 * Room: replay.
 */
import { commandWord } from '../cassette/command-word.ts'

/** Both ways: which of them plays the cassette is not known here. One line. */
export function recordAgain(file: string): string {
  // One that was made in a program has words in place of a path.
  if (!file.endsWith('.yaml')) return 'If the app is right, change the cassette.'
  return `If the app is right, record again: with WIRETAPE_MODE=all (useCassette), or wiretape record ${commandWord(file)} --overwrite`
}
