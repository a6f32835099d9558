/**
 * Finds the cassettes in folders, by their names alone: none is read.
 *
 * Room: store.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { WiretapeError } from '../errors.ts'

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

/** Every `*.cassette.yaml` in a folder, however deep, but for what is installed there; relative to it, sorted. */
export function cassettesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith(CASSETTE_SUFFIX) && !name.split(/[/\\]/).includes('node_modules'))
    .toSorted()
}

/** True for a path that is a folder; false for a file, and where nothing is. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function cassettesAt(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new WiretapeError('WIRETAPE_USAGE', `There is nothing at ${path}.`, {
      hint: 'Name a cassette, or a folder with cassettes in it.',
    })
  }
  if (!isFolder(path)) return [path]
  const files = cassettesIn(path).map(name => join(path, name))
  if (files.length > 0) return files
  throw new WiretapeError('WIRETAPE_USAGE', `There is no cassette in ${path}.`, {
    hint: `Cassettes are named \`*${CASSETTE_SUFFIX}\`.`,
  })
}
