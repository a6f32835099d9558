/**
 * The cassettes of a folder by name: what stands in a URL instead of a path on disk, so that no request
 * leads to a file that is not one of them.
 *
 * Room: serve.
 */
import { join, sep } from 'node:path'
import leven from 'leven'
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
  /** The names that somebody may have meant, the nearest first; three at most, and none that is far off. */
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
    nearest: asked =>
      [...names]
        .map(name => ({ name, far: farness(asked, name) }))
        .filter(({ far }) => far <= Math.max(1, Math.ceil(asked.length / 3)))
        .toSorted((one, other) => one.far - other.far)
        .slice(0, SUGGESTED)
        .map(({ name }) => name),
  }
}

/** How many characters differ; folders in front may be missing, or be other ones, and as much as this may be at its end. */
function farness(asked: string, name: string): number {
  if (asked === '') return Infinity
  if (name.startsWith(asked)) return 1
  return Math.min(leven(asked, name), leven(lastOf(asked), lastOf(name)) + 1)
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function namesIn(folder: string): ReadonlySet<string> {
  return new Set(cassettesIn(folder).map(path => path.replaceAll(sep, '/').slice(0, -CASSETTE_SUFFIX.length)))
}
