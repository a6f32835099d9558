/**
 * What is said to a request that belongs to no cassette of a replayed folder.
 *
 * Room: serve.
 */
import { commandWord } from '../cassette/command-word.ts'
import { WiretapeError } from '../errors.ts'
import type { NamedCassettes } from './named-cassettes.ts'
import { pathOf, VERDICT_PREFIX } from './folder-place.ts'

/** How many names are told where none is near. */
const SHOWN = 5

/** For a name that no cassette has; `asked` is shown, so it must hold no secret. */
export function noSuchCassette(asked: string, cassettes: NamedCassettes): WiretapeError {
  const [cassette = ''] = asked.split('@', 1)
  const nearest = cassettes.nearest(cassette)
  const file = cassettes.fileOf(cassette === '' ? 'NAME' : cassette)
  return new WiretapeError('WIRETAPE_CASSETTE_MISSING', `There is no cassette at ${file}.`, {
    hint: [
      nearest.length === 0 ? thereAre(cassettes.all()) : `Did you mean ${quoted(nearest).join(' or ')}?`,
      `To record it: wiretape record ${commandWord(file)} -- COMMAND`,
    ].join('\n'),
    details: { file, nearest },
  })
}

/** The first names that there are, if none is near. */
function thereAre(names: readonly string[]): string {
  const shown = quoted(names.slice(0, SHOWN)).join(', ')
  const more = names.length - SHOWN
  return `There ${names.length === 1 ? 'is' : 'are'} ${shown}${more > 0 ? ` and ${more} more: GET ${VERDICT_PREFIX} lists them` : ''}.`
}

function quoted(names: readonly string[]): readonly string[] {
  return names.map(name => `'${name}'`)
}

/** For a request for the service that names no cassette; `asked` is shown, so it must hold no secret. */
export function outside(asked: string, cassettes: NamedCassettes): WiretapeError {
  const [first = 'NAME'] = cassettes.all()
  return new WiretapeError('WIRETAPE_USAGE', `This request names no cassette: ${asked}`, {
    hint:
      `A folder is replayed here. Give the client of each test the base URL of its cassette: this server's with ` +
      `'${pathOf(first)}' behind it, for one. Where a client comes through a proxy instead, the cassette is the proxy's ` +
      `user: 'http://${encodeURIComponent(first)}@' before this server's host and port. Its verdict is at ` +
      `'${VERDICT_PREFIX}${first}'.`,
    details: { asked },
  })
}
