/**
 * What is said of a cassette that is not there: the one beside it that was probably meant, or what to do.
 *
 * Room: store.
 */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { closestMatch } from 'leven'
import { commandWord } from '../cassette/command-word.ts'
import { WiretapeError } from '../errors.ts'
import { journalFolder } from './paths.ts'

/** What a cassette is wanted for: to play it, or to look at what is there. */
export type Purpose = 'play' | 'read'

/** The error for a cassette that is not there. */
export function missing(file: string, purpose: Purpose, cause: unknown): WiretapeError {
  return new WiretapeError('WIRETAPE_CASSETTE_MISSING', `There is no cassette at ${file}.`, {
    hint: hintFor(file, purpose),
    details: { file },
    cause,
  })
}

function hintFor(file: string, purpose: Purpose): string {
  if (existsSync(journalFolder(file)))
    return `A recording of it was not finished: wiretape recover ${commandWord(file)}`
  const meant = meantInstead(file)
  const record = `ecord it: wiretape record ${commandWord(file)} -- COMMAND`
  switch (purpose) {
    case 'play':
      return meant === undefined ? `R${record}` : `${meant} If not, r${record}`
    case 'read':
      return meant ?? 'Name one that is there.'
  }
}

/** Asks whether a cassette in the same folder was meant; undefined where none has a name like it. */
export function meantInstead(file: string): string | undefined {
  const folder = dirname(file)
  const names = namesIn(folder).filter(name => /\.ya?ml$/.test(name))
  const stem = stemOf(basename(file))
  const stems = names.map(stemOf)
  // A third of a name may differ, without the end that all of them have.
  const nearest = closestMatch(stem, stems, { maxDistance: Math.max(1, Math.ceil(stem.length / 3)) })
  const name = nearest === undefined ? undefined : names[stems.indexOf(nearest)]
  return name === undefined ? undefined : `Did you mean ${join(folder, name)}?`
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    // It is not there either, or not to be read: there is nothing to offer.
    return []
  }
}

function stemOf(name: string): string {
  return name.toLowerCase().replace(/(?:\.packed)?(?:\.cassette)?\.ya?ml$/, '')
}
