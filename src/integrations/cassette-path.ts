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
/** Longer names are cut, in characters, and told apart by a hash. */
const MAX_NAME = 80
/** The same in bytes of UTF-8: a name has 255 on most systems, with our suffixes and the hash. */
const MAX_BYTES = 200
/** Windows opens a device under these names, whatever comes behind the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

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
  const short = shortened(name)
  if (name !== '' && short === name && !DEVICE.test(name)) return name
  const hash = createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 8)
  return `${short || 'test'}-${hash}`
}

/** As much of a name as fits, in whole characters. */
function shortened(name: string): string {
  let bytes = 0
  let end = 0
  for (const character of name) {
    bytes += Buffer.byteLength(character)
    if (bytes > MAX_BYTES || end + character.length > MAX_NAME) break
    end += character.length
  }
  return name.slice(0, end)
}

/** Letters and digits of any script; in lower case, for systems that do not tell cases apart. */
function slug(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}
