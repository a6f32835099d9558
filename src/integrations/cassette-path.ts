/**
 * The path of a cassette that is named after its test: `__cassettes__/greeting.test/chat--answers-in-rhymes.cassette.yaml`,
 * beside `greeting.test.ts`, as snapshots are beside theirs.
 *
 * Room: integrations.
 */
import { createHash } from 'node:crypto'
import { basename, dirname, extname, join } from 'node:path'

/** The folder beside the test files. */
const FOLDER = '__cassettes__'
/** Longer names are cut, and told apart by a hash: some systems take no more than 255 bytes. */
const MAX_NAME = 80

/**
 * The path.
 *
 * @param testFile - The test's file.
 * @param names - The names of its suites, outermost first, and its own.
 */
export function cassettePath(testFile: string, names: readonly string[]): string {
  const suite = basename(testFile, extname(testFile))
  return join(dirname(testFile), FOLDER, suite, `${nameOf(names)}.cassette.yaml`)
}

function nameOf(names: readonly string[]): string {
  const name = names
    .map(slug)
    .filter(part => part !== '')
    .join('--')
  if (name !== '' && name.length <= MAX_NAME) return name
  const hash = createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 8)
  return `${name.slice(0, MAX_NAME) || 'test'}-${hash}`
}

/** Letters and digits of any script; in lower case, for systems that do not tell cases apart. */
function slug(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}
