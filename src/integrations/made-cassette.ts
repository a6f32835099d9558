/**
 * A cassette that is handed over in memory.
 *
 * Room: integrations.
 */
import type { Cassette } from '../cassette/model.ts'
import { WiretapeError } from '../errors.ts'
import type { MadeCassette } from './use-cassette.ts'

/**
 * The cassette itself.
 *
 * @throws `WIRETAPE_USAGE` for anything else, such as the promise of one.
 */
export function madeCassette(made: MadeCassette): Cassette {
  const value: unknown = made
  if (typeof value !== 'object' || value === null) throw noCassette(String(value))
  if ('build' in made) return made.build()
  if ('documents' in made) return made
  if ('then' in value) throw noCassette('a promise', 'Await it: `parseCassette` gives one.')
  throw value instanceof URL
    ? noCassette('a URL', 'Give its path: `fileURLToPath(url)` of node:url.')
    : noCassette('something else')
}

function noCassette(is: string, hint?: string): WiretapeError {
  return new WiretapeError('WIRETAPE_USAGE', `A cassette is needed here, and this is ${is}.`, {
    hint: hint ?? 'Give a path, a builder of `wiretape/build`, or what `parseCassette` gives.',
  })
}
