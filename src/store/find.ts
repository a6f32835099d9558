/**
 * Finds the cassettes in folders, by their names alone: none is read.
 *
 * Room: store.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WiretapeError } from '../errors.ts'
import { isCode } from './disk-error.ts'
import { meantInstead } from './missing.ts'

/** What the name of every cassette ends with. */
export const CASSETTE_SUFFIX = '.cassette.yaml'

/**
 * The cassettes that paths name: each file itself, and every `*.cassette.yaml` in a folder, however deep.
 *
 * @throws WIRETAPE_USAGE for a path that is not there, and for a folder without cassettes.
 */
export function findCassettes(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(cassettesAt))]
}

/**
 * Every `*.cassette.yaml` in a folder, however deep, but for what is installed there; relative to it, sorted.
 *
 * Links to folders are followed, but none back to a folder that the way there came through.
 *
 * @throws WIRETAPE_USAGE for a folder that can't be read.
 */
export function cassettesIn(folder: string): readonly string[] {
  return namesUnder(folder, '', new Set()).toSorted()
}

/** @param through - The real paths of the folders above. */
function namesUnder(folder: string, below: string, through: ReadonlySet<string>): readonly string[] {
  const here = join(folder, below)
  const real = readAt(here, () => realpathSync(here))
  if (real === undefined || through.has(real)) return []
  const entries = readAt(here, () => readdirSync(here, { withFileTypes: true })) ?? []
  return entries.flatMap(entry => {
    const name = join(below, entry.name)
    const own = entry.name.endsWith(CASSETTE_SUFFIX) ? [name] : []
    const leads = entry.isDirectory() || (entry.isSymbolicLink() && isFolder(join(folder, name)))
    if (!leads || entry.name === 'node_modules') return own
    return [...own, ...namesUnder(folder, name, new Set([...through, real]))]
  })
}

/** Undefined where it is not there any more: suites make folders and remove them meanwhile. */
function readAt<Read>(path: string, read: () => Read): Read | undefined {
  try {
    return read()
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return undefined
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new WiretapeError('WIRETAPE_USAGE', `The folder ${path} can't be read: ${reason}`, {
      hint: 'Give leave to read it, or name the cassettes or folders that you mean.',
      details: { path },
      cause,
    })
  }
}

/** True for a path that is a folder; false for a file, where nothing is, and for a link to itself. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (cause) {
    if (isCode(cause, 'ELOOP')) return false
    throw cause
  }
}

function cassettesAt(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new WiretapeError('WIRETAPE_USAGE', `There is nothing at ${path}.`, {
      hint: meantInstead(path) ?? 'Name a cassette, or a folder with cassettes in it.',
    })
  }
  if (!isFolder(path)) return [path]
  const files = cassettesIn(path).map(name => join(path, name))
  if (files.length > 0) return files
  throw new WiretapeError('WIRETAPE_USAGE', `There is no cassette in ${path}.`, {
    hint: `Cassettes are named \`*${CASSETTE_SUFFIX}\`.`,
  })
}
