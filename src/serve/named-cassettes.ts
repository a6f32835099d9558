/**
 * The cassettes of a folder by name: what stands in a URL instead of a path on disk, so that no request
 * leads to a file that is not one of them.
 *
 * Room: serve.
 */
import { join, sep } from 'node:path'
import { closestMatch } from 'leven'
import { cassettesIn, CASSETTE_SUFFIX } from '../store/find.ts'

/** The cassettes of one folder. A name is the path in it without `.cassette.yaml`, with `/` between folders. */
export interface NamedCassettes {
  /** All of them, sorted. */
  all(): readonly string[]
  has(name: string): boolean
  /** Looks again: cassettes are recorded while a folder is replayed. */
  refresh(): void
  /** Its path, as messages are to name it. */
  fileOf(name: string): string
  /** The names that somebody probably meant, the nearest first; three at most. */
  nearest(name: string): readonly string[]
}

/** How many names a message suggests. */
const SUGGESTED = 3

/** Looks into a folder. */
export function nameCassettes(folder: string): NamedCassettes {
  let names = namesIn(folder)
  return {
    all: () => [...names],
    has: name => names.has(name),
    refresh() {
      try {
        names = namesIn(folder)
      } catch {
        // Somebody took the leave to read it away: what was there is still the best that is known, and whoever
        // asks for one that is gone is told so.
      }
    },
    fileOf: name => join(folder, `${name}${CASSETTE_SUFFIX}`),
    nearest(name) {
      const found: string[] = []
      const left = [...names]
      while (found.length < SUGGESTED) {
        const next = closestMatch(name, left)
        if (next === undefined) break
        found.push(next)
        left.splice(left.indexOf(next), 1)
      }
      return found
    },
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  return new Set(cassettesIn(folder).map(path => path.replaceAll(sep, '/').slice(0, -CASSETTE_SUFFIX.length)))
}
